#include "mubody/math/block_ldl.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <functional>
#include <iterator>
#include <queue>

#include "mubody/math/lanes.h"

namespace mubody {
namespace {
/// The nodes in the order of elimination, and for each node those that it fills in, sorted.
struct Order {
  std::vector<int> nodes;
  std::vector<std::vector<int>> fill;
};

/// Nodes by degree, then by wait.  An entry that is out of date stays until it is met.
using Waiting = std::array<int, 3>;  // degree, wait, node
using Queue = std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>>;

// Minimum degree; the fill is recorded as it arises.
Order least_degree(std::vector<std::vector<int>> near) {
  const std::size_t count = near.size();
  Order order{{}, std::vector<std::vector<int>>(count)};
  order.nodes.reserve(count);
  std::vector<int> waits(count, 0), merged;  // length of the chain of eliminations before
  std::vector<bool> gone(count, false);
  const auto entry = [&](int g) { return Waiting{int(near[g].size()), waits[g], g}; };
  std::vector<Waiting> all;
  for (int g = 0; g < int(count); ++g) all.push_back(entry(g));
  Queue queue({}, std::move(all));
  long updates = 0;
  while (!queue.empty()) {
    const Waiting top = queue.top();
    queue.pop();
    const int g = top.back();
    if (gone[g] || top != entry(g)) continue;
    gone[g] = true;
    order.nodes.push_back(g);
    const std::vector<int>& fill = order.fill[g] = std::move(near[g]);
    updates += long(fill.size()) * long(fill.size() + 1) / 2;
    if (updates > BlockLdl::most_updates) throw TooDense();
    for (const int k : fill) {
      merged.clear();
      std::ranges::set_union(near[k], fill, std::back_inserter(merged));
      std::erase_if(merged, [&](int l) { return l == k || l == g; });
      near[k] = merged;
      waits[k] = std::max(waits[k], waits[g] + 1);
      queue.push(entry(k));
    }
  }
  return order;
}

// The same factors in another order: nodes that most others wait for come first, the others when they are
// needed.  Memory is then walked once from beginning to end.
void sort_by_depth(Order& order) {
  const int count = int(order.nodes.size());
  std::vector<int> place(std::size_t(count), 0), depth(std::size_t(count), 0);  // depth: eliminations that wait
  for (int k = 0; k < count; ++k) place[order.nodes[k]] = k;
  for (int k = count; k-- > 0;) {
    const auto& fill = order.fill[order.nodes[k]];
    const auto first =
        std::min_element(fill.begin(), fill.end(), [&](int i, int j) { return place[i] < place[j]; });
    if (first != fill.end()) depth[order.nodes[k]] = depth[*first] + 1;
  }
  std::stable_sort(order.nodes.begin(), order.nodes.end(), [&](int i, int j) { return depth[i] > depth[j]; });
}
}  // namespace

BlockLdl::BlockLdl(const std::vector<int>& sizes, std::vector<std::vector<int>> near) {
  Order order = least_degree(std::move(near));
  sort_by_depth(order);
  place_.assign(sizes.size(), 0);
  int start = 0;
  for (const int g : order.nodes) {
    place_[g] = int(nodes_.size());
    nodes_.push_back({g, sizes[g], start, 0, 0, 0, 0});
    start += padded(sizes[g]);
  }
  inverse_.assign(start, 0);
  diagonal_.assign(start, 0);
  list_updates(lay_out(order.fill));
  pairs_ = std::all_of(sizes.begin(), sizes.end(), [](int size) { return size == 2; });
}

// Storage: the diagonal block, then the blocks below it in the order of elimination, whose places are returned.
std::vector<int> BlockLdl::lay_out(const std::vector<std::vector<int>>& fill) {
  int next = 0;
  std::vector<int> rows;
  for (Node& n : nodes_) {
    assert(n.size <= most_lanes);
    n.diagonal = next;
    next += n.size * padded(n.size);
    n.first = int(rows.size());
    for (const int i : fill[n.id]) rows.push_back(place_[i]);
    n.last = int(rows.size());
    std::sort(rows.begin() + n.first, rows.end());
    for (int k = n.first; k < n.last; ++k) {
      const Node& below = nodes_[rows[k]];
      below_.push_back({below.size, below.start, next});
      next += n.size * padded(below.size);
    }
  }
  values_.assign(next, 0);
  return rows;
}

// The blocks that each elimination changes, in the order in which it reaches them.
void BlockLdl::list_updates(const std::vector<int>& places) {
  int widest = 0;
  for (Node& n : nodes_) {
    n.update = int(updates_.size());
    int rows = 0, room = 0;
    const auto pair = [&](int p, int q) {
      const Node &i = nodes_[places[q]], &j = nodes_[places[p]];
      updates_.push_back(offset(i.id, j.id));
      operations_ += long(n.size) * i.size * j.size;
    };
    for (int p = n.first; p < n.last; ++p) pair(p, p);
    for (int p = n.first; p < n.last; ++p)
      for (int q = p + 1; q < n.last; ++q) pair(p, q);
    for (int p = n.first; p < n.last; ++p) {
      rows += below_[p].size * n.size;
      room += padded(below_[p].size) * n.size;
    }
    operations_ += long(rows) * n.size;
    widest = std::max(widest, room);
  }
  scratch_.assign(widest, 0);
}

int BlockLdl::offset(int i, int j) const {
  const Node& n = nodes_[place_[j]];
  if (i == j) return n.diagonal;
  const auto first = below_.begin() + n.first, last = below_.begin() + n.last;
  return std::ranges::lower_bound(first, last, start(i), {}, &Below::start)->offset;
}

void BlockLdl::clear() { std::fill(values_.begin(), values_.end(), 0.0); }

// Pairs of neighbours: fill, or loops that meet.
template <int R, int Known>
MUBODY_INLINE void BlockLdl::update_pairs(const Below* first, const Below* last, const int* target, Walk& w) {
  const double* Yp = w.scratch;
  for (const Below* p = first; p < last; ++p) {
    const int width = padded(Known > 0 ? Known : p->size);
    const double* const l = w.values + p->offset;
    Yp += R * width;
    const double* Yq = Yp;
    for (const Below* q = p + 1; q < last; Yq += R * padded(Known > 0 ? Known : q->size), ++q)
      with_size<Known>(q->size, [&](auto height) MUBODY_INLINE_LAMBDA {
        constexpr int H = height;
        double* T = w.values + *target++;
#pragma GCC unroll 2
        for (int r = 0; r < (Known > 0 ? Known : p->size); ++r, T += padded(H)) {
          Lanes<H> t, y;
          t.load(T);
#pragma GCC unroll 6
          for (int c = 0; c < R; ++c) {
            y.load(Yq + c * padded(H));
            t.subtract(l[c * width + r], y);
          }
          t.store(T);
        }
      });
  }
}

template <int R, int Known> MUBODY_INLINE void BlockLdl::eliminate(const Node& n, Walk& w) {
  constexpr int stride = padded(R);
  double* const A = w.values + n.diagonal;
  double* const inverse = w.inverse + n.start;
  const double* const full = w.full + n.start;
  double L[R][R], scaled[R][R], reciprocal[R];  // A = L Δ Lᵀ; scaled is L Δ
#pragma GCC unroll 6
  for (int c = 0; c < R; ++c) {
#pragma GCC unroll 6
    for (int r = c; r < R; ++r) {
      double sum = A[r * stride + c];
      if (r == c) sum += w.softness * full[c];
#pragma GCC unroll 6
      for (int k = 0; k + 1 < c; ++k) sum -= L[r][k] * scaled[c][k];
      // Multiplied in this order the newest reciprocal comes last: the next pivot waits for nothing else.
      if (c > 0) sum -= scaled[r][c - 1] * scaled[c][c - 1] * reciprocal[c - 1];
      scaled[r][c] = sum;
    }
    const double pivot = scaled[c][c];
    if (!(pivot >= w.independence * full[c]))
      w.independence = full[c] > 0 ? pivot / full[c] : 0, w.weakest = n.id;
    inverse[c] = reciprocal[c] = pivot > 0 ? 1 / pivot : 0;
#pragma GCC unroll 6
    for (int r = c + 1; r < R; ++r) A[r * stride + c] = L[r][c] = scaled[r][c] * reciprocal[c];
  }

  // Below the node: y = L⁻¹ Aᵀ, Δ⁻¹ y in its place, and their product, subtracted from the neighbour's block.
  const Below* const first = w.below + n.first;
  const Below* const last = w.below + n.last;
  const int* target = w.updates + n.update;
  double* Y = w.scratch;
  for (const Below* p = first; p < last; ++p)
    with_size<Known>(p->size, [&](auto height) MUBODY_INLINE_LAMBDA {
      constexpr int H = height;
      double* const block = w.values + p->offset;
      Lanes<H> y[R], l[R];
#pragma GCC unroll 6
      for (int c = 0; c < R; ++c) {
        y[c].load(block + c * padded(H));
#pragma GCC unroll 6
        for (int k = 0; k < c; ++k) y[c].subtract(L[c][k], y[k]);
        l[c] = y[c];
        l[c].scale(reciprocal[c]);
        l[c].store(block + c * padded(H));
      }
      double* const T = w.values + *target++;
#pragma GCC unroll 6
      for (int r = 0; r < H; ++r) {
        Lanes<H> t;
        t.load(T + r * padded(H), r);
#pragma GCC unroll 6
        for (int c = 0; c < R; ++c) t.subtract(l[c][r], y[c], r);
        t.store(T + r * padded(H), r);
      }
      if (last - first > 1)
#pragma GCC unroll 6
        for (int c = 0; c < R; ++c, Y += padded(H)) y[c].store(Y);
    });

  update_pairs<R, Known>(first, last, target, w);
}

template <int Known> MUBODY_INLINE void BlockLdl::factorize_all(double softness, bool sized) {
  double* const full = diagonal_.data();
  const double* const values = values_.data();
  if (!sized)
    for (const Node& n : nodes_) {
      const int size = Known > 0 ? Known : n.size;
      for (int r = 0; r < size; ++r) full[n.start + r] = values[n.diagonal + r * (padded(size) + 1)];
    }
  Walk w{
      values_.data(), inverse_.data(), scratch_.data(), full, below_.data(), updates_.data(), softness, 1, 0};
  for (const Node& n : nodes_)
    with_size<Known>(n.size, [&](auto size) MUBODY_INLINE_LAMBDA { eliminate<size, Known>(n, w); });
  independence_ = w.independence;
  weakest_ = w.weakest;
}

MUBODY_CLONES void BlockLdl::factorize(double softness, bool sized) {
  if (pairs_)
    factorize_all<2>(softness, sized);
  else
    factorize_all<0>(softness, sized);
}

template <int R, int Known> MUBODY_INLINE void BlockLdl::forward(const Node& n, const Factors& w, double* b) {
  const double* const A = w.values + n.diagonal;
  double x[R];
#pragma GCC unroll 6
  for (int r = 0; r < R; ++r) {
    double sum = b[n.start + r];
#pragma GCC unroll 6
    for (int k = 0; k < r; ++k) sum -= A[r * padded(R) + k] * x[k];
    b[n.start + r] = x[r] = sum;
  }
  for (const Below* p = w.below + n.first; p < w.below + n.last; ++p)
    with_size<Known>(p->size, [&](auto height) MUBODY_INLINE_LAMBDA {
      constexpr int H = height;
      const double* const L = w.values + p->offset;
      Lanes<H> y, l;
      y.load(b + p->start);
#pragma GCC unroll 6
      for (int k = 0; k < R; ++k) {
        l.load(L + k * padded(H));
        y.subtract(x[k], l);
      }
      y.store(b + p->start);
    });
}

template <int R, int Known> MUBODY_INLINE void BlockLdl::backward(const Node& n, const Factors& w, double* b) {
  const double* const A = w.values + n.diagonal;
  double x[R];
#pragma GCC unroll 6
  for (int r = 0; r < R; ++r) x[r] = b[n.start + r] * w.inverse[n.start + r];
  for (const Below* p = w.below + n.first; p < w.below + n.last; ++p) {
    const int size = Known > 0 ? Known : p->size;
    const double* L = w.values + p->offset;
    const double* y = b + p->start;
    for (int r = 0; r < size; ++r, ++L) {
      const double f = y[r];
#pragma GCC unroll 6
      for (int k = 0; k < R; ++k) x[k] -= L[k * padded(size)] * f;
    }
  }
#pragma GCC unroll 6
  for (int r = R - 1; r >= 0; --r) {
#pragma GCC unroll 6
    for (int k = 0; k < r; ++k) x[k] -= A[r * padded(R) + k] * x[r];
    b[n.start + r] = x[r];
  }
}

template <int Known> MUBODY_INLINE void BlockLdl::solve_all(double* b) const {
  const Factors w{values_.data(), inverse_.data(), below_.data()};
  for (const Node& n : nodes_)
    with_size<Known>(n.size, [&](auto size) MUBODY_INLINE_LAMBDA { forward<size, Known>(n, w, b); });
  for (auto n = nodes_.rbegin(); n != nodes_.rend(); ++n)
    with_size<Known>(n->size, [&](auto size) MUBODY_INLINE_LAMBDA { backward<size, Known>(*n, w, b); });
}

MUBODY_CLONES void BlockLdl::solve(double* b) const {
  if (pairs_)
    solve_all<2>(b);
  else
    solve_all<0>(b);
}
}  // namespace mubody
