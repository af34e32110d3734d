#include "mubody/math/block_ldl.h"

#include <algorithm>
#include <cassert>
#include <type_traits>

namespace mubody {
namespace {
constexpr int most_rows = 6;  // of a node: a fixed joint in space

// The inverse of a small symmetric positive matrix, in place; tells each pivot to `pivot(row, value)`.
template <int R, class Pivot> void invert(const double* A, double* B, Pivot&& pivot) {
  const auto reciprocal = [](double x) { return x > 0 ? 1 / x : 0; };
  if constexpr (R == 1) {
    pivot(0, A[0]);
    B[0] = reciprocal(A[0]);
  } else if constexpr (R == 2) {
    const double determinant = A[0] * A[3] - A[1] * A[2], inverse = reciprocal(determinant);
    pivot(0, A[0]);
    pivot(1, A[0] > 0 ? determinant / A[0] : 0);
    B[0] = A[3] * inverse;
    B[1] = B[2] = -A[1] * inverse;
    B[3] = A[0] * inverse;
  } else {
    // Gauss-Jordan without exchange: each row in turn changes places with its column.
    double W[R][R];
    for (int r = 0; r < R; ++r)
      for (int c = 0; c < R; ++c) W[r][c] = A[r * R + c];
    for (int k = 0; k < R; ++k) {
      pivot(k, W[k][k]);
      const double inverse = reciprocal(W[k][k]);
      double row[R];
      for (int c = 0; c < R; ++c) row[c] = W[k][c] * inverse;
      row[k] = inverse;
      for (int r = 0; r < R; ++r) {
        const double f = W[r][k];
        W[r][k] = 0;
        for (int c = 0; c < R; ++c) W[r][c] -= f * row[c];
      }
      for (int c = 0; c < R; ++c) W[k][c] = row[c];
    }
    for (int r = 0; r < R; ++r)
      for (int c = 0; c < R; ++c) B[r * R + c] = W[r][c];
  }
}

// Calls f with the size as a compile-time number.
template <class F> void with_size(int size, F&& f) {
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
  int start = 0, inverse = 0;
  while (!queue.empty()) {
    const int g = queue.begin()->second;
    queue.erase(queue.begin());
    place_[g] = int(order.size());
    order.push_back(g);
    nodes_.push_back({g, sizes[g], start, 0, inverse, 0, 0, 0});
    start += sizes[g];
    inverse += sizes[g] * sizes[g];
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
  inverse_.assign(inverse, 0);
  diagonal_.assign(start, 0);

  int widest = 0;
  for (Node& n : nodes_) {
    n.update = int(updates_.size());
    int rows = 0;
    for (std::size_t p = 0; p < find_[n.id].size(); ++p)
      for (std::size_t q = p; q < find_[n.id].size(); ++q) {
        updates_.push_back(offset(order[find_[n.id][q].first], order[find_[n.id][p].first]));
        operations_ += long(n.size) * sizes[order[find_[n.id][q].first]] * sizes[order[find_[n.id][p].first]];
      }
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

template <int R> void BlockLdl::eliminate(const Node& n) {
  double* const B = inverse_.data() + n.inverse;
  const double* const full = diagonal_.data() + n.start;
  invert<R>(values_.data() + n.diagonal, B, [&](int r, double pivot) {
    if (!(pivot >= independence_ * full[r])) independence_ = full[r] > 0 ? pivot / full[r] : 0, weakest_ = n.id;
  });

  // L = A Δ⁻¹ for every block below, kept aside while A is needed.
  double* L = scratch_.data();
  for (int p = n.first; p < n.last; ++p) {
    const double* A = values_.data() + below_[p].offset;
    for (int r = 0; r < below_[p].size; ++r, A += R, L += R) {
      double sum[R] = {};
      for (int k = 0; k < R; ++k)
        for (int c = 0; c < R; ++c) sum[c] += A[k] * B[k * R + c];
      for (int c = 0; c < R; ++c) L[c] = sum[c];
    }
  }
  const int* target = updates_.data() + n.update;
  const double* Lp = scratch_.data();
  for (int p = n.first; p < n.last; ++p) {
    const double* const Ap = values_.data() + below_[p].offset;
    const double* Lq = Lp;
    with_size(below_[p].size, [&](auto width) {
      constexpr int W = width;
      double turned[R][W];  // Apᵀ, so that rows are read in order
      for (int c = 0; c < W; ++c)
        for (int k = 0; k < R; ++k) turned[k][c] = Ap[c * R + k];
      for (int q = p; q < n.last; ++q) {
        double* T = values_.data() + *target++;
        for (int r = 0; r < below_[q].size; ++r, Lq += R, T += W)
          for (int k = 0; k < R; ++k)
            for (int c = 0; c < W; ++c) T[c] -= Lq[k] * turned[k][c];
      }
      Lp += W * R;
    });
  }
  if (n.last > n.first)
    std::copy(static_cast<const double*>(scratch_.data()), Lp,
              values_.data() + below_[n.first].offset);  // they lie one after another
}

void BlockLdl::factorize(double softness) {
  independence_ = 1;
  weakest_ = 0;
  for (const Node& n : nodes_)
    for (int r = 0; r < n.size; ++r) {
      double& d = values_[n.diagonal + r * (n.size + 1)];
      diagonal_[n.start + r] = d;
      d *= 1 + softness;
    }
  for (const Node& n : nodes_) with_size(n.size, [&](auto size) { eliminate<size>(n); });
}

template <int R> void BlockLdl::forward(const Node& n, double* b) const {
  const double* const x = b + n.start;
  for (int p = n.first; p < n.last; ++p) {
    const double* L = values_.data() + below_[p].offset;
    double* y = b + below_[p].start;
    for (int r = 0; r < below_[p].size; ++r, L += R) {
      double sum = 0;
      for (int k = 0; k < R; ++k) sum += L[k] * x[k];
      y[r] -= sum;
    }
  }
}

template <int R> void BlockLdl::backward(const Node& n, double* b) const {
  const double* const B = inverse_.data() + n.inverse;
  double x[R] = {};
  for (int k = 0; k < R; ++k)
    for (int r = 0; r < R; ++r) x[r] += B[k * R + r] * b[n.start + k];
  for (int p = n.first; p < n.last; ++p) {
    const double* L = values_.data() + below_[p].offset;
    const double* y = b + below_[p].start;
    for (int r = 0; r < below_[p].size; ++r, L += R)
      for (int k = 0; k < R; ++k) x[k] -= L[k] * y[r];
  }
  for (int r = 0; r < R; ++r) b[n.start + r] = x[r];
}

void BlockLdl::solve(double* b) const {
  for (const Node& n : nodes_) with_size(n.size, [&](auto size) { forward<size>(n, b); });
  for (auto n = nodes_.rbegin(); n != nodes_.rend(); ++n)
    with_size(n->size, [&](auto size) { backward<size>(*n, b); });
}
}  // namespace mubody
