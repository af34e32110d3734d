#pragma once
// The motions that the constraints leave free at one state, in as many coordinates as freedoms.
//
//   García de Jalón & Bayo (1994), sec. 5.2; Ridders (1982)                     docs/theory/modes.md
//
//   velocities    δu = R w,    D R = 0,      Rᵀ M R = 1
//   positions     δq = R_h z,  D_h R_h = 0,  R_hᵀ M R_h = 1;   D_h: the rows that bind positions
//
// Without rolling R_h = R.  A rolling body has more freedoms of position than of velocity.
#include <functional>

#include "mubody/system/dynamics.h"

namespace mubody {
struct FreeDirections {
  MatX positions, velocities;  // R_h and R, by columns
};
/// The free directions for M and D of these terms.  Throws ModelError if a free direction moves no mass.
FreeDirections free_directions(const System&, const Terms&);

/// Names of displacements, all different: "crank.x", in space "wheel.turn_x" about an axis of the body.
std::vector<std::string> displacement_labels(const System&);
/// "m" or "rad" of a displacement.
const char* displacement_unit(const System&, int velocity);

/// The largest turn [rad], or the largest displacement in lengths of the mechanism.
double size_of(const System&, const VecX& displacement, double length);

/// Bounds on forces along these directions that cancel each other, and on the stiffness that they may cause:
/// the force on each body, in any direction, times the displacement of the body.  A remainder at the rounding
/// of these counts as zero.
struct AtWork {
  double force, stiffness;
};
AtWork at_work(const System&, const Terms&, const MatX& R, double length);

/// f′(0), each component as accurate as steps from `step` downwards allow, by Richardson's extrapolation of central
/// differences.  `errors`, if wanted, become the estimated errors of the components.
VecX derivative(const std::function<VecX(double)>& f, double step, VecX* errors = nullptr);

/// `step`, or the part of it that q may move to both sides before a contact opens or closes.
double smooth_step(System&, double t, const VecX& q, const VecX& along, double step);

/// Switches on the contacts whose gap is closed, as if they had closed gently, and switches off the others.
void settle_contacts(System&, double t, const VecX& q, const VecX& u);
}  // namespace mubody
