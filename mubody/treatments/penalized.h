#pragma once
// Shared by treatments with a penalty: constraints as stiff spring-damper-inertia systems on their violation,
//
//   λ = α (Φ̈ + 2 μ ω Φ̇ + ω² Φ),     (M + α DᵀD) a = Q + α Dᵀ (γ − 2 μ ω Φ̇ − ω² Φ)
//
// α is a mass; an equation that measures no length takes it times the square of the characteristic length.
//
// With λ as unknowns these are the equations of multipliers, for constraints that give way:
//
//   M a + Dᵀ λ = Q,     D a − λ/α = γ − 2 μ ω Φ̇ − ω² Φ
//
// They take one block factorization like those, S + 1/α in place of S, and the sum M + α DᵀD, in which small masses would
// be lost beside a large α, is never formed.  S + 1/α is positive definite whatever the rank of D, so that redundant
// constraints and singular positions need no care.                              docs/theory/linear-solver.md#compliance
#include "mubody/treatments/treatment.h"

namespace mubody {
class Penalized {
 public:
  double alpha = 1e7, omega = 10, mu = 1;

  void fields(Fields& f) {
    f.optional(
        "alpha", alpha, "1",
        "penalty factor [kg]; equations on angles take it times the square of the characteristic length");
    f.optional("omega", omega, "rad/s", "natural frequency of the violation");
    f.optional("mu", mu, "1", "damping ratio of the violation; 1 is critical");
  }
  void check() const {
    require(alpha > 0, "alpha", "must be positive");
    require(omega >= 0, "omega", "must not be negative");
    require(mu >= 0, "mu", "must not be negative");
  }

  std::string report() const {
    return "constraints give way to their forces; what that does to the motion falls as alpha grows, and is "
           "counted where digits are given";
  }
  /// Violations are in proportion to 1/α.
  void soften(double times) { alpha /= times; }

  void accepted(Dynamics& d, double /*t*/, const In& /*q*/, const In& /*u*/) { comply(d); }

 protected:
  // From the first time on the factors of the dynamics are those of S + 1/α.
  void comply(Dynamics& d) {
    if (compliance_.size() != d.system.m)
      compliance_ = (d.system.row_units / d.system.scales.length).cwiseAbs2() / alpha;
    d.comply(compliance_);
  }
  // γ − 2 μ ω Φ̇ − ω² Φ
  const VecX& wanted(const Dynamics& d) {
    wanted_ = d.terms.gamma - 2 * mu * omega * d.terms.rate - omega * omega * d.terms.phi;
    return wanted_;
  }

  VecX compliance_;  // 1/α of each equation

 private:
  VecX wanted_;
};
}  // namespace mubody
