#pragma once
// Direct correction, plain: accelerations by Lagrange multipliers, and after every step positions and velocities go
// back to the constraints by the smallest displacement of the coordinates themselves (Moore-Penrose inverse).
//
//   Marques, Souto & Flores (2017), sec. 3, eqs. 41 (with Φ, see docs/theory/errata.md) and 49
//                                                                  docs/theory/treatments.md#direct
//
//   q ← q − D⁺ Φ   until |Φ| is at round-off,     u ← u − D⁺ (D u − ν)
//
// These are corrections of `projection` for bodies of unit mass, with block factors of their own.
//
// When: comparisons.  When not: metres and radians are weighed alike, so that the correction depends on the units;
// `projection` weighs by the mass and costs less.

#include "mubody/treatments/own_factors.h"
#include "mubody/treatments/projection.h"

namespace mubody {
struct Direct : Projection {
  static constexpr Info info{"direct", "as projection, with the smallest correction of the plain coordinates"};

  std::optional<Closing> closing() const { return {}; }  // not by the mass
  void after_step(Dynamics& d, double t, Out q, Out u) {
    if (d.system.m == 0) return;
    Dynamics& plain = own_.of(d, [](Dynamics& made) { made.weigh(VecX::Ones(made.system.nu)); });
    plain.stiffen(d.is_stiff());
    plain.project_positions(t, q, u, tolerance, iterations);
    plain.project_velocities(u);
    own_.count(d);
  }
  void memory(Memory&) { own_.forget(); }

 private:
  OwnDynamics own_;  // with D alone, whatever the bodies weigh
};
}  // namespace mubody
