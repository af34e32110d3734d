#pragma once
// Modes for pictures: one period of each, position by position.
//
//   docs/theory/modes.md#pictures-of-modes
//
//   q(φ) = q₀ moved by a Re(X e^{iφ}), put back on the constraints,    φ = 0 … 2π
//
// Decay is left out, so that the motion closes.  a is large enough to be seen: the largest turn is `reach` rad,
// or the longest displacement `reach` lengths of the mechanism.
#include <complex>

#include "mubody/results/results.h"
#include "mubody/system/system.h"

namespace mubody {
/// The table "mode_motion": mode, phase, and positions of all bodies by the names that they have in "bodies".
/// `shapes` are displacements in the space of velocities, one for each mode; if there are very many, only the
/// first are used.
Table mode_motion(System&, bool redundant, double t, const VecX& q,
                  const std::vector<Eigen::VectorXcd>& shapes);
}  // namespace mubody
