#pragma once
// Whether the analysis that a study asks for can be done with the mechanism that was assembled.
#include <string>

#include "mubody/simulation/begin.h"

namespace mubody {
/// The reason why it cannot; empty if it can.
std::string obstacle_of(const Study&, Begun&);
}  // namespace mubody
