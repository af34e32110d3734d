#pragma once
// Standard Lagrange multipliers: M a + Dᵀ λ = Q, D a = γ, and nothing that brings drift back.
//
//   Flores & Lankarani (2012), eqs. 138-141; Marques, Souto & Flores (2017), sec. 2
//                                                                docs/theory/treatments.md#standard
//
// When: comparisons, short runs.  When not: long runs, and mechanisms that pass singular positions: the
// violation grows with time and the motion may leave on a wrong branch.
#include "mubody/treatments/treatment.h"

namespace mubody {
struct Standard {
  static constexpr Info info{"standard", "Lagrange multipliers alone; constraints drift"};
  static constexpr bool multipliers_alone = true;

  void fields(Fields&) {}
  std::optional<Closing> closing() const { return Closing{}; }
  void accelerations(Dynamics& d) const { d.solve(d.terms.Q, d.terms.gamma); }
};
}  // namespace mubody
