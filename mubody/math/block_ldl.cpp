#include "mubody/math/block_ldl.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "mubody/math/lanes.h"

namespace mubody {
BlockLdl::BlockLdl(const std::vector<int>& sizes, std::vector<std::set<int>> near) {
  // Minimum degree, the fill recorded as it arises.
  const int count = int(sizes.size());
  std::vector<std::set<int>> fill = near;
  std::vector<int> waits(count, 0);    // how many eliminations must precede, one after the other
  std::set<std::array<int, 3>> queue;  // degree, wait, node
  const auto entry = [&](int g) { return std::array{int(near[g].size()), waits[g], g}; };
  for (int g = 0; g < count; ++g) queue.insert(entry(g));
  place_.assign(count, 0);
  std::vector<int> order;
  int start = 0;
  while (!queue.empty()) {
    const int g = queue.begin()->back();
    queue.erase(queue.begin());
    place_[g] = int(order.size());
    order.push_back(g);
    nodes_.push_back({g, sizes[g], start, 0, 0, 0, 0});
    start += padded(sizes[g]);

    fill[g] = near[g];
    for (int k : near[g]) {
      queue.erase(entry(k));
      near[k].erase(g);
      for (int l : near[g])
        if (l != k) near[k].insert(l);
      waits[k] = std::max(waits[k], waits[g] + 1);
      queue.insert(entry(k));
    }
  }

  // Storage: diagonal block, then the blocks below it in the order of elimination.
  int next = 0;
  find_.resize(count);
  for (Node& n : nodes_) {
    assert(n.size <= most_lanes);
    n.diagonal = next;
    next += n.size * padded(n.size);
    std::vector<int> rows;
    for (int i : fill[n.id]) rows.push_back(place_[i]);
    std::sort(rows.begin(), rows.end());
    n.first = int(below_.size());
    for (int i : rows) {
      find_[n.id].emplace_back(i, next);
      below_.push_back({nodes_[i].size, nodes_[i].start, next});
      next += n.size * padded(nodes_[i].size);
    }
    n.last = int(below_.size());
  }
  values_.assign(next, 0);
  inverse_.assign(start, 0);
  diagonal_.assign(start, 0);

  int widest = 0;
  for (Node& n : nodes_) {
    n.update = int(updates_.size());
    int rows = 0, room = 0;
    const auto pair = [&](std::size_t p, std::size_t q) {
      const int i = order[find_[n.id][q].first], j = order[find_[n.id][p].first];
      updates_.push_back(offset(i, j));
      operations_ += long(n.size) * sizes[i] * sizes[j];
    };
    const std::size_t neighbours = find_[n.id].size();
    for (std::size_t p = 0; p < neighbours; ++p) pair(p, p);
    for (std::size_t p = 0; p < neighbours; ++p)
      for (std::size_t q = p + 1; q < neighbours; ++q) pair(p, q);
    for (const auto& f : find_[n.id]) {
      rows += sizes[order[f.first]] * n.size;
      room += padded(sizes[order[f.first]]) * n.size;
    }
    operations_ += long(rows) * n.size;
    widest = std::max(widest, room);
  }
  scratch_.assign(widest, 0);
}

int BlockLdl::offset(int i, int j) const {
  if (i == j) return nodes_[place_[j]].diagonal;
  const auto& list = find_[j];
  return std::lower_bound(list.begin(), list.end(), std::pair(place_[i], 0))->second;
}

void BlockLdl::clear() { std::fill(values_.begin(), values_.end(), 0.0); }

template <int R> MUBODY_INLINE void BlockLdl::eliminate(const Node& n, double softness) {
  constexpr int stride = padded(R);
  double* const A = values_.data() + n.diagonal;
  double* const inverse = inverse_.data() + n.start;
  const double* const full = diagonal_.data() + n.start;
  double L[R][R], scaled[R][R], reciprocal[R];  // A = L Δ Lᵀ; scaled is L Δ
  double independence = independence_;
#pragma GCC unroll 6
  for (int c = 0; c < R; ++c) {
#pragma GCC unroll 6
    for (int r = c; r < R; ++r) {
      double sum = A[r * stride + c];
      if (r == c) sum += softness * full[c];
#pragma GCC unroll 6
      for (int k = 0; k + 1 < c; ++k) sum -= L[r][k] * scaled[c][k];
      // Multiplied in this order the newest reciprocal comes last: the next pivot waits for nothing else.
      if (c > 0) sum -= scaled[r][c - 1] * scaled[c][c - 1] * reciprocal[c - 1];
      scaled[r][c] = sum;
    }
    const double pivot = scaled[c][c];
    if (!(pivot >= independence * full[c])) independence = full[c] > 0 ? pivot / full[c] : 0, weakest_ = n.id;
    inverse[c] = reciprocal[c] = pivot > 0 ? 1 / pivot : 0;
#pragma GCC unroll 6
    for (int r = c + 1; r < R; ++r) A[r * stride + c] = L[r][c] = scaled[r][c] * reciprocal[c];
  }
  independence_ = independence;

  // Below the node: y = L⁻¹ Aᵀ, Δ⁻¹ y in its place, and what they take from the neighbour's own block.
  double* Y = scratch_.data();
  for (int p = n.first; p < n.last; ++p)
    with_size(below_[p].size, [&](auto height) MUBODY_INLINE_LAMBDA {
      constexpr int H = height;
      double* const block = values_.data() + below_[p].offset;
      Lanes<H> y[R];
#pragma GCC unroll 6
      for (int c = 0; c < R; ++c) {
        y[c].load(block + c * padded(H));
#pragma GCC unroll 6
        for (int k = 0; k < c; ++k) y[c].subtract(L[c][k], y[k]);
        Lanes<H> l = y[c];
        l.scale(reciprocal[c]);
        l.store(block + c * padded(H));
      }
      double* const T = values_.data() + updates_[n.update + p - n.first];
#pragma GCC unroll 6
      for (int r = 0; r < H; ++r) {
        Lanes<H> t;
        t.load(T + r * padded(H), r);
#pragma GCC unroll 6
        for (int c = 0; c < R; ++c) t.subtract(block[c * padded(H) + r], y[c], r);
        t.store(T + r * padded(H), r);
      }
      if (n.last - n.first > 1)
#pragma GCC unroll 6
        for (int c = 0; c < R; ++c, Y += padded(H)) y[c].store(Y);
    });

  // Pairs of neighbours: fill, or loops that meet.
  const int* target = updates_.data() + n.update + (n.last - n.first);
  const double* Yp = scratch_.data();
  for (int p = n.first; p < n.last; ++p) {
    const int width = padded(below_[p].size);
    const double* const l = values_.data() + below_[p].offset;
    Yp += R * width;
    const double* Yq = Yp;
    for (int q = p + 1; q < n.last; Yq += R * padded(below_[q].size), ++q)
      with_size(below_[q].size, [&](auto height) MUBODY_INLINE_LAMBDA {
        constexpr int H = height;
        double* T = values_.data() + *target++;
        for (int r = 0; r < below_[p].size; ++r, T += padded(H)) {
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

MUBODY_CLONES void BlockLdl::factorize(double softness, bool own_sizes) {
  independence_ = 1;
  weakest_ = 0;
  if (own_sizes)
    for (const Node& n : nodes_)
      for (int r = 0; r < n.size; ++r) diagonal_[n.start + r] = values_[n.diagonal + r * (padded(n.size) + 1)];
  for (const Node& n : nodes_)
    with_size(n.size, [&](auto size) MUBODY_INLINE_LAMBDA { eliminate<size>(n, softness); });
}

template <int R> MUBODY_INLINE void BlockLdl::forward(const Node& n, double* b) const {
  const double* const A = values_.data() + n.diagonal;
  double x[R];
#pragma GCC unroll 6
  for (int r = 0; r < R; ++r) {
    double sum = b[n.start + r];
#pragma GCC unroll 6
    for (int k = 0; k < r; ++k) sum -= A[r * padded(R) + k] * x[k];
    b[n.start + r] = x[r] = sum;
  }
  for (int p = n.first; p < n.last; ++p)
    with_size(below_[p].size, [&](auto height) MUBODY_INLINE_LAMBDA {
      constexpr int H = height;
      const double* const L = values_.data() + below_[p].offset;
      Lanes<H> y, l;
      y.load(b + below_[p].start);
#pragma GCC unroll 6
      for (int k = 0; k < R; ++k) {
        l.load(L + k * padded(H));
        y.subtract(x[k], l);
      }
      y.store(b + below_[p].start);
    });
}

template <int R> MUBODY_INLINE void BlockLdl::backward(const Node& n, double* b) const {
  const double* const A = values_.data() + n.diagonal;
  double x[R];
#pragma GCC unroll 6
  for (int r = 0; r < R; ++r) x[r] = b[n.start + r] * inverse_[n.start + r];
  for (int p = n.first; p < n.last; ++p) {
    const int stride = padded(below_[p].size);
    const double* L = values_.data() + below_[p].offset;
    const double* y = b + below_[p].start;
    for (int r = 0; r < below_[p].size; ++r, ++L) {
      const double f = y[r];
#pragma GCC unroll 6
      for (int k = 0; k < R; ++k) x[k] -= L[k * stride] * f;
    }
  }
#pragma GCC unroll 6
  for (int r = R - 1; r >= 0; --r) {
#pragma GCC unroll 6
    for (int k = 0; k < r; ++k) x[k] -= A[r * padded(R) + k] * x[r];
    b[n.start + r] = x[r];
  }
}

MUBODY_CLONES void BlockLdl::solve(double* b) const {
  for (const Node& n : nodes_) with_size(n.size, [&](auto size) MUBODY_INLINE_LAMBDA { forward<size>(n, b); });
  for (auto n = nodes_.rbegin(); n != nodes_.rend(); ++n)
    with_size(n->size, [&](auto size) MUBODY_INLINE_LAMBDA { backward<size>(*n, b); });
}
}  // namespace mubody
