#pragma once
// Direct correction, plain: accelerations by Lagrange multipliers, and after every step positions and velocities go
// back to the constraints by the smallest displacement of the coordinates themselves (Moore-Penrose inverse).
//
//   Marques, Souto & Flores (2017), sec. 3, eqs. 41 (with Φ, see docs/theory/errata.md) and 49
//                                                                  docs/theory/treatments.md#direct
//
//   q ← q − D⁺ Φ   until |Φ| is at round-off,     u ← u − D⁺ (D u − ν)
//
// When: comparisons.  When not: metres and radians are weighed alike, so that the correction depends on the units;
// `projection` weighs by the mass and costs less.

#include "mubody/math/dense.h"
#include "mubody/treatments/projection.h"

namespace mubody {
struct Direct : Projection {
  static constexpr Info info{"direct", "as projection, with the smallest correction of the plain coordinates"};

  void after_step(Dynamics& d, double t, Out q, Out u) {
    if (d.system.m == 0) return;
    const System::Room room = d.system.room(q);
    double before = std::numeric_limits<double>::infinity();
    for (int k = 0; k < iterations; ++k) {
      d.system.constraints(t, q, u, d.terms);
      const double size = d.system.gap(d.terms.phi, room);
      if (!(size > tolerance) || !(size < 0.5 * before)) break;  // or at round-off
      before = size;
      factor(d);
      solver_.solve(d.terms.phi, x_);
      x_ *= -1;
      d.system.move(q, x_);
      ++d.corrections;
    }
    d.system.constraints(t, q, u, d.terms);
    factor(d);
    solver_.solve(d.terms.rate, x_);
    u -= x_;
  }

 private:
  void factor(const Dynamics& d) {
    d.system.structure.full(d.terms.D, D_);
    solver_.set_threshold(1e-9);  // nearly dependent rows are left alone
    solver_.compute(D_);
  }
  MatX D_;
  VecX x_;
  LeastSquares solver_;
};
}  // namespace mubody
