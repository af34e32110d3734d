#include "mubody/math/block_ldl.h"

#include <algorithm>
#include <cassert>
#include <type_traits>

#include "mubody/math/inlining.h"

namespace mubody {
namespace {
constexpr int most_rows = 6;  // of a node: a fixed joint in space

// Calls f with the size as a compile-time number.
template <class F> MUBODY_INLINE void with_size(int size, F&& f) {
  switch (size) {
    case 1: return f(std::integral_constant<int, 1>());
    case 2: return f(std::integral_constant<int, 2>());
    case 3: return f(std::integral_constant<int, 3>());
    case 4: return f(std::integral_constant<int, 4>());
    case 5: return f(std::integral_constant<int, 5>());
    default: return f(std::integral_constant<int, 6>());
  }
}
}  // namespace

BlockLdl::BlockLdl(const std::vector<int>& sizes, std::vector<std::set<int>> near) {
  // Minimum degree, the fill recorded as it arises.
  const int count = int(sizes.size());
  std::vector<std::set<int>> fill = near;
  std::set<std::pair<std::size_t, int>> queue;  // degree, node
  for (int g = 0; g < count; ++g) queue.emplace(near[g].size(), g);
  place_.assign(count, 0);
  std::vector<int> order;
  int start = 0;
  while (!queue.empty()) {
    const int g = queue.begin()->second;
    queue.erase(queue.begin());
    place_[g] = int(order.size());
    order.push_back(g);
    nodes_.push_back({g, sizes[g], start, 0, 0, 0, 0});
    start += sizes[g];

    fill[g] = near[g];
    for (int k : near[g]) {
      queue.erase({near[k].size(), k});
      near[k].erase(g);
      for (int l : near[g])
        if (l != k) near[k].insert(l);
      queue.emplace(near[k].size(), k);
    }
  }

  // Storage: diagonal block, then the blocks below it in the order of elimination.
  int next = 0;
  find_.resize(count);
  for (Node& n : nodes_) {
    assert(n.size <= most_rows);
    n.diagonal = next;
    next += n.size * n.size;
    std::vector<int> rows;
    for (int i : fill[n.id]) rows.push_back(place_[i]);
    std::sort(rows.begin(), rows.end());
    n.first = int(below_.size());
    for (int i : rows) {
      find_[n.id].emplace_back(i, next);
      below_.push_back({nodes_[i].size, nodes_[i].start, next});
      next += nodes_[i].size * n.size;
    }
    n.last = int(below_.size());
  }
  values_.assign(next, 0);
  inverse_.assign(start, 0);
  diagonal_.assign(start, 0);

  int widest = 0;
  for (Node& n : nodes_) {
    n.update = int(updates_.size());
    int rows = 0;
    const auto pair = [&](std::size_t p, std::size_t q) {
      const int i = order[find_[n.id][q].first], j = order[find_[n.id][p].first];
      updates_.push_back(offset(i, j));
      operations_ += long(n.size) * sizes[i] * sizes[j];
    };
    const std::size_t neighbours = find_[n.id].size();
    for (std::size_t p = 0; p < neighbours; ++p) pair(p, p);
    for (std::size_t p = 0; p < neighbours; ++p)
      for (std::size_t q = p + 1; q < neighbours; ++q) pair(p, q);
    for (const auto& f : find_[n.id]) rows += sizes[order[f.first]] * n.size;
    operations_ += long(rows) * n.size;
    widest = std::max(widest, rows);
  }
  scratch_.assign(widest, 0);
}

int BlockLdl::offset(int i, int j) const {
  if (i == j) return nodes_[place_[j]].diagonal;
  const auto& list = find_[j];
  return std::lower_bound(list.begin(), list.end(), std::pair(place_[i], 0))->second;
}

void BlockLdl::clear() { std::fill(values_.begin(), values_.end(), 0.0); }

namespace {
// The factors of a node's own block, A = L Δ Lᵀ; scaled is L Δ.
template <int R> struct Factors { double L[R][R], scaled[R][R], reciprocal[R]; };

// Below a node: y = A L⁻ᵀ, row by row, and y Δ⁻¹ in its place.
template <int R, int H> MUBODY_INLINE void solve_below(const Factors<R>& f, double* block, double (&y)[H][R]) {
#pragma GCC unroll 6
  for (int r = 0; r < H; ++r) {
#pragma GCC unroll 6
    for (int c = 0; c < R; ++c) {
      double sum = block[r * R + c];
#pragma GCC unroll 6
      for (int k = 0; k < c; ++k) sum -= y[r][k] * f.L[c][k];
      y[r][c] = sum;
    }
#pragma GCC unroll 6
    for (int c = 0; c < R; ++c) block[r * R + c] = y[r][c] * f.reciprocal[c];
  }
}

// T −= l yᵀ; of a block with itself only the lower half.
template <int R, int H, int W, bool whole>
MUBODY_INLINE void update(const double* l, const double* y, double* T) {
#pragma GCC unroll 6
  for (int r = 0; r < H; ++r)
#pragma GCC unroll 6
    for (int c = 0; c < (whole ? W : r + 1); ++c) {
      double sum = T[r * W + c];
#pragma GCC unroll 6
      for (int k = 0; k < R; ++k) sum -= l[r * R + k] * y[c * R + k];
      T[r * W + c] = sum;
    }
}
}  // namespace

template <int R> MUBODY_INLINE void BlockLdl::eliminate(const Node& n) {
  double* const A = values_.data() + n.diagonal;
  double* const inverse = inverse_.data() + n.start;
  const double* const full = diagonal_.data() + n.start;
  Factors<R> f;
  double independence = independence_;
#pragma GCC unroll 6
  for (int c = 0; c < R; ++c) {
#pragma GCC unroll 6
    for (int r = c; r < R; ++r) {
      double sum = A[r * R + c];
#pragma GCC unroll 6
      for (int k = 0; k < c; ++k) sum -= f.L[r][k] * f.scaled[c][k];
      f.scaled[r][c] = sum;
    }
    const double pivot = f.scaled[c][c];
    if (!(pivot >= independence * full[c])) independence = full[c] > 0 ? pivot / full[c] : 0, weakest_ = n.id;
    inverse[c] = f.reciprocal[c] = pivot > 0 ? 1 / pivot : 0;
#pragma GCC unroll 6
    for (int r = c + 1; r < R; ++r) A[r * R + c] = f.L[r][c] = f.scaled[r][c] * f.reciprocal[c];
  }
  independence_ = independence;

  double* Y = scratch_.data();  // of every block below
  for (int p = n.first; p < n.last; ++p)
    with_size(below_[p].size, [&](auto height) MUBODY_INLINE_LAMBDA {
      constexpr int H = height;
      double* const block = values_.data() + below_[p].offset;
      double y[H][R];
      solve_below<R, H>(f, block, y);
      update<R, H, H, false>(block, y[0], values_.data() + updates_[n.update + p - n.first]);
      if (n.last - n.first > 1) std::copy(y[0], y[0] + H * R, Y);
      Y += H * R;
    });

  // Pairs of neighbours: fill, or loops that meet.
  const int* target = updates_.data() + n.update + (n.last - n.first);
  const double* Yp = scratch_.data();
  for (int p = n.first; p < n.last; Yp += below_[p].size * R, ++p)
    for (int q = p + 1; q < n.last; ++q)
      with_size(below_[p].size, [&](auto width) MUBODY_INLINE_LAMBDA {
        constexpr int W = width;
        double* T = values_.data() + *target++;
        const double* Lq = values_.data() + below_[q].offset;
        for (int r = 0; r < below_[q].size; ++r, Lq += R, T += W) update<R, 1, W, true>(Lq, Yp, T);
      });
}

MUBODY_CLONES void BlockLdl::factorize(double softness) {
  independence_ = 1;
  weakest_ = 0;
  for (const Node& n : nodes_)
    for (int r = 0; r < n.size; ++r) {
      double& d = values_[n.diagonal + r * (n.size + 1)];
      diagonal_[n.start + r] = d;
      d *= 1 + softness;
    }
  for (const Node& n : nodes_) with_size(n.size, [&](auto size) MUBODY_INLINE_LAMBDA { eliminate<size>(n); });
}

template <int R> MUBODY_INLINE void BlockLdl::forward(const Node& n, double* b) const {
  const double* const A = values_.data() + n.diagonal;
  double x[R];
#pragma GCC unroll 6
  for (int r = 0; r < R; ++r) {
    double sum = b[n.start + r];
#pragma GCC unroll 6
    for (int k = 0; k < r; ++k) sum -= A[r * R + k] * x[k];
    b[n.start + r] = x[r] = sum;
  }
  for (int p = n.first; p < n.last; ++p) {
    const double* L = values_.data() + below_[p].offset;
    double* y = b + below_[p].start;
    for (int r = 0; r < below_[p].size; ++r, L += R) {
      double sum = y[r];
#pragma GCC unroll 6
      for (int k = 0; k < R; ++k) sum -= L[k] * x[k];
      y[r] = sum;
    }
  }
}

template <int R> MUBODY_INLINE void BlockLdl::backward(const Node& n, double* b) const {
  const double* const A = values_.data() + n.diagonal;
  double x[R];
#pragma GCC unroll 6
  for (int r = 0; r < R; ++r) x[r] = b[n.start + r] * inverse_[n.start + r];
  for (int p = n.first; p < n.last; ++p) {
    const double* L = values_.data() + below_[p].offset;
    const double* y = b + below_[p].start;
    for (int r = 0; r < below_[p].size; ++r, L += R) {
      const double f = y[r];
#pragma GCC unroll 6
      for (int k = 0; k < R; ++k) x[k] -= L[k] * f;
    }
  }
#pragma GCC unroll 6
  for (int r = R - 1; r >= 0; --r) {
#pragma GCC unroll 6
    for (int k = 0; k < r; ++k) x[k] -= A[r * R + k] * x[r];
    b[n.start + r] = x[r];
  }
}

MUBODY_CLONES void BlockLdl::solve(double* b) const {
  for (const Node& n : nodes_) with_size(n.size, [&](auto size) MUBODY_INLINE_LAMBDA { forward<size>(n, b); });
  for (auto n = nodes_.rbegin(); n != nodes_.rend(); ++n)
    with_size(n->size, [&](auto size) MUBODY_INLINE_LAMBDA { backward<size>(*n, b); });
}
}  // namespace mubody
