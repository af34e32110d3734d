#pragma once
// Whether a mechanism can be precomputed, and in which variables.               docs/theory/precompute.md
#include "mubody/precompute/plan/plan.h"
#include "mubody/simulation/begin.h"

namespace mubody {
/// Throws ModelError, which says what to change, if the mechanism cannot be precomputed.
void refuse(const Study&, const Begun&);
/// The variables of drivers, followed by one for each freedom: those that are named, or the best at the start.
Wanted choose(const Study&, const PrecomputeOptions&, Begun&, std::vector<Variable> driven);
/// The names of the joint variables that the independent variables are; a driver may follow one.
std::vector<std::string> joint_names(const std::vector<Variable>&, Begun&, double t);
}  // namespace mubody
