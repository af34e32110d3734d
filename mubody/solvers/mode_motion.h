#pragma once
// Modes to look at: one period of each, position by position.
//
//   docs/theory/modes.md#pictures-of-modes
//
//   q(φ) = q₀ moved by a Re(X e^{iφ}), put back on the constraints,    φ = 0 … 2π
//
// Decay is left out, so that the motion closes.  a is large enough to be seen: the largest turn is `reach` rad, or the
// longest way `reach` lengths of the mechanism.
#include <complex>

#include "mubody/results/results.h"
#include "mubody/system/system.h"

namespace mubody {
/// The table "mode_motion": mode, phase, and positions of all bodies by the names that they have in "bodies".  `shapes`
/// are displacements of velocities' kind, one for each mode; of very many only the first are taken.
Table mode_motion(System&, bool redundant, double t, const VecX& q,
                  const std::vector<Eigen::VectorXcd>& shapes);
}  // namespace mubody
