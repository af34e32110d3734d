#include "mubody/code/columns_together.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <unordered_map>

#include "mubody/recording/routine.h"

namespace mubody {
namespace {
// Sets of columns, in order, by number; 0 is the empty one.  Few of them differ, since bodies move together, so that each is kept
// once, and so is what two of them make together.
class ColumnSets {
 public:
  int one(int column) { return number_of({column}); }
  int together(int a, int b) {
    if (a == b || b == 0) return a;
    if (a == 0) return b;
    const auto [at, is_new] = joined_.try_emplace((std::uint64_t(a) << 32) | std::uint64_t(b), 0);
    if (!is_new) return at->second;
    std::vector<int> both;
    std::ranges::set_union(sets_[std::size_t(a)], sets_[std::size_t(b)], std::back_inserter(both));
    return at->second = number_of(std::move(both));
  }
  const std::vector<int>& operator[](int set) const { return sets_[std::size_t(set)]; }

 private:
  int number_of(std::vector<int> set) {
    const auto [at, is_new] = numbers_.try_emplace(std::move(set), int(sets_.size()));
    if (is_new) sets_.push_back(at->first);
    return at->second;
  }
  std::vector<std::vector<int>> sets_{{}};
  std::map<std::vector<int>, int> numbers_;
  std::unordered_map<std::uint64_t, int> joined_;
};

// The columns that each node depends on.
std::vector<int> dependences(const Computation& g, const std::vector<int>& of, const std::vector<int>& by,
                             ColumnSets& sets) {
  std::vector<int> on(g.nodes().size(), 0);
  for (std::size_t k = 0; k < by.size(); ++k) on[std::size_t(by[k])] = sets.one(int(k));
  for (const int node : needed(g, of)) {
    if (is_given(g[node])) continue;
    int& own = on[std::size_t(node)];
    for (const int a : arguments_of(g[node])) own = sets.together(own, on[std::size_t(a)]);
  }
  return on;
}
}  // namespace

// Each column takes the first set in which it meets nobody.
ColumnsTogether::ColumnsTogether(const Computation& g, const std::vector<int>& of, const std::vector<int>& by)
    : set(by.size(), -1) {
  ColumnSets columns;
  const std::vector<int> on = dependences(g, of, by, columns);
  std::vector<std::vector<int>> rows_of(by.size());
  for (std::size_t r = 0; r < of.size(); ++r)
    for (const int c : columns[on[std::size_t(of[r])]]) {
      entries.push_back({int(r), c});
      rows_of[std::size_t(c)].push_back(int(r));
    }
  std::vector<std::vector<bool>> taken;  // by set: rows
  for (std::size_t c = 0; c < by.size(); ++c) {
    std::size_t s = 0;
    const auto meets = [&](std::size_t k) {
      return std::ranges::any_of(rows_of[c], [&](int r) { return taken[k][std::size_t(r)]; });
    };
    while (s < taken.size() && meets(s)) ++s;
    if (s == taken.size()) taken.emplace_back(of.size(), false);
    for (const int r : rows_of[c]) taken[s][std::size_t(r)] = true;
    set[c] = int(s);
  }
  sets = int(taken.size());
}
}  // namespace mubody
