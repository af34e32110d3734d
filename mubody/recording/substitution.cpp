#include "mubody/recording/substitution.h"

#include "mubody/recording/routine.h"

namespace mubody {
std::vector<int> substituted(Computation& g, const std::vector<int>& of,
                             const std::vector<std::pair<int, int>>& replaced) {
  std::vector<int> is(g.nodes().size(), -1);
  for (const auto& [from, to] : replaced) is[std::size_t(from)] = to;
  for (const int n : needed(g, of)) {
    if (is[std::size_t(n)] >= 0) continue;
    const Node node = g[n];  // a copy: nodes move when others enter
    const auto at = [&](int k) { return k < 0 ? k : is[std::size_t(k)]; };
    bool same = true;
    for (const int a : arguments_of(node)) same = same && at(a) == a;
    if (same)
      is[std::size_t(n)] = n;
    else if (node.step == Step::index)
      is[std::size_t(n)] = g.index(at(node.a), node.b);
    else if (node.step == Step::fetch)
      is[std::size_t(n)] = g.fetch(at(node.a), node.b, node.c);
    else
      is[std::size_t(n)] = g.add(node.step, at(node.a), at(node.b), at(node.c));
  }
  std::vector<int> all;
  for (const int n : of) all.push_back(is[std::size_t(n)]);
  return all;
}
}  // namespace mubody
