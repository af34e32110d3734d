#include "mubody/integrators/block_lu.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace mubody {
namespace {
constexpr double nothing_left = 1e-13;  // of the largest number that a row had

// Which blocks there are, by row and by column, without the diagonal.
struct Pattern {
  std::vector<std::set<int>> right, below;

  Pattern(std::size_t n, const std::vector<std::pair<int, int>>& blocks) : right(n), below(n) {
    for (const auto& [i, j] : blocks)
      if (i != j) add(i, j);
  }
  void add(int i, int j) { right[std::size_t(i)].insert(j), below[std::size_t(j)].insert(i); }
  /// Leaves those of a group that come later, and adds what its elimination fills.
  void eliminate(int p) {
    for (const int i : below[std::size_t(p)]) right[std::size_t(i)].erase(p);
    for (const int j : right[std::size_t(p)]) below[std::size_t(j)].erase(p);
    for (const int i : below[std::size_t(p)])
      for (const int j : right[std::size_t(p)])
        if (i != j) add(i, j);
  }
};

// A group can be eliminated once those have been that it waits for.
std::vector<int> order_of(Pattern& pattern, const std::vector<int>& sizes, const std::vector<bool>& empty) {
  const std::size_t n = sizes.size();
  std::vector<std::set<int>> waits(n), waited_for(n);
  for (std::size_t g = 0; g < n; ++g)
    if (empty[g])
      for (const auto* side : {&pattern.right[g], &pattern.below[g]})
        for (const int k : *side)
          if (!empty[std::size_t(k)]) waits[g].insert(k), waited_for[std::size_t(k)].insert(int(g));
  const auto total = [&](const std::set<int>& groups) {
    long sum = 0;
    for (const int k : groups) sum += sizes[std::size_t(k)];
    return sum;
  };
  std::set<std::pair<long, int>> ready;  // with the work of their elimination
  std::vector<long> work(n, -1);         // of those that are ready
  const auto look_at = [&](int g) {
    const auto k = std::size_t(g);
    if (work[k] >= 0) ready.erase({work[k], g});
    if (!waits[k].empty()) return;
    work[k] = total(pattern.right[k]) * total(pattern.below[k]);
    ready.insert({work[k], g});
  };
  for (std::size_t g = 0; g < n; ++g) look_at(int(g));
  std::vector<int> order;
  while (order.size() < n) {
    const int best = ready.begin()->second;
    ready.erase(ready.begin());
    order.push_back(best);
    pattern.eliminate(best);
    std::set<int> near = waited_for[std::size_t(best)];
    for (const int g : near) waits[std::size_t(g)].erase(best);
    near.insert(pattern.right[std::size_t(best)].begin(), pattern.right[std::size_t(best)].end());
    near.insert(pattern.below[std::size_t(best)].begin(), pattern.below[std::size_t(best)].end());
    for (const int g : near) look_at(g);
  }
  return order;
}

// c −= a b.  The product of the standard library looks after numbers that are not finite, which takes longer.
void take_away(double& c, double a, double b) { c -= a * b; }
void take_away(Complex& c, const Complex& a, const Complex& b) {
  c = {c.real() - a.real() * b.real() + a.imag() * b.imag(),
       c.imag() - a.real() * b.imag() - a.imag() * b.real()};
}

// C −= A B, all of them column by column.
template <class T> void subtract_product(const T* A, const T* B, T* C, int rows, int inner, int columns) {
  for (int c = 0; c < columns; ++c)
    for (int k = 0; k < inner; ++k) {
      const T b = B[c * inner + k];
      if (b == 0.0) continue;
      for (int r = 0; r < rows; ++r) take_away(C[c * rows + r], A[k * rows + r], b);
    }
}
}  // namespace

BlockStructure::BlockStructure(const std::vector<int>& sizes, const std::vector<std::pair<int, int>>& blocks,
                               const std::vector<bool>& empty)
    : groups(sizes.size()), rank(sizes.size()) {
  Pattern pattern(sizes.size(), blocks);
  order = order_of(pattern, sizes, empty);
  const auto take = [&](int count) { return std::exchange(numbers, numbers + count); };
  for (std::size_t k = 0; k < order.size(); ++k) rank[std::size_t(order[k])] = int(k);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    groups[g].size = sizes[g];
    groups[g].first = std::exchange(unknowns, unknowns + sizes[g]);
    groups[g].diagonal = take(sizes[g] * sizes[g]);
    for (const int j : pattern.right[g]) groups[g].right.push_back({j, take(sizes[g] * sizes[std::size_t(j)])});
    for (const int i : pattern.below[g]) groups[g].below.push_back({i, take(sizes[g] * sizes[std::size_t(i)])});
  }
  for (Group& g : groups)
    for (const Block& i : g.below)
      for (const Block& j : g.right) g.changed.push_back(block(i.group, j.group));
}

int BlockStructure::block(int row, int column) const {
  if (row == column) return groups[std::size_t(row)].diagonal;
  const bool right = rank[std::size_t(row)] < rank[std::size_t(column)];
  const Group& g = groups[std::size_t(right ? row : column)];
  for (const Block& b : right ? g.right : g.below)
    if (b.group == (right ? column : row)) return b.at;
  return -1;
}

int BlockStructure::place(int group, int row, int of_group, int column) const {
  return block(group, of_group) + column * groups[std::size_t(group)].size + row;
}

template <class T>
BlockLu<T>::BlockLu(std::shared_ptr<const BlockStructure> structure)
    : structure_(std::move(structure)), numbers_(std::size_t(structure_->numbers)),
      size_of_row_(std::size_t(structure_->unknowns)), swaps_(std::size_t(structure_->unknowns)) {}

template <class T> void BlockLu<T>::measure_rows(const Group& g) {
  double* const size = size_of_row_.data() + g.first;
  std::fill_n(size, g.size, 0.0);
  const auto look = [&](int at, int columns) {
    for (int c = 0; c < columns; ++c)
      for (int r = 0; r < g.size; ++r)
        size[r] = std::max(size[r], std::abs(numbers_[std::size_t(at + c * g.size + r)]));
  };
  look(g.diagonal, g.size);
  for (const Block& j : g.right) look(j.at, group(j.group).size);
}

// In place; the pivot is the largest number of a column beside those of its row.
template <class T> bool BlockLu<T>::factor_diagonal(const Group& g) {
  const int n = g.size;
  T* const A = numbers_.data() + g.diagonal;
  double* const size = size_of_row_.data() + g.first;
  for (int k = 0; k < n; ++k) {
    T* const column = A + k * n;
    int best = k;
    for (int r = k + 1; r < n; ++r)
      if (std::abs(column[r]) * size[best] > std::abs(column[best]) * size[r]) best = r;
    swaps_[std::size_t(g.first + k)] = best;
    if (best != k) {
      for (int c = 0; c < n; ++c) std::swap(A[c * n + best], A[c * n + k]);
      std::swap(size[best], size[k]);
    }
    if (!(std::abs(column[k]) > nothing_left * size[k])) return false;
    const T inverse = 1.0 / column[k];
    for (int r = k + 1; r < n; ++r) column[r] *= inverse;
    for (int c = k + 1; c < n; ++c)
      if (const T u = A[c * n + k]; u != 0.0)
        for (int r = k + 1; r < n; ++r) take_away(A[c * n + r], column[r], u);
  }
  return true;
}

template <class T> void BlockLu<T>::solve_diagonal(const Group& g, T* x, int columns) const {
  const int n = g.size;
  const T* const A = numbers_.data() + g.diagonal;
  for (int c = 0; c < columns; ++c, x += n) {
    for (int k = 0; k < n; ++k) std::swap(x[k], x[swaps_[std::size_t(g.first + k)]]);
    for (int k = 0; k < n; ++k)
      if (x[k] != 0.0)
        for (int r = k + 1; r < n; ++r) take_away(x[r], A[k * n + r], x[k]);
    for (int k = n - 1; k >= 0; --k) {
      x[k] /= A[k * n + k];
      if (x[k] != 0.0)
        for (int r = 0; r < k; ++r) take_away(x[r], A[k * n + r], x[k]);
    }
  }
}

template <class T> bool BlockLu<T>::factor() {
  T* const a = numbers_.data();
  for (const int p : structure_->order) {
    const Group& g = group(p);
    measure_rows(g);
    if (!factor_diagonal(g)) return false;
    for (const Block& j : g.right) solve_diagonal(g, a + j.at, group(j.group).size);
    auto to = g.changed.begin();
    for (const Block& i : g.below)
      for (const Block& j : g.right)
        subtract_product(a + i.at, a + j.at, a + *to++, group(i.group).size, g.size, group(j.group).size);
  }
  return true;
}

template <class T> void BlockLu<T>::solve(T* x) const {
  const T* const a = numbers_.data();
  for (const int p : structure_->order) {
    const Group& g = group(p);
    solve_diagonal(g, x + g.first, 1);
    for (const Block& i : g.below) {
      const Group& other = group(i.group);
      subtract_product(a + i.at, x + g.first, x + other.first, other.size, g.size, 1);
    }
  }
  for (auto p = structure_->order.rbegin(); p != structure_->order.rend(); ++p) {
    const Group& g = group(*p);
    for (const Block& j : g.right) {
      const Group& other = group(j.group);
      subtract_product(a + j.at, x + other.first, x + g.first, g.size, other.size, 1);
    }
  }
}

template class BlockLu<double>;
template class BlockLu<Complex>;
}  // namespace mubody
