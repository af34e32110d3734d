#pragma once
// The order in which the loops of a mechanism can be solved, with the names of its joint variables.
//                                                                              docs/theory/decoupling.md
#include <string>

#include "mubody/precompute/plan/decouple.h"
#include "mubody/system/system.h"

namespace mubody {
struct NamedBlock {
  std::vector<std::string> variables, from, arguments;
  std::vector<std::string> loops;  // "A-B-C-D", or the name of a joint that is not a link of the graph
};
/// The system is in body coordinates, and q satisfies the constraints.  Returns nothing if an independent
/// variable does not belong to a joint.
std::vector<NamedBlock> loop_order(System&, double t, const In& q, const std::vector<std::string>& independent);
}  // namespace mubody
