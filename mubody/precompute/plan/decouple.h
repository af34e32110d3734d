#pragma once
// Loops one after the other: the order in which the equations of a mechanism can be solved, a few at a time.
//
//   J ṗ = 0, rows in groups: a loop each.  Rows of a loop may be combined; that is done so that as few variables as possible
//   remain in each (joints with many variables are eliminated first).  Then
//
//   1. each dependent variable is matched with an equation that contains it
//   2. an arrow leads from every other variable of that equation to it
//   3. variables that reach each other along arrows form a block, to be solved together, and so do those that one loop
//      gives from the same others; blocks follow in order
//
// What a block needs of the independent variables, itself or through the blocks before it, are the arguments of its
// variables: the smallest number of arguments that a table of them can have.
//
// Dulmage & Mendelsohn (1958), Tarjan (1972); what Precomputation (dissertation), sec. 5.8 and fig. 5.8.3, does by hand
// and sec. 6.2 asks for.                                                       docs/theory/decoupling.md
#include <string>
#include <vector>

#include "mubody/math/space.h"

namespace mubody {
struct LoopBlock {
  std::vector<int> variables;  // that it determines
  std::vector<int> loops;      // whose equations it takes
  std::vector<int> from;       // variables of other blocks, and independent ones, that it starts from
  std::vector<int> arguments;  // independent variables that all this depends on
};

/// Rows of J in groups, `loop_of_row`; variables of one joint have the same `joint_of`.  Blocks in an order in which they
/// can be solved.  Variables that no equation determines, other than the independent ones, are in no block.
std::vector<LoopBlock> decouple(const MatX& J, const std::vector<int>& loop_of_row,
                                const std::vector<int>& joint_of, const std::vector<int>& independent);
}  // namespace mubody
