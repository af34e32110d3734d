#pragma once
// Whether a mechanism can be precomputed, and in which variables.               docs/theory/precompute.md
#include "mubody/precompute/plan/plan.h"
#include "mubody/simulation/begin.h"

namespace mubody {
/// Throws ModelError with what to change.
void refuse(const Study&, const Begun&);
/// Those of drivers first, then as many as there are freedoms: as named, or the best at the start.
Wanted choose(const Study&, const PrecomputeOptions&, Begun&, std::vector<Variable> driven);
/// The joint variables that the independent ones are, by name; a driver may follow one.
std::vector<std::string> joint_names(const std::vector<Variable>&, Begun&, double t);
}  // namespace mubody
