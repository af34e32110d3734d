#pragma once
// Recorded computations, evaluated node by node.
#include <span>
#include <vector>

#include "mubody/recording/recorded.h"

namespace mubody::testing {
/// The values of all nodes for some inputs.
inline std::vector<double> evaluated(const Computation& g, std::span<const double> inputs) {
  std::vector<double> x;
  const auto at = [&](int node) { return node < 0 ? 0 : x[std::size_t(node)]; };
  for (const Node& n : g.nodes()) switch (n.step) {
      case Step::constant: x.push_back(n.value); break;
      case Step::parameter: x.push_back(g.parameters()[std::size_t(n.a)]); break;
      case Step::input: x.push_back(inputs[std::size_t(n.a)]); break;
      case Step::index: x.push_back(piece_of(g.tables()[std::size_t(n.b)], at(n.a))); break;
      case Step::fetch: {
        const NumberTable& t = g.tables()[std::size_t(n.b)];
        x.push_back(t.numbers.at(std::size_t(at(n.a)) * std::size_t(t.columns) + std::size_t(n.c)));
        break;
      }
      default: x.push_back(apply(n.step, at(n.a), at(n.b), at(n.c)));
    }
  return x;
}

/// Numbers that were recorded, evaluated together.
inline std::vector<double> evaluated(Computation& g, std::span<const double> inputs,
                                     std::span<const Recorded> wanted) {
  std::vector<int> nodes;
  for (const Recorded& r : wanted) nodes.push_back(r.node_in(g));
  const std::vector<double> x = evaluated(g, inputs);
  std::vector<double> values;
  for (const int n : nodes) values.push_back(x[std::size_t(n)]);
  return values;
}
}  // namespace mubody::testing
