#pragma once
// A curve through given points, as smooth as one wants it: the smoother, the farther it may swing out between them.
#include <utility>
#include <vector>

#include "mubody/math/spline.h"

namespace mubody {
/// Beyond the data the curve goes on along its tangent; a periodic one repeats itself.
class Interpolant {
 public:
  enum class By {
    spline,    // twice continuously differentiable; may leave the range of the data
    monotone,  // once; rises and falls where the data do, and never beyond them
    linear     // straight from point to point
  };

  Interpolant() = default;  // zero everywhere
  /// The ends and slopes are those of the spline; other curves only ask whether they are periodic.
  Interpolant(By, std::vector<double> x, std::vector<double> y, CubicSpline::Ends = CubicSpline::Ends::natural,
              double start_slope = 0, double end_slope = 0);

  /// Value, first and second derivative.
  Jet at(double x) const;
  /// The least and the greatest value between the first point and the last.
  std::pair<double, double> range() const;

 private:
  void find_slopes();
  Jet inside(std::size_t k, double x) const;

  By by_ = By::linear;
  bool periodic_ = false;
  CubicSpline spline_;
  std::vector<double> x_{0, 1}, y_{0, 0};
  std::vector<double> slope_{0, 0};  // at each point; of lines, those to its right
};

/// Those of the points at which the curve bends: from one to the next it stays within a share of its range of a straight
/// line.
std::vector<double> bends(const std::vector<double>& x, const std::vector<double>& y, double share);
}  // namespace mubody
