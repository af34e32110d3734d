#pragma once
// The whole motion of a mechanism with one freedom, as a curve that does not depend on the choice of a
// variable.
//
//   D τ = 0, |τ| = 1          the tangent; a small step goes along it, and back onto Φ = 0 by the shortest way
//
// The curve passes dead points of variables without noticing them.  It is followed from the start in both
// directions, until it returns to the start, meets a singular position, or has become very long.
//                                                                              docs/theory/regions.md
#include "mubody/precompute/plan/scalars.h"

namespace mubody {
struct CurvePoint {
  VecX q;
  VecX values;     // of the variables, counted over turns
  VecX weights;    // their rates along the curve, slides in units of the length; zero at dead points
  double way = 0;  // from the start
};
struct Curve {
  std::vector<CurvePoint> points;  // in order
  std::size_t start = 0;           // index of the start
  bool closed = false;             // the last point is the first one again
  /// Whether it begins, or ends, at a position from which the mechanism could go several ways.
  bool singular_before = false, singular_after = false;
};
/// Follows the mechanism without its drivers; q satisfies the joints.
Curve follow(const Mechanism&, const std::vector<Variable>&, const VecX& q, double length);
}  // namespace mubody
