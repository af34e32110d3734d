#pragma once
// Penalty: each constraint is a stiff spring, damper and inertia on its own violation; no multipliers are unknown.
//
//   Marques, Souto & Flores (2017), sec. 2, eqs. 16-22; Bayo, García de Jalón & Serna (1988)
//                                                                 docs/theory/treatments.md#penalty
//
//   (M + α DᵀD) a = Q + α Dᵀ (γ − 2 μ ω Φ̇ − ω² Φ),     λ = α (D a − γ + 2 μ ω Φ̇ + ω² Φ)
//
// When: redundant constraints and singular positions, quick estimates.  When not: when constraints must hold to
// round-off; the violation is of the size λ / (α ω²).
#include "mubody/treatments/penalized.h"

namespace mubody {
struct Penalty : Penalized {
  static constexpr Info info{"penalty",
                             "constraints as stiff springs, dampers and inertias on their violation"};

  void accelerations(Dynamics& d) {
    comply(d);
    d.solve(d.terms.Q, wanted(d));
  }
};
}  // namespace mubody
