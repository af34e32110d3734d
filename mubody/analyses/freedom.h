#pragma once
// Degrees of freedom: by counting, and by the rank of the Jacobian; which equations are redundant, and why.
#include "mubody/results/results.h"
#include "mubody/system/system.h"

namespace mubody {
/// At a configuration that satisfies the constraints.                       docs/theory/freedom.md
Freedom count_freedom(System&, double t, const VecX& q, const VecX& u);

/// Velocities that neither mass nor constraints determine: in words, one line each.  A point mass on a rod is
/// determined by its constraints; a free body without inertia is not.
std::vector<std::string> undetermined(System&, double t, const VecX& q, const VecX& u);
}  // namespace mubody
