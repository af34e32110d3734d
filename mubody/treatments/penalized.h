#pragma once
// Shared by treatments with a penalty: constraints as stiff spring-damper-inertia systems on their violation,
//
//   λ = α (Φ̈ + 2 μ ω Φ̇ + ω² Φ),     (M + α DᵀD) a = Q + α Dᵀ (γ − 2 μ ω Φ̇ − ω² Φ)
//
// α is a mass; an equation that measures no length takes it times the square of the characteristic length.
//
// The matrix on the left is positive definite whatever the rank of D, so that redundant constraints and singular
// positions need no care.  It is dense, for mechanisms of moderate size.  Beside a large α a small mass is lost in
// round-off: a mechanism with a freedom that moves next to none is refused.
#include <limits>

#include <fmt/format.h>

#include "mubody/math/dense.h"
#include "mubody/treatments/dense.h"
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
    return "constraints give way to their forces: digits do not count what that does to the motion, which "
           "falls "
           "as alpha grows";
  }

  /// Refuses a start whose masses do not suit the penalty factor.
  void accepted(Dynamics& d, double t, const In& q, const In& u) {
    if (accepted_ || d.system.m == 0) return;
    accepted_ = true;
    d.system.evaluate(t, q, u, d.terms);
    factor(d);
    // In the units of the system, so that lengths and angles compare.
    const VecX& units = d.system.units;
    MatX D = D_;
    d.system.scale(D);
    const MatX free = null_space(D, 1e-6);
    if (free.cols() == 0) return;
    constexpr double noise = 1e-4;  // largest share of an acceleration
    const SymmetricEigen moved = symmetric_eigen(congruent(units.asDiagonal() * free, M_));
    const double stiffest = K_.diagonal().cwiseProduct(units.cwiseAbs2()).maxCoeff();
    if (moved.values[0] * noise > std::numeric_limits<double>::epsilon() * stiffest) return;
    int most = 0;
    (free * moved.vectors.col(0)).cwiseAbs().maxCoeff(&most);
    throw ModelError(fmt::format(
        "the penalty factor alpha = {:.3g} hides the mass that moves with body '{}' ({:.2g} kg m²): take "
        "alpha below {:.1g}, or another treatment such as \"projection\"",
        alpha, d.system.body_names[std::size_t(d.system.body_of_velocity[std::size_t(most)])], moved.values[0],
        alpha * moved.values[0] * noise / (std::numeric_limits<double>::epsilon() * stiffest)));
  }

 protected:
  // M, D, α D and the factors of M + α DᵀD at the last evaluation.
  void factor(Dynamics& d) {
    take_mass(d, M_);
    d.system.structure.full(d.terms.D, D_);
    weights_ = alpha * (d.system.scales.length * d.system.row_units.cwiseInverse()).cwiseAbs2();
    weighted_.noalias() = weights_.asDiagonal() * D_;
    K_.noalias() = D_.transpose() * weighted_;
    K_ += M_;
    solver_.compute(K_);
  }
  // γ − 2 μ ω Φ̇ − ω² Φ
  const VecX& wanted(const Dynamics& d) {
    wanted_ = d.terms.gamma - 2 * mu * omega * d.terms.rate - omega * omega * d.terms.phi;
    return wanted_;
  }

  MatX M_, D_, K_, weighted_;  // the last: α D
  VecX weights_;               // α of each equation
  VecX wanted_, rhs_, change_;
  Ldlt solver_;

 private:
  bool accepted_ = false;  // the start has been looked at
};
}  // namespace mubody
