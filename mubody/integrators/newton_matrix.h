#pragma once
// The matrix of Newton's method in implicit steps, I − c ∂f/∂y: exact where the equation offers its derivatives, else by
// differences.
//
//   docs/theory/integrators.md#the-matrix-of-newton
#include <span>
#include <vector>

#include "mubody/integrators/implicit_equations.h"
#include "mubody/integrators/integrator.h"
#include "mubody/math/dense.h"

namespace mubody {
class NewtonMatrix {
 public:
  /// Takes the memory that it needs for this equation.  renew() comes before factor() and solve().
  void begin(Ode&, Eigen::Index n);
  /// Takes the derivatives at a state, and factors for c, and for the complex numbers of methods that need some; y is as
  /// before afterwards.  Counts evaluations.
  void renew(Ode&, double t, VecX& y, double c, StepStatistics&, std::span<const Complex> others = {});
  /// For another c, with the same derivatives.  Returns false if they do not serve, and have to be renewed.
  bool factor(double c, std::span<const Complex> others = {});
  /// x may not be r.
  void solve(const In& r, VecX& x);
  /// With one of the complex numbers, counted by `which`.
  void solve(std::size_t which, const CVecX& r, CVecX& x);
  /// What matrices and solutions have cost since begin() beside evaluations, in evaluations.
  double work() const { return work_; }
  /// What is to be made later depends on what was spent.
  void memory(Memory& m) { m(work_, spent_); }
  /// Whether all derivatives are finite.
  bool finite() const { return exact_ || slopes_.allFinite(); }

 private:
  void differ(Ode&, double t, VecX& y, StepStatistics&);
  void factor_dense(std::size_t which, Complex c);

  double work_ = 0;
  double spent_ = 0;                    // on differences, beyond what exact derivatives cost [evaluations]
  ImplicitEquations* exact_ = nullptr;  // of the present matrix; null: differences
  bool refused_ = false;                // it had no solution once, as with bodies that have no mass
  Eigen::ArrayXd size_;                 // Sizes of the equation
  VecX rate_, moved_;
  MatX slopes_, matrix_;
  Lu factors_;
  // Complex equations as twice as many real ones.
  MatX twice_;
  VecX right_, solution_;
  std::vector<Lu> complex_factors_;
};
}  // namespace mubody
