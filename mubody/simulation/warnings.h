#pragma once
// What does not look right about a model that can be run all the same: loose bodies, odd signs, and starts that
// assembly had to change beyond recognition.
#include "mubody/simulation/begin.h"

namespace mubody {
/// One line each, in the order of the model.
std::vector<std::string> warnings_of(const Study&, const Begun&);
}  // namespace mubody
