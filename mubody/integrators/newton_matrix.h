#pragma once
// The matrix of Newton's method in implicit steps, I − c ∂f/∂y: exact where the equation offers its derivatives, else by
// differences.
//
//   docs/theory/integrators.md#the-matrix-of-newton
#include "mubody/integrators/implicit_equations.h"
#include "mubody/integrators/integrator.h"
#include "mubody/math/dense.h"

namespace mubody {
class NewtonMatrix {
 public:
  /// Takes the memory that it needs for this equation.  renew() comes before factor() and solve().
  void begin(Ode&, Eigen::Index n);
  /// Takes the derivatives at a state, and factors for c; y is as before afterwards.  Counts evaluations.
  void renew(Ode&, double t, VecX& y, double c, StepStatistics&);
  /// For another c, with the same derivatives.  Returns false if they do not serve, and have to be renewed.
  bool factor(double c);
  /// x may not be r.
  void solve(const In& r, VecX& x);
  /// Whether all derivatives are finite.
  bool finite() const { return exact_ || slopes_.allFinite(); }

 private:
  void differ(Ode&, double t, VecX& y, StepStatistics&);

  double spent_ = 0;                    // on differences, beyond what exact derivatives cost [evaluations]
  ImplicitEquations* exact_ = nullptr;  // of the present matrix; null: differences
  bool refused_ = false;                // it had no solution once, as with bodies that have no mass
  Eigen::ArrayXd size_;                 // Sizes of the equation
  VecX rate_, moved_;
  MatX slopes_, matrix_;
  Lu factors_;
};
}  // namespace mubody
