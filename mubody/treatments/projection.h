#pragma once
// Mass-weighted direct correction: accelerations by Lagrange multipliers, and after every accepted step
// positions and velocities go back to the constraints by the smallest displacement in the metric of the mass.
//
//   Marques, Souto & Flores (2017), sec. 3; eqs. 50-51 diverge as printed, here corrected:
//
//   q ← q − M⁻¹ Dᵀ (D M⁻¹ Dᵀ)⁻¹ Φ     until |Φ| is at round-off
//   u ← u − M⁻¹ Dᵀ (D M⁻¹ Dᵀ)⁻¹ (D u − ν)
//                                                            docs/theory/treatments.md#projection
//
// When: always, unless there is a reason; there is no number to choose, the order of the integrator is kept,
// and singular positions are passed.  Corrections are so small that the factors of the last stage, or of the first
// correction, serve them all, away from singular positions: a step costs at most one factorization more.
#include "mubody/treatments/treatment.h"

namespace mubody {
struct Projection {
  static constexpr Info info{"projection",
                             "positions and velocities are put back on the constraints after every step"};
  static constexpr bool passes_singular_positions = true;
  static constexpr bool multipliers_alone = true;
  double tolerance = 8e-16;
  int iterations = 8;

  void fields(Fields& f) {
    f.optional("tolerance", tolerance, "1",
               "largest |Φ| that is left as it is: a share of the characteristic length, or rad");
    f.optional("iterations", iterations, "1", "corrections per step, at most");
  }
  void check() const {
    require(tolerance >= 0, "tolerance", "must not be negative");
    require(iterations >= 1, "iterations", "must be at least 1");
  }
  std::optional<Closing> closing() const { return Closing{tolerance, iterations}; }
  void accelerations(Dynamics& d) const { d.solve(d.terms.Q, d.terms.gamma); }
  void after_step(Dynamics& d, double t, Out q, Out u) const {
    d.project_positions(t, q, u, tolerance, iterations);
    d.project_velocities(u);
  }
};
}  // namespace mubody
