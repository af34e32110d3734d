#include "mubody/math/block_ldl.h"

#include <algorithm>
#include <cassert>

namespace mubody {
namespace {
constexpr int most_rows = 6;  // of a node: a fixed joint in space

// The inverse of a small symmetric positive matrix; tells each pivot to `pivot(row, value)`.
template <int R, class Pivot> void invert(const double* A, double* B, int rows, Pivot&& pivot) {
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
    // Gauss-Jordan without exchange, on a copy.
    double W[most_rows * most_rows];
    std::copy(A, A + rows * rows, W);
    std::fill(B, B + rows * rows, 0.0);
    for (int k = 0; k < rows; ++k) B[k * rows + k] = 1;
    for (int k = 0; k < rows; ++k) {
      pivot(k, W[k * rows + k]);
      const double inverse = reciprocal(W[k * rows + k]);
      for (int c = 0; c < rows; ++c) W[k * rows + c] *= inverse, B[k * rows + c] *= inverse;
      for (int r = 0; r < rows; ++r) {
        if (r == k) continue;
        const double f = W[r * rows + k];
        for (int c = 0; c < rows; ++c)
          W[r * rows + c] -= f * W[k * rows + c], B[r * rows + c] -= f * B[k * rows + c];
      }
    }
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

// R > 0 is the size of the node, known when compiled.
template <int R> void BlockLdl::eliminate(const Node& n) {
  const int rows = R > 0 ? R : n.size;
  double* const B = inverse_.data() + n.inverse;
  const double* const full = diagonal_.data() + n.start;
  invert<R>(values_.data() + n.diagonal, B, rows, [&](int r, double pivot) {
    if (!(pivot >= independence_ * full[r])) independence_ = full[r] > 0 ? pivot / full[r] : 0, weakest_ = n.id;
  });

  // L = A Δ⁻¹ for every block below, kept aside while A is needed.
  double* L = scratch_.data();
  for (int p = n.first; p < n.last; ++p) {
    const double* A = values_.data() + below_[p].offset;
    for (int r = 0; r < below_[p].size; ++r, A += rows, L += rows)
      for (int c = 0; c < rows; ++c) {
        double sum = 0;
        for (int k = 0; k < rows; ++k) sum += A[k] * B[k * rows + c];
        L[c] = sum;
      }
  }
  const int* target = updates_.data() + n.update;
  const double* Lp = scratch_.data();
  for (int p = n.first; p < n.last; ++p) {
    const double* const Ap = values_.data() + below_[p].offset;
    const int width = below_[p].size;
    const double* Lq = Lp;
    for (int q = p; q < n.last; ++q) {
      double* T = values_.data() + *target++;
      for (int r = 0; r < below_[q].size; ++r, Lq += rows, T += width)
        for (int c = 0; c < width; ++c) {
          double sum = 0;
          for (int k = 0; k < rows; ++k) sum += Lq[k] * Ap[c * rows + k];
          T[c] -= sum;
        }
    }
    Lp += width * rows;
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
  for (const Node& n : nodes_) switch (n.size) {
      case 1: eliminate<1>(n); break;
      case 2: eliminate<2>(n); break;
      case 3: eliminate<3>(n); break;
      default: eliminate<0>(n);
    }
}

template <int R> void BlockLdl::forward(const Node& n, double* b) const {
  const int rows = R > 0 ? R : n.size;
  const double* const x = b + n.start;
  for (int p = n.first; p < n.last; ++p) {
    const double* L = values_.data() + below_[p].offset;
    double* y = b + below_[p].start;
    for (int r = 0; r < below_[p].size; ++r, L += rows)
      for (int k = 0; k < rows; ++k) y[r] -= L[k] * x[k];
  }
}

template <int R> void BlockLdl::backward(const Node& n, double* b) const {
  const int rows = R > 0 ? R : n.size;
  const double* const B = inverse_.data() + n.inverse;
  double x[most_rows];
  for (int r = 0; r < rows; ++r) {
    x[r] = 0;
    for (int k = 0; k < rows; ++k) x[r] += B[r * rows + k] * b[n.start + k];
  }
  for (int p = n.first; p < n.last; ++p) {
    const double* L = values_.data() + below_[p].offset;
    const double* y = b + below_[p].start;
    for (int r = 0; r < below_[p].size; ++r, L += rows)
      for (int k = 0; k < rows; ++k) x[k] -= L[k] * y[r];
  }
  for (int r = 0; r < rows; ++r) b[n.start + r] = x[r];
}

void BlockLdl::solve(double* b) const {
  for (const Node& n : nodes_) switch (n.size) {
      case 1: forward<1>(n, b); break;
      case 2: forward<2>(n, b); break;
      case 3: forward<3>(n, b); break;
      default: forward<0>(n, b);
    }
  for (auto n = nodes_.rbegin(); n != nodes_.rend(); ++n) switch (n->size) {
      case 1: backward<1>(*n, b); break;
      case 2: backward<2>(*n, b); break;
      case 3: backward<3>(*n, b); break;
      default: backward<0>(*n, b);
    }
}
}  // namespace mubody
