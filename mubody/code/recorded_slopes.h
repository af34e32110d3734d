#pragma once
// Exact derivatives for linearisation and statics, from recorded equations.
//
//   docs/theory/modes.md#linearisation
#include <memory>

#include "mubody/simulation/begin.h"
#include "mubody/solvers/exact_slopes.h"

namespace mubody {
/// Null if the equations cannot be recorded, with the reason.  What has begun must live as long as this.
std::unique_ptr<ExactSlopes> exact_slopes(const Begun&, double t, std::string& why_not);
}  // namespace mubody
