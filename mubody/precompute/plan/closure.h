#pragma once
// A mechanism at given values of its independent variables, exactly: tables are sampled from it and checked
// against it.
//
//   Φ(q) = 0,  p(q) = θ             positions by Newton's method, starting from the last configuration
//   [D; R] B = [0; 1]               velocity coefficients: u = B θ̇
//   [D; R] a = γ(u), θ̈ = 0          accelerations, which give the slopes of B at unit rates and sums of two:
//
//   ∂B_l/∂θ_k = ½ (a(B_k + B_l) − a(B_k) − a(B_l)) − ½ B_k × B_l
//
// The product is that of the angular parts, in space only.  It is the difference between ∂B_l/∂θ_k and
// ∂B_k/∂θ_l, which are not equal because angular velocities are not the rates of any coordinates.
//
// Precomputation (dissertation), eqs. 3.4.18-3.4.23, 3.5.9-3.5.17, 3.7.40-3.7.61.     docs/theory/precompute.md
#include <functional>
#include <memory>

#include "mubody/math/dense.h"
#include "mubody/precompute/plan/variable.h"
#include "mubody/system/system.h"

namespace mubody {
/// B and its slopes.
struct ClosureCoefficients {
  MatX B;                // a row for each velocity, a column for each variable
  std::vector<MatX> dB;  // by θ_k
};

class Closure {
 public:
  /// The joints without the drivers; q satisfies them.
  Closure(const Mechanism&, std::vector<Variable> variables, double t, const VecX& q);

  int n() const { return int(variables_.size()); }
  const std::vector<Variable>& variables() const { return variables_; }
  const System& system() const { return *system_; }
  const VecX& q() const { return q_; }
  /// The present values; angles are counted over turns, from the start on.
  const VecX& theta() const { return theta_; }
  /// Moves to these values.  Returns false if there is no way, and stays where it got to.
  bool go(const VecX& theta);
  /// Returns to a configuration where it has been.
  void put(const VecX& q, const VecX& theta);
  /// B and its slopes at the present configuration.
  ClosureCoefficients coefficients();
  /// B alone.
  MatX velocity_coefficients();
  /// The largest entry of B, with slides in units of the length; it grows without bounds towards a dead point.
  double amplification();
  /// Whether the variables determine the velocities of all bodies here.
  bool determined();
  /// 1 or -1, and the other one beyond a singular position; 0 where the variables do not determine the velocities.
  int side();
  /// The longest arm of a joint [m].
  double length() const { return length_; }
  /// That of a slide, 1 of a turn.
  double unit(int variable) const { return variables_[std::size_t(variable)].turn ? 1 : length_; }
  /// The rates of the variables at the velocities u.
  VecX rates(const In& u);
  /// Called after each small step, so that turns can be counted.
  std::function<void(const VecX& q)> passed;

 private:
  bool step(const VecX& to);
  bool close(const VecX& to, double way);
  void evaluate(const In& u);
  VecX residual(const VecX& to) const;
  void factor();
  MatX solve(const MatX& c) const;

  std::vector<Variable> variables_;
  std::unique_ptr<System> system_;
  double t_, length_ = 1;
  Terms terms_;
  VecX q_, theta_;
  bool least_squares_ = false, factored_ = false;
  std::vector<Eigen::Index> kept_;  // the equations that are used, if some are redundant
  Lu lu_;
  LeastSquares cod_;
};
}  // namespace mubody
