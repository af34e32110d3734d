#pragma once
// Shared by treatments with a penalty: constraints as stiff spring-damper-inertia systems on their violation,
//
//   λ = α (Φ̈ + 2 μ ω Φ̇ + ω² Φ),     (M + α DᵀD) a = Q + α Dᵀ (γ − 2 μ ω Φ̇ − ω² Φ)
//
// The matrix on the left is positive definite whatever the rank of D, so that redundant constraints and singular
// positions need no care.  It is dense, for mechanisms of moderate size.

#include "mubody/math/dense.h"
#include "mubody/treatments/dense.h"
#include "mubody/treatments/treatment.h"

namespace mubody {
class Penalized {
 public:
  double alpha = 1e7, omega = 10, mu = 1;

  void fields(Fields& f) {
    f.optional("alpha", alpha, "1", "penalty factor [kg, kg m²]");
    f.optional("omega", omega, "rad/s", "natural frequency of the violation");
    f.optional("mu", mu, "1", "damping ratio of the violation; 1 is critical");
  }
  void check() const {
    require(alpha > 0, "alpha", "must be positive");
    require(omega >= 0, "omega", "must not be negative");
    require(mu >= 0, "mu", "must not be negative");
  }

 protected:
  // M, D and the factors of M + α DᵀD at the last evaluation.
  void factor(Dynamics& d) {
    take_mass(d, M_);
    d.system.structure.full(d.terms.D, D_);
    K_.noalias() = alpha * D_.transpose() * D_;
    K_ += M_;
    solver_.compute(K_);
  }
  // γ − 2 μ ω Φ̇ − ω² Φ
  const VecX& wanted(const Dynamics& d) {
    wanted_ = d.terms.gamma - 2 * mu * omega * d.terms.rate - omega * omega * d.terms.phi;
    return wanted_;
  }

  MatX M_, D_, K_;
  VecX wanted_, rhs_, change_;
  Ldlt solver_;
};
}  // namespace mubody
