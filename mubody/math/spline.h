#pragma once
// Twice continuously differentiable curves through given points: cubics from knot to knot.
// De Boor, "A Practical Guide to Splines", revised edition, 2001, chapter IV.
#include <cstddef>
#include <vector>

#include "mubody/math/jet.h"

namespace mubody {
/// Beyond the data the curve goes on along its tangent, so that value and slope are continuous and the second
/// derivative is zero; a periodic curve repeats itself.
class CubicSpline {
 public:
  enum class Ends {
    natural,     // no curvature at the ends
    clamped,     // given slopes at the ends
    not_a_knot,  // one cubic across the first two intervals, and one across the last two
    periodic     // slope and curvature at the end are those at the start; the last value counts as the first
  };

  CubicSpline() = default;  // zero everywhere
  /// x must increase strictly.  Two or three points, not-a-knot: the line or parabola through them.
  CubicSpline(std::vector<double> x, std::vector<double> y, Ends ends = Ends::natural, double start_slope = 0,
              double end_slope = 0);

  /// Value, first and second derivative.
  Jet at(double x) const;
  /// The integral from the first knot to x.
  double integral(double x) const;

 private:
  struct Piece;  // a cubic in powers of x less a knot
  Piece piece(std::size_t k) const;
  void find_curvatures(double start_slope, double end_slope);
  void find_periodic_curvatures();
  double into_period(double x) const;

  std::vector<double> x_{0, 1}, y_{0, 0};
  std::vector<double> curvature_{0, 0};  // second derivative at each knot
  std::vector<double> area_{0, 0};       // integral up to each knot
  Ends ends_ = Ends::natural;
};
}  // namespace mubody
