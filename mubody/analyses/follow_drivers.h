#pragma once
// The motion that drivers determine, for the analyses based on it.              docs/theory/kinematic.md
#include <functional>

#include "mubody/results/results.h"
#include "mubody/study/options.h"
#include "mubody/system/dynamics.h"

namespace mubody {
/// Receives every result: the state, with terms, accelerations and multipliers, in the coordinates that are asked for, and
/// the system in body coordinates.
using AtResult = std::function<void(double t, const VecX& q, const VecX& u, const Dynamics&, System& bodies)>;

/// Results under the name of an analysis.
Results follow_drivers(const Study&, const Progress&, std::string_view analysis, const AtResult& = {});
}  // namespace mubody
