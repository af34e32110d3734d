#pragma once
// Exact derivatives for the matrix of implicit methods, from recorded equations.
//
//   docs/theory/integrators.md#the-matrix-of-newton
#include <memory>

#include "mubody/simulation/begin.h"
#include "mubody/system/constrained_slopes.h"

namespace mubody {
/// What is differentiated: all, or what steps on positions need, which do not ask for G and powers.
enum class SlopesOf { rates, positions };
/// The equations are recorded when that pays, or never.  What has begun must live as long as this.
std::unique_ptr<ConstrainedSlopes> constrained_slopes(const Begun&, double t, SlopesOf = SlopesOf::rates);
}  // namespace mubody
