#pragma once
// Linear equations of implicit methods with exact derivatives, for those who can differentiate their rates:
//
//   (I − c ∂f/∂y) x = r                                            docs/theory/integrators.md#the-matrix-of-newton
//
// Whoever knows the structure of f solves them without ever forming the matrix.  Methods with several stages need them for
// complex numbers c too.
#include <complex>

#include "mubody/math/space.h"

namespace mubody {
using Complex = std::complex<double>;
using CVecX = Eigen::VectorXcd;

/// What dense factors cost, in evaluations of a mechanism with as many numbers, as measured: times the square of that number.
constexpr double factors_cost = 1.0 / 200;

class ImplicitEquations {
 public:
  virtual ~ImplicitEquations() = default;
  /// Whether derivatives are there, or are worth making where differences, with all that follows from them, have cost so
  /// many evaluations more so far.
  virtual bool pays(double evaluations) = 0;
  /// Takes the derivatives at a state.  Returns false if there are none there; differences take their place.
  virtual bool stand_at(double t, const In& y) = 0;
  /// Makes the equations ready for a number c.  Returns false if they have no unique solution, as far as can be seen.
  virtual bool factor(double c) = 0;
  virtual void solve(const In& r, Out x) = 0;
  /// The same for complex numbers c, of which several are kept, counted by `which`.
  virtual bool factor(std::size_t which, Complex c) = 0;
  virtual void solve(std::size_t which, const CVecX& r, CVecX& x) = 0;
};
}  // namespace mubody
