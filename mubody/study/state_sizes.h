#pragma once
// What the errors of a motion are measured against, number by number.                     docs/theory/scales.md
#include "mubody/integrators/integrator.h"
#include "mubody/system/system.h"

namespace mubody {
/// Of positions, velocities, states of elements, and so many works.  Positions count up to the characteristic length,
/// angles up to 1 rad: errors must not grow with the distance from the origin or with the turns.
Sizes sizes_of(const System&, int works);
}  // namespace mubody
