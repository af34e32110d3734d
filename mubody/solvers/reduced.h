#pragma once
// The motions that the constraints leave, at one state: as many coordinates as freedoms.
//
//   García de Jalón & Bayo (1994), sec. 5.2; Ridders (1982)                     docs/theory/modes.md
//
//   velocities    δu = R w,    D R = 0,      Rᵀ M R = 1
//   positions     δq = R_h z,  D_h R_h = 0,  R_hᵀ M R_h = 1;   D_h: the rows that bind positions
//
// Without rolling R_h = R.  What rolls has more positions than velocities.
#include <functional>

#include "mubody/system/dynamics.h"

namespace mubody {
struct FreeDirections {
  MatX positions, velocities;  // R_h and R, by columns
};
/// With M and D of these terms.  Throws ModelError if a free direction moves no mass.
FreeDirections free_directions(const System&, const Terms&);

/// Names of displacements, all different: "crank.x", in space "wheel.turn_x" about an axis of the body.
std::vector<std::string> displacement_labels(const System&);
/// "m" or "rad" of a displacement.
const char* displacement_unit(const System&, int velocity);

/// A length by which displacements are judged small: the longest arm of a joint, or 1 m.
double length_scale(const System&, const Terms&);
/// The largest turn [rad], or way in lengths of the mechanism.
double size_of(const System&, const VecX& displacement, double length);

/// How large forces along these directions may be that cancel each other, and how large the stiffness that they may make: the
/// force on each body, whatever its direction, by how far the body goes.  What is left at a rounding of that is nothing.
struct AtWork {
  double force, stiffness;
};
AtWork at_work(const System&, const Terms&, const MatX& R, double length);

/// f′(0), each component as accurate as steps from `step` downwards allow, by Richardson's extrapolation of central
/// differences.  `error`, if wanted, grows to the largest estimated error of a component.
VecX derivative(const std::function<VecX(double)>& f, double step, double* error = nullptr);

/// `step`, or as much of it as q may move along to both sides before a contact opens or closes.
double smooth_step(System&, double t, const VecX& q, const VecX& along, double step);

/// Contacts whose gap is closed act, as if they had been closed gently; the others do not.
void settle_contacts(System&, double t, const VecX& q, const VecX& u);
}  // namespace mubody
