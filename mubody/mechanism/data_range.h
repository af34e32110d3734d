#pragma once
// Functions that come from data end with them; beyond, they go on along their tangent.  Between the data they may swing out.
// The user should know of both.
#include <string>
#include <vector>

#include "mubody/mechanism/mechanism.h"

namespace mubody {
/// One line for each driver and force whose data do not cover the time from start to end, and for each whose curve leaves
/// the range of its data.
std::vector<std::string> remarks_on_data(const Mechanism&, double start, double end);
}  // namespace mubody
