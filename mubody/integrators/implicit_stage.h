#pragma once
// The equation of an implicit step, and Newton's method for it.
//
//   y = known + c f(t, y),     (I − c ∂f/∂y) Δy = known + c f(t, y) − y
//
// The matrix is kept as long as it serves.                                   docs/theory/integrators.md#implicit-steps
#include "mubody/integrators/newton_matrix.h"

namespace mubody {
class ImplicitStage {
 public:
  /// Takes the memory that steps of this equation need, and forgets the matrix.
  void begin(Ode&, const VecX& y);
  /// The matrix is made anew in the next step.
  void forget() { matrix_of_ = no_matrix; }
  /// Moves y from a prediction to the solution; counts evaluations and iterations.  Returns false if there is none nearby;
  /// y is then of no use.
  bool solve(Ode&, double t, double c, const VecX& known, VecX& y, StepStatistics&);
  /// Whether the rates last evaluated are finite; without a solution, why there is none for the step from t.
  bool finite() const { return rate_.allFinite(); }
  static std::string no_solution(double t);

 private:
  static constexpr double no_matrix = 0;

  bool iterate(Ode&, double t, double c, const VecX& known, VecX& y, StepStatistics&);

  double matrix_of_ = no_matrix;  // c of the matrix
  VecX predicted_, residual_, rate_, moved_;
  Eigen::ArrayXd size_, most_;  // Sizes of the equation
  NewtonMatrix matrix_;
};
}  // namespace mubody
