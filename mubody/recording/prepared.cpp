#include "mubody/recording/prepared.h"

#include <cmath>
#include <map>

#include "mubody/recording/routine.h"

namespace mubody {
namespace {
double value_of(const Computation& g, const Node& n, const std::vector<double>& values) {
  const auto at = [&](int k) { return k < 0 ? 0 : values[std::size_t(k)]; };
  switch (n.step) {
    case Step::constant: return n.value;
    case Step::parameter: return g.parameters()[std::size_t(n.a)];
    case Step::index: return piece_of(g.tables()[std::size_t(n.b)], at(n.a));
    case Step::fetch: {
      const NumberTable& table = g.tables()[std::size_t(n.b)];
      return table.numbers[std::size_t(int(at(n.a)) * table.columns + n.c)];
    }
    default: return apply(n.step, at(n.a), at(n.b), at(n.c));
  }
}
}  // namespace

std::vector<double> prepare(Computation& g, const std::vector<int>& outputs) {
  const std::size_t count = g.nodes().size();
  std::vector<char> fixed(count, 0), wanted(count, 0);
  std::vector<double> values(count, 0);
  for (std::size_t k = 0; k < count; ++k) {
    const Node& n = g.nodes()[k];
    if (n.step == Step::input) continue;
    fixed[k] = 1;
    for (const int a : arguments_of(n)) fixed[k] = fixed[k] && fixed[std::size_t(a)];
    if (fixed[k]) values[k] = value_of(g, n, values);
  }
  for (const int n : needed(g, outputs))
    if (!fixed[std::size_t(n)])
      for (const int a : arguments_of(g[n])) wanted[std::size_t(a)] = 1;
  for (const int n : outputs) wanted[std::size_t(n)] = 1;
  for (std::size_t k = 0; k < count; ++k)
    if (fixed[k] && wanted[k] && !is_given(g.nodes()[k])) g.make_parameter(int(k), values[k]);
  return g.parameters();
}

std::vector<int> all_parameters(const std::vector<double>& numbers) {
  std::vector<int> of(numbers.size(), -1);
  std::map<double, int> known;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const double size = std::abs(numbers[k]);
    if (size == 0 || size == 0.5 || size == 1 || size == 2 || !std::isfinite(size)) continue;
    const int p = known.try_emplace(size, int(known.size())).first->second;
    of[k] = numbers[k] < 0 ? -2 - p : p;
  }
  return of;
}
}  // namespace mubody
