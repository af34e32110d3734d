#include "mubody/precompute/plan/decouple.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace mubody {
namespace {
// Entries below this, relative to the largest of a row or a loop, count as zero.
constexpr double nothing = 1e-9;

struct Equation {
  int loop;
  std::vector<int> variables;  // all that occur in it
};

// Gauss-Jordan elimination in the rows of one loop.  Joints with many variables come first, so that the rows
// that are left contain only the others; independent variables come last.
std::vector<Equation> sparse_rows(MatX rows, int loop, const std::vector<int>& order) {
  Eigen::Index rank = 0;
  const double whole = rows.size() > 0 ? rows.cwiseAbs().maxCoeff() : 0;
  for (Eigen::Index r = 0; r < rows.rows(); ++r) {
    const double size = rows.row(r).cwiseAbs().maxCoeff();
    if (size > nothing * whole)
      rows.row(r) /= size;
    else
      rows.row(r).setZero();
  }
  for (const int column : order) {
    if (rank == rows.rows()) break;
    Eigen::Index best = rank;
    for (Eigen::Index r = rank; r < rows.rows(); ++r)
      if (std::abs(rows(r, column)) > std::abs(rows(best, column))) best = r;
    if (std::abs(rows(best, column)) < nothing) continue;
    rows.row(rank).swap(rows.row(best));
    rows.row(rank) /= rows(rank, column);
    for (Eigen::Index r = 0; r < rows.rows(); ++r)
      if (r != rank) rows.row(r) -= rows(r, column) * rows.row(rank);
    ++rank;
  }
  std::vector<Equation> all;
  for (Eigen::Index r = 0; r < rank; ++r) {
    Equation e{loop, {}};
    const double size = rows.row(r).cwiseAbs().maxCoeff();
    for (Eigen::Index k = 0; k < rows.cols(); ++k)
      if (std::abs(rows(r, k)) > nothing * size) e.variables.push_back(int(k));
    all.push_back(std::move(e));
  }
  return all;
}

/// Gives each dependent variable an equation of its own, if there is one, by augmenting paths (Kuhn 1955).
class Matching {
 public:
  Matching(const std::vector<Equation>& equations, int variables)
      : equations_(equations), of_(std::size_t(variables), -1) {}

  void match(const std::vector<bool>& dependent) {
    // Equations with few variables have little choice, so they come first.
    std::vector<std::size_t> order(equations_.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    std::ranges::stable_sort(order, {}, [&](std::size_t k) { return equations_[k].variables.size(); });
    for (const std::size_t e : order) {
      std::vector<bool> seen(of_.size(), false);
      augment(int(e), dependent, seen);
    }
  }
  int equation_of(int variable) const { return of_[std::size_t(variable)]; }

 private:
  bool augment(int e, const std::vector<bool>& dependent, std::vector<bool>& seen) {
    for (const int v : equations_[std::size_t(e)].variables) {
      if (!dependent[std::size_t(v)] || seen[std::size_t(v)]) continue;
      seen[std::size_t(v)] = true;
      if (of_[std::size_t(v)] < 0 || augment(of_[std::size_t(v)], dependent, seen)) {
        of_[std::size_t(v)] = e;
        return true;
      }
    }
    return false;
  }
  const std::vector<Equation>& equations_;
  std::vector<int> of_;  // equation of each variable
};

/// Strongly connected components, each after those that it starts from (Tarjan 1972).
class Components {
 public:
  explicit Components(std::vector<std::vector<int>> from) : from_(std::move(from)) {
    number_.assign(from_.size(), -1);
    low_ = number_;
    on_.assign(from_.size(), false);
  }
  void visit(int v) {
    const auto at = std::size_t(v);
    number_[at] = low_[at] = next_++;
    stack_.push_back(v);
    on_[at] = true;
    for (const int w : from_[at]) {
      if (number_[std::size_t(w)] < 0) {
        visit(w);
        low_[at] = std::min(low_[at], low_[std::size_t(w)]);
      } else if (on_[std::size_t(w)]) {
        low_[at] = std::min(low_[at], number_[std::size_t(w)]);
      }
    }
    if (low_[at] != number_[at]) return;
    std::vector<int> one;
    for (int w = -1; w != v;) {
      w = stack_.back();
      stack_.pop_back();
      on_[std::size_t(w)] = false;
      one.push_back(w);
    }
    std::ranges::sort(one);
    all.push_back(std::move(one));
  }
  bool seen(int v) const { return number_[std::size_t(v)] >= 0; }

  std::vector<std::vector<int>> all;

 private:
  std::vector<std::vector<int>> from_;
  std::vector<int> number_, low_, stack_;
  std::vector<bool> on_;
  int next_ = 0;
};
}  // namespace

std::vector<LoopBlock> decouple(const MatX& J, const std::vector<int>& loop_of_row,
                                const std::vector<int>& joint_of, const std::vector<int>& independent) {
  const int n = int(J.cols());
  std::vector<bool> dependent(std::size_t(n), true);
  for (const int k : independent) dependent[std::size_t(k)] = false;
  std::map<int, int> size_of;
  for (const int joint : joint_of) ++size_of[joint];
  std::vector<int> order(static_cast<std::size_t>(n));
  for (int k = 0; k < n; ++k) order[std::size_t(k)] = k;
  std::ranges::stable_sort(order, [&](int a, int b) {
    if (dependent[std::size_t(a)] != dependent[std::size_t(b)]) return bool(dependent[std::size_t(a)]);
    return size_of[joint_of[std::size_t(a)]] > size_of[joint_of[std::size_t(b)]];
  });

  std::vector<Equation> equations;
  const int loops = loop_of_row.empty() ? 0 : *std::ranges::max_element(loop_of_row) + 1;
  for (int loop = 0; loop < loops; ++loop) {
    std::vector<Eigen::Index> own;
    for (std::size_t r = 0; r < loop_of_row.size(); ++r)
      if (loop_of_row[r] == loop) own.push_back(Eigen::Index(r));
    MatX rows(Eigen::Index(own.size()), n);
    for (std::size_t r = 0; r < own.size(); ++r) rows.row(Eigen::Index(r)) = J.row(own[r]);
    for (Equation& e : sparse_rows(std::move(rows), loop, order)) equations.push_back(std::move(e));
  }
  Matching matching(equations, n);
  matching.match(dependent);

  std::vector<std::vector<int>> from(static_cast<std::size_t>(n));
  for (int v = 0; v < n; ++v) {
    if (!dependent[std::size_t(v)] || matching.equation_of(v) < 0) continue;
    for (const int w : equations[std::size_t(matching.equation_of(v))].variables)
      if (w != v) from[std::size_t(v)].push_back(w);
  }
  Components components(from);
  for (int v = 0; v < n; ++v)
    if (dependent[std::size_t(v)] && matching.equation_of(v) >= 0 && !components.seen(v)) components.visit(v);

  std::vector<LoopBlock> blocks;
  std::vector<std::set<int>> arguments(static_cast<std::size_t>(n));
  for (const int k : independent) arguments[std::size_t(k)] = {k};
  for (const std::vector<int>& variables : components.all) {
    if (!dependent[std::size_t(variables.front())] || matching.equation_of(variables.front()) < 0) continue;
    std::set<int> loops_used, starts, needs;
    for (const int v : variables) {
      loops_used.insert(equations[std::size_t(matching.equation_of(v))].loop);
      for (const int w : from[std::size_t(v)])
        if (!std::ranges::binary_search(variables, w)) {
          starts.insert(w);
          needs.insert(arguments[std::size_t(w)].begin(), arguments[std::size_t(w)].end());
        }
    }
    for (const int v : variables) arguments[std::size_t(v)] = needs;
    LoopBlock block{variables,
                    {loops_used.begin(), loops_used.end()},
                    {starts.begin(), starts.end()},
                    {needs.begin(), needs.end()}};
    // A loop gives several blocks together if they start from the same variables, or from each other.
    const auto same = std::ranges::find_if(blocks, [&](const LoopBlock& b) {
      return b.loops == block.loops && b.arguments == block.arguments &&
             std::ranges::all_of(block.from, [&](int v) {
               return std::ranges::binary_search(b.from, v) || std::ranges::binary_search(b.variables, v);
             });
    });
    if (same == blocks.end()) {
      blocks.push_back(std::move(block));
      continue;
    }
    same->variables.insert(same->variables.end(), variables.begin(), variables.end());
    std::ranges::sort(same->variables);
  }
  return blocks;
}
}  // namespace mubody
