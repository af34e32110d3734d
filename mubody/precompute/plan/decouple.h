#pragma once
// The order in which the equations of a mechanism can be solved, a few at a time: one loop after the other.
//
//   J ṗ = 0, with a group of rows for each loop.  The rows of a loop are combined so that as few variables as
//   possible remain in each; joints with many variables are eliminated first.  Then
//
//   1. each dependent variable is matched with an equation that contains it
//   2. an arrow leads from every other variable of that equation to it
//   3. variables that reach each other along arrows form a block that is solved together, and so do those that
//      one loop gives from the same others; the blocks are put in order
//
// The arguments of a block are the independent variables that it needs, itself or through the blocks before it:
// a table of its variables cannot have fewer.
//
// Dulmage & Mendelsohn (1958), Tarjan (1972).  Precomputation (dissertation) does this by hand in sec. 5.8 and
// fig. 5.8.3, and asks for an algorithm in sec. 6.2.                           docs/theory/decoupling.md
#include <string>
#include <vector>

#include "mubody/math/space.h"

namespace mubody {
struct LoopBlock {
  std::vector<int> variables;  // it determines these
  std::vector<int> loops;      // it uses their equations
  std::vector<int> from;       // it starts from these, variables of other blocks and independent ones
  std::vector<int> arguments;  // independent variables on which all this depends
};

/// Returns the blocks in an order in which they can be solved.  `loop_of_row` gives the loop of each row of J,
/// `joint_of` the joint of each variable.  Dependent variables that no equation determines are in no block.
std::vector<LoopBlock> decouple(const MatX& J, const std::vector<int>& loop_of_row,
                                const std::vector<int>& joint_of, const std::vector<int>& independent);
}  // namespace mubody
