#pragma once
// Recorded computations at other arguments, as further nodes of the same graph: what does not depend on the arguments that
// change is shared.
//
//   docs/theory/recording.md#substitution
#include <utility>
#include <vector>

#include "mubody/recording/graph.h"

namespace mubody {
/// What nodes become where others take the place of some, which need not be inputs.
std::vector<int> substituted(Computation&, const std::vector<int>& of,
                             const std::vector<std::pair<int, int>>& replaced);
}  // namespace mubody
