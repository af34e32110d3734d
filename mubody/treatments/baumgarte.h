#pragma once
// Baumgarte stabilisation: Φ̈ = 0 is replaced by Φ̈ + 2α Φ̇ + β² Φ = 0, a damped oscillator for the violation.
//
//   Baumgarte (1972); Flores & Lankarani (2012), sec. 8, eqs. 172-173    docs/theory/treatments.md#baumgarte
//
// The gains α and β may be given, or follow from the step h:
//
//   taylor   α = 1/h, β = √2/h: the violation of a step is gone after the next, to second order;
//            Flores & Lankarani (2012), eqs. 201-204
//   auto     α = β = a share of the largest gain for which the difference equation of the integrator is stable
//
// When: fixed steps, cheap runs, comparisons with the literature.  When not: when the violation must be at
// round-off; α and β suit one step size only, and too large values make the equations stiff.
#include "mubody/treatments/treatment.h"

namespace mubody {
struct Baumgarte {
  static constexpr Info info{"baumgarte", "violations decay like a damped oscillator"};
  static constexpr double usual = 5;  // [1/s] α = β is critical damping
  Choice gains{{"given", "taylor", "auto"}};
  std::optional<double> alpha, beta;
  double alpha_in_use = usual, beta_in_use = usual;  // set by prepare()

  void fields(Fields& f) {
    f.optional("gains", gains, "",
               "alpha and beta as given; 1/h and √2/h (taylor); from the stability of the integrator (auto)");
    f.optional("alpha", alpha, "1/s", "damping of the violation", "as chosen, or 5");
    f.optional("beta", beta, "1/s", "stiffness of the violation; alpha = beta is critical damping",
               "as chosen, or 5");
  }
  void check() const {
    require(gains.index == 0 || !alpha, "alpha", "follows from 'gains'; leave it out, or gains = \"given\"");
    require(gains.index == 0 || !beta, "beta", "follows from 'gains'; leave it out, or gains = \"given\"");
    require(!alpha || *alpha >= 0, "alpha", "must not be negative");
    require(!beta || *beta >= 0, "beta", "must not be negative");
  }
  std::string prepare(const Stepping&);

  void accelerations(Dynamics& d) const {
    d.terms.gamma -= 2 * alpha_in_use * d.terms.rate + beta_in_use * beta_in_use * d.terms.phi;
    d.solve(d.terms.Q, d.terms.gamma);
  }
};
}  // namespace mubody
