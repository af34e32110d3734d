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
//   adaptive α = β grows while the violation that is predicted for the next step exceeds a tolerance, and falls while it does
//            not: critical damping, adjusted to the predicted error, as Flores (2010), sec. 3.3, sums up
//            Chang & Nikravesh (1985)
//
// When: fixed steps, cheap runs, comparisons with the literature.  When not: when the violation must be at
// round-off; α and β suit one step size only, and too large values make the equations stiff.
#include "mubody/treatments/treatment.h"

namespace mubody {
struct Baumgarte {
  static constexpr Info info{"baumgarte", "violations decay like a damped oscillator"};
  static constexpr double usual = 5;  // [1/s] α = β is critical damping
  Choice gains{{"given", "taylor", "auto", "adaptive"}};
  std::optional<double> alpha, beta;
  double tolerance = 1e-6;                           // of adaptive gains: a share of the size of the mechanism
  double alpha_in_use = usual, beta_in_use = usual;  // set by prepare(), and by accepted() if they adapt
  /// The step [s], the range of adaptive gains and the part of it that was used [1/s].
  struct Adapting {
    double step = 0, least = 0, most = 0, lowest = 0, highest = 0;
  } adapting{};

  void fields(Fields& f) {
    f.optional(
        "gains", gains, "",
        "alpha and beta as given; 1/h and √2/h (taylor); from the stability of the integrator (auto); from "
        "the violation that is predicted (adaptive)");
    f.optional("alpha", alpha, "1/s", "damping of the violation", "as chosen, or 5");
    f.optional("beta", beta, "1/s", "stiffness of the violation; alpha = beta is critical damping",
               "as chosen, or 5");
    f.optional("tolerance", tolerance, "1",
               "with adaptive gains: the violation beyond which they grow, beside the size of the mechanism");
  }
  void check() const {
    require(gains.index == 0 || !alpha, "alpha", "follows from 'gains'; leave it out, or gains = \"given\"");
    require(gains.index == 0 || !beta, "beta", "follows from 'gains'; leave it out, or gains = \"given\"");
    require(!alpha || *alpha >= 0, "alpha", "must not be negative");
    require(!beta || *beta >= 0, "beta", "must not be negative");
    require(tolerance > 0, "tolerance", "must be positive");
  }
  std::string prepare(const Stepping&);
  void accepted(Dynamics&, double t, const In& q, const In& u);
  std::string report() const;
  void memory(Memory& m) { m(alpha_in_use, beta_in_use, adapting.lowest, adapting.highest); }

  void accelerations(Dynamics& d) const {
    d.terms.gamma -= 2 * alpha_in_use * d.terms.rate + beta_in_use * beta_in_use * d.terms.phi;
    d.solve(d.terms.Q, d.terms.gamma);
  }

  bool adapts() const { return gains.index == 3; }
};
}  // namespace mubody
