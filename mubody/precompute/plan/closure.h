#pragma once
// A mechanism at given values of its independent variables, exactly: what tables are made of and measured by.
//
//   Φ(q) = 0,  p(q) = θ             positions by Newton's method, continued from the configuration before
//   [D; R] B = [0; 1]               velocity coefficients: u = B θ̇
//   [D; R] a = γ(u), θ̈ = 0          accelerations; of unit rates and their sums these are the derivatives of B:
//
//   ∂B_l/∂θ_k = ½ (a(B_k + B_l) − a(B_k) − a(B_l)) − ½ B_k × B_l
//
// The product, of angular parts in space only, is there because angular velocities are the rates of nothing:
// what differs between ∂B_l/∂θ_k and ∂B_k/∂θ_l.
//
// Precomputation (dissertation), eqs. 3.4.18-3.4.23, 3.5.9-3.5.17, 3.7.40-3.7.61.     docs/theory/precompute.md
#include <functional>
#include <memory>

#include "mubody/math/dense.h"
#include "mubody/precompute/plan/variable.h"
#include "mubody/system/system.h"

namespace mubody {
/// B and its derivatives.
struct ClosureCoefficients {
  MatX B;                // a row for each velocity, a column for each variable
  std::vector<MatX> dB;  // by θ_k
};

class Closure {
 public:
  /// Of the joints without drivers; q satisfies them.
  Closure(const Mechanism&, std::vector<Variable> variables, double t, const VecX& q);

  int n() const { return int(variables_.size()); }
  const std::vector<Variable>& variables() const { return variables_; }
  const System& system() const { return *system_; }
  const VecX& q() const { return q_; }
  /// Angles are counted from the start on.
  const VecX& theta() const { return theta_; }
  /// Moves to these values; false if there is no way, and then it stands where it came to.
  bool go(const VecX& theta);
  /// Puts it back to a configuration it was at.
  void put(const VecX& q, const VecX& theta);
  /// At the present configuration.
  ClosureCoefficients coefficients();
  /// B alone; slides in units of the length, so that turns and slides can be compared.
  MatX velocity_coefficients();
  /// The largest entry of B, slides in units of the length: it grows without bounds towards a dead point.
  double amplification();
  /// Whether the variables determine the velocities of all bodies here.
  bool determined();
  /// The longest arm of a joint [m].
  double length() const { return length_; }
  /// Rates of the variables at velocities.
  VecX rates(const In& u);
  /// Called after every small step, for what counts turns.
  std::function<void(const VecX& q)> passed;

 private:
  bool step(const VecX& to);
  bool settle(const VecX& to, double way);
  void look(const In& u);
  VecX residual(const VecX& to) const;
  void factor();
  MatX solve(const MatX& c) const;

  std::vector<Variable> variables_;
  std::unique_ptr<System> system_;
  double t_, length_ = 1;
  Terms terms_;
  VecX q_, theta_;
  bool least_squares_ = false, factored_ = false;
  std::vector<Eigen::Index> kept_;  // equations, if some are redundant
  Lu lu_;
  LeastSquares cod_;
};
}  // namespace mubody
