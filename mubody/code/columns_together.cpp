#include "mubody/code/columns_together.h"

#include <algorithm>
#include <iterator>

#include "mubody/recording/routine.h"

namespace mubody {
namespace {
// The columns that each node depends on, in order.
std::vector<std::vector<int>> dependences(const Computation& g, const std::vector<int>& of,
                                          const std::vector<int>& by) {
  std::vector<std::vector<int>> on(g.nodes().size());
  for (std::size_t k = 0; k < by.size(); ++k) on[std::size_t(by[k])] = {int(k)};
  std::vector<int> joined;
  for (const int node : needed(g, of)) {
    if (is_given(g[node])) continue;
    std::vector<int>& own = on[std::size_t(node)];
    for (const int a : arguments_of(g[node])) {
      joined.clear();
      std::ranges::set_union(own, on[std::size_t(a)], std::back_inserter(joined));
      own = joined;
    }
  }
  return on;
}
}  // namespace

// Each column takes the first set in which it meets nobody.
ColumnsTogether::ColumnsTogether(const Computation& g, const std::vector<int>& of, const std::vector<int>& by)
    : set(by.size(), -1) {
  const std::vector<std::vector<int>> on = dependences(g, of, by);
  std::vector<std::vector<int>> rows_of(by.size());
  for (std::size_t r = 0; r < of.size(); ++r)
    for (const int c : on[std::size_t(of[r])]) {
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
