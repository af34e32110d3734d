#pragma once
// Augmented Lagrangian: a penalty whose multipliers are improved by iteration, so that the penalty need not be large.
//
//   Marques, Souto & Flores (2017), sec. 2, eqs. 23-25; Bayo & Ledesma (1996)
//                                                               docs/theory/treatments.md#augmented
//
//   M a_0 = Q,   (M + α DᵀD) a_{i+1} = M a_i + α Dᵀ (γ − 2 μ ω Φ̇ − ω² Φ)     until a no longer changes
//
// What is added in a round solves the same equations for what is left of the constraints' demands, with the same factors.
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
    comply(d);
    const VecX& c = wanted(d);
    d.solve(d.terms.Q, c);
    if (nothing_.size() != d.system.nu) nothing_ = VecX::Zero(d.system.nu);
    a_ = d.a;
    lambda_ = d.lambda;
    for (int k = 1; k < iterations; ++k) {
      left_ = -c;
      d.system.structure.multiply(d.terms.D.data(), a_.data(), left_.data());
      left_ *= -1;
      d.solve(nothing_, left_);
      a_ += d.a;
      lambda_ += d.lambda;
      if ((d.a.array() / d.system.units.array()).abs().maxCoeff() < tolerance) break;
    }
    d.a = a_;
    d.lambda = lambda_;
  }

 protected:
  VecX nothing_, left_;  // no forces; what accelerations leave of the constraints' demands

 private:
  VecX a_, lambda_;
};
}  // namespace mubody
