#pragma once
// The order in which the loops of a mechanism can be solved, by the names of its joint variables.
//                                                                              docs/theory/decoupling.md
#include <string>

#include "mubody/precompute/plan/decouple.h"
#include "mubody/system/system.h"

namespace mubody {
struct NamedBlock {
  std::vector<std::string> variables, from, arguments;
  std::vector<std::string> loops;  // "A-B-C-D", or the name of a joint that is no link
};
/// In body coordinates, at a configuration that satisfies the constraints.  Empty if an independent variable is none of the
/// joints' own.
std::vector<NamedBlock> loop_order(System&, double t, const In& q, const std::vector<std::string>& independent);
}  // namespace mubody
