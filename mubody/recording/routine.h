#pragma once
// A routine: some nodes of a graph that are wanted together, what they need, in which order, and how much work that is.
//
//   docs/theory/recording.md#routines
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "mubody/recording/graph.h"

namespace mubody {
struct Routine {
  std::string name;
  std::vector<int> outputs;
};

/// The nodes that a node is made of.
inline std::span<const int> arguments_of(const Node& n) {
  static_assert(offsetof(Node, c) - offsetof(Node, a) == 2 * sizeof(int));
  return {&n.a, std::size_t(arguments(n.step))};
}
/// Whether a node is there before anything is done: a constant, a parameter or an input.
inline bool is_given(const Node& n) { return n.step <= Step::input; }

/// The nodes that a routine needs, as they were recorded; everything else is dead.
std::vector<int> needed(const Computation&, const std::vector<int>& outputs);

/// How many values wait for their last use while nodes are made in some order; those that are given do not count.
struct Waiting {
  int most = 0;
  double mean = 0;
};
Waiting waiting(const Computation&, const std::vector<int>& order, const std::vector<int>& outputs);

/// The nodes that a routine needs in an order that is good for memory: as recorded, or from the outputs down, the harder
/// argument first (Sethi & Ullman 1970), if clearly fewer values wait then.  If not, the order of the recording is the
/// better one: more of its neighbours do not depend on each other.
std::vector<int> order_of(const Computation&, const std::vector<int>& outputs);

/// How often a routine does what.
struct OperationCounts {
  int additions = 0, multiplications = 0, divisions = 0, roots = 0;
  int transcendental = 0;  // sines, exponentials, powers
  int others = 0;          // signs, comparisons, choices, tables
  /// About so many cycles, to compare one routine with another.
  int cycles() const {
    return additions + multiplications + others + 5 * (divisions + roots) + 20 * transcendental;
  }
  int total() const { return additions + multiplications + divisions + roots + transcendental + others; }
};
OperationCounts operations(const Computation&, const Routine&);
/// As "12 additions, 3 roots"; kinds that do not occur are left out.
std::string in_words(const OperationCounts&);
}  // namespace mubody
