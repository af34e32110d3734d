#pragma once
// Baumgarte stabilisation: Φ̈ = 0 is replaced by Φ̈ + 2α Φ̇ + β² Φ = 0, a damped oscillator for the violation.
//
//   Baumgarte (1972); Flores & Lankarani (2012), sec. 8, eqs. 172-173    docs/theory/treatments.md#baumgarte
//
// When: fixed steps, cheap runs, comparisons with the literature.  When not: when the violation must be at
// round-off; α and β suit one step size only, and too large values make the equations stiff.
#include "mubody/treatments/treatment.h"

namespace mubody {
struct Baumgarte {
  static constexpr Info info{"baumgarte", "violations decay like a damped oscillator"};
  double alpha = 5, beta = 5;  // α = β is critical damping

  void fields(Fields& f) {
    f.optional("alpha", alpha, "1/s", "damping of the violation");
    f.optional("beta", beta, "1/s", "stiffness of the violation; alpha = beta is critical damping");
  }
  void check() const {
    require(alpha >= 0, "alpha", "must not be negative");
    require(beta >= 0, "beta", "must not be negative");
  }
  void accelerations(Dynamics& d) const {
    d.terms.gamma -= 2 * alpha * d.terms.rate + beta * beta * d.terms.phi;
    d.solve(d.terms.Q, d.terms.gamma);
  }
};
}  // namespace mubody
