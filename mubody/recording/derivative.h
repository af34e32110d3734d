#pragma once
// Exact derivatives of recorded computations, as further nodes of the same graph, where they share all terms with what
// they are derivatives of.
//
//   Griewank & Walther (2008), Evaluating Derivatives, ch. 3 and 7          docs/theory/recording.md#derivatives
//
// Steps that jump (signs, whole parts, comparisons, rows of tables) have the derivative that they have between their
// jumps: zero.
#include <utility>
#include <vector>

#include "mubody/recording/graph.h"

namespace mubody {
/// The derivative of a node from those of its arguments, all of them nodes; zero is a constant.
int derivative_of(Computation&, int node, int da, int db = -1, int dc = -1);

/// How nodes change when others do: a seed says for a node, which need not be an input, the node of its rate of change.
/// Everything that is not made of seeds stays as it is.
std::vector<int> directional(Computation&, const std::vector<int>& of,
                             const std::vector<std::pair<int, int>>& seeds);

/// An entry of a Jacobian; those that are zero by structure are not there.
struct JacobianEntry {
  int row, column, node;
};
/// The derivatives of the nodes `of` by the nodes `by`, inputs or parameters or others, row by row and, within a row,
/// column by column.
std::vector<JacobianEntry> jacobian(Computation&, const std::vector<int>& of, const std::vector<int>& by);
}  // namespace mubody
