#pragma once
// Columns of a Jacobian that have no row in common are found by one directional derivative.
//
//   Curtis, Powell & Reid (1974)                                   docs/theory/integrators.md#the-matrix-of-newton
#include <utility>
#include <vector>

#include "mubody/recording/graph.h"

namespace mubody {
struct ColumnsTogether {
  ColumnsTogether(const Computation&, const std::vector<int>& of, const std::vector<int>& by);

  std::vector<std::pair<int, int>> entries;  // row, column: which of `of` depends on which of `by`
  std::vector<int> set;                      // of every column
  int sets = 0;
};
}  // namespace mubody
