#pragma once
// The whole motion of a mechanism with one freedom, whatever variable one might describe it by.
//
//   D τ = 0, |τ| = 1          the tangent; then along it by a small way, and back onto Φ = 0 by the shortest way
//
// It passes dead points of variables without noticing them.  Followed from the start both ways, until it comes back to
// where it began, or to a singular position, or has gone a long way.           docs/theory/regions.md
#include "mubody/precompute/plan/scalars.h"

namespace mubody {
struct CurvePoint {
  VecX q;
  VecX values;   // of the variables, counted over turns
  VecX weights;  // how fast they change along the way, slides in units of the length; zero at their dead points
  double way = 0;
};
struct Curve {
  std::vector<CurvePoint> points;  // in order
  std::size_t start = 0;           // which of them is the start
  bool closed = false;             // the last point is the first one again
  bool singular_before = false,
       singular_after = false;  // it ends in positions where the mechanism could go several ways
};
/// The mechanism without drivers; q satisfies its joints.
Curve follow(const Mechanism&, const std::vector<Variable>&, const VecX& q, double length);
}  // namespace mubody
