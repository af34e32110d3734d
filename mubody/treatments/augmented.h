#pragma once
// Augmented Lagrangian: a penalty whose multipliers are improved by iteration, so that the penalty need not be large.
//
//   Marques, Souto & Flores (2017), sec. 2, eqs. 23-25; Bayo & Ledesma (1996)
//                                                               docs/theory/treatments.md#augmented
//
//   M a_0 = Q,   (M + α DᵀD) a_{i+1} = M a_i + α Dᵀ (γ − 2 μ ω Φ̇ − ω² Φ)     until a no longer changes
//
// When: redundant constraints, singular positions, with a violation far below that of the plain penalty.  When not:
// when constraints must hold to round-off over long runs; positions follow an oscillator, as with Baumgarte.
#include "mubody/treatments/penalized.h"

namespace mubody {
struct Augmented : Penalized {
  static constexpr Info info{"augmented", "a penalty whose multipliers are improved by iteration"};
  double tolerance = 1e-8;
  int iterations = 30;

  void fields(Fields& f) {
    Penalized::fields(f);
    f.optional("tolerance", tolerance, "1",
               "change of accelerations at which the iteration stops: characteristic lengths or rad, per s²");
    f.optional("iterations", iterations, "1", "at most");
  }
  void check() const {
    Penalized::check();
    require(tolerance > 0, "tolerance", "must be positive");
    require(iterations >= 1, "iterations", "must be at least 1");
  }

  void accelerations(Dynamics& d) {
    factor(d);
    const VecX& c = wanted(d);
    d.lambda.setZero();
    rhs_ = d.terms.Q;  // M a_0
    for (int k = 0; k < iterations; ++k) {
      rhs_.noalias() += weighted_.transpose() * c;
      solver_.solve(rhs_, change_);
      d.lambda.noalias() += weighted_ * change_;
      d.lambda.array() -= weights_.array() * c.array();
      rhs_.noalias() = M_ * change_;
      const double moved =
          k == 0 ? tolerance * 2 : ((change_ - d.a).array() / d.system.units.array()).abs().maxCoeff();
      d.a = change_;
      if (moved < tolerance) break;
    }
  }
};
}  // namespace mubody
