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

std::vector<int> order_of(Pattern& pattern, const std::vector<int>& sizes, const std::vector<bool>& empty) {
  const std::size_t n = sizes.size();
  std::vector<std::set<int>> waits(n);
  for (std::size_t g = 0; g < n; ++g)
    if (empty[g])
      for (const auto* side : {&pattern.right[g], &pattern.below[g]})
        for (const int k : *side)
          if (!empty[std::size_t(k)]) waits[g].insert(k);
  const auto total = [&](const std::set<int>& groups) {
    long sum = 0;
    for (const int k : groups) sum += sizes[std::size_t(k)];
    return sum;
  };
  std::vector<bool> done(n, false);
  std::vector<int> order;
  while (order.size() < n) {
    int best = -1;
    long least = 0;
    for (std::size_t g = 0; g < n; ++g) {
      if (done[g] || !waits[g].empty()) continue;
      const long work = total(pattern.right[g]) * total(pattern.below[g]);
      if (best < 0 || work < least) best = int(g), least = work;
    }
    pattern.eliminate(best);
    for (std::set<int>& w : waits) w.erase(best);
    done[std::size_t(best)] = true;
    order.push_back(best);
  }
  return order;
}

// C −= A B, all of them column by column.
void subtract_product(const double* A, const double* B, double* C, int rows, int inner, int columns) {
  for (int c = 0; c < columns; ++c)
    for (int k = 0; k < inner; ++k) {
      const double b = B[c * inner + k];
      if (b == 0) continue;
      for (int r = 0; r < rows; ++r) C[c * rows + r] -= A[k * rows + r] * b;
    }
}
}  // namespace

BlockLu::BlockLu(const std::vector<int>& sizes, const std::vector<std::pair<int, int>>& blocks,
                 const std::vector<bool>& empty)
    : groups_(sizes.size()), rank_(sizes.size()) {
  Pattern pattern(sizes.size(), blocks);
  order_ = order_of(pattern, sizes, empty);
  int at = 0, unknowns = 0;
  const auto take = [&](int count) { return std::exchange(at, at + count); };
  for (std::size_t k = 0; k < order_.size(); ++k) rank_[std::size_t(order_[k])] = int(k);
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    groups_[g].size = sizes[g];
    groups_[g].first = std::exchange(unknowns, unknowns + sizes[g]);
    groups_[g].diagonal = take(sizes[g] * sizes[g]);
    for (const int j : pattern.right[g])
      groups_[g].right.push_back({j, take(sizes[g] * sizes[std::size_t(j)])});
    for (const int i : pattern.below[g])
      groups_[g].below.push_back({i, take(sizes[g] * sizes[std::size_t(i)])});
  }
  for (Group& g : groups_)
    for (const Block& i : g.below)
      for (const Block& j : g.right) g.changed.push_back(block(i.group, j.group));
  numbers_.assign(std::size_t(at), 0);
  size_of_row_.assign(std::size_t(unknowns), 0);
  swaps_.assign(std::size_t(unknowns), 0);
}

int BlockLu::block(int row, int column) const {
  if (row == column) return groups_[std::size_t(row)].diagonal;
  const bool right = rank_[std::size_t(row)] < rank_[std::size_t(column)];
  const Group& g = groups_[std::size_t(right ? row : column)];
  for (const Block& b : right ? g.right : g.below)
    if (b.group == (right ? column : row)) return b.at;
  return -1;
}

int BlockLu::place(int group, int row, int of_group, int column) const {
  return block(group, of_group) + column * groups_[std::size_t(group)].size + row;
}

void BlockLu::measure_rows(const Group& g) {
  double* const size = size_of_row_.data() + g.first;
  std::fill_n(size, g.size, 0.0);
  const auto look = [&](int at, int columns) {
    for (int c = 0; c < columns; ++c)
      for (int r = 0; r < g.size; ++r)
        size[r] = std::max(size[r], std::abs(numbers_[std::size_t(at + c * g.size + r)]));
  };
  look(g.diagonal, g.size);
  for (const Block& j : g.right) look(j.at, groups_[std::size_t(j.group)].size);
}

// In place; the pivot is the largest number of a column beside those of its row.
bool BlockLu::factor_diagonal(Group& g) {
  const int n = g.size;
  double* const A = numbers_.data() + g.diagonal;
  double* const size = size_of_row_.data() + g.first;
  for (int k = 0; k < n; ++k) {
    double* const column = A + k * n;
    int best = k;
    for (int r = k + 1; r < n; ++r)
      if (std::abs(column[r]) * size[best] > std::abs(column[best]) * size[r]) best = r;
    swaps_[std::size_t(g.first + k)] = best;
    if (best != k) {
      for (int c = 0; c < n; ++c) std::swap(A[c * n + best], A[c * n + k]);
      std::swap(size[best], size[k]);
    }
    if (!(std::abs(column[k]) > nothing_left * size[k])) return false;
    const double inverse = 1 / column[k];
    for (int r = k + 1; r < n; ++r) column[r] *= inverse;
    for (int c = k + 1; c < n; ++c)
      if (const double u = A[c * n + k]; u != 0)
        for (int r = k + 1; r < n; ++r) A[c * n + r] -= column[r] * u;
  }
  return true;
}

void BlockLu::solve_diagonal(const Group& g, double* x, int columns) const {
  const int n = g.size;
  const double* const A = numbers_.data() + g.diagonal;
  for (int c = 0; c < columns; ++c, x += n) {
    for (int k = 0; k < n; ++k) std::swap(x[k], x[swaps_[std::size_t(g.first + k)]]);
    for (int k = 0; k < n; ++k)
      if (x[k] != 0)
        for (int r = k + 1; r < n; ++r) x[r] -= A[k * n + r] * x[k];
    for (int k = n - 1; k >= 0; --k) {
      x[k] /= A[k * n + k];
      if (x[k] != 0)
        for (int r = 0; r < k; ++r) x[r] -= A[k * n + r] * x[k];
    }
  }
}

bool BlockLu::factor() {
  double* const a = numbers_.data();
  for (const int p : order_) {
    Group& g = groups_[std::size_t(p)];
    measure_rows(g);
    if (!factor_diagonal(g)) return false;
    for (const Block& j : g.right) solve_diagonal(g, a + j.at, groups_[std::size_t(j.group)].size);
    auto to = g.changed.begin();
    for (const Block& i : g.below)
      for (const Block& j : g.right)
        subtract_product(a + i.at, a + j.at, a + *to++, groups_[std::size_t(i.group)].size, g.size,
                         groups_[std::size_t(j.group)].size);
  }
  return true;
}

void BlockLu::solve(Out x) const {
  const double* const a = numbers_.data();
  for (const int p : order_) {
    const Group& g = groups_[std::size_t(p)];
    solve_diagonal(g, x.data() + g.first, 1);
    for (const Block& i : g.below) {
      const Group& other = groups_[std::size_t(i.group)];
      subtract_product(a + i.at, x.data() + g.first, x.data() + other.first, other.size, g.size, 1);
    }
  }
  for (auto p = order_.rbegin(); p != order_.rend(); ++p) {
    const Group& g = groups_[std::size_t(*p)];
    for (const Block& j : g.right) {
      const Group& other = groups_[std::size_t(j.group)];
      subtract_product(a + j.at, x.data() + other.first, x.data() + g.first, g.size, other.size, 1);
    }
  }
}
}  // namespace mubody
