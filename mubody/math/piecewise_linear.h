#pragma once
// Straight lines from point to point; beyond the data the first and last line go on.
#include <utility>

#include "mubody/math/knots.h"

namespace mubody {
class PiecewiseLinear {
 public:
  PiecewiseLinear() = default;  // zero everywhere
  PiecewiseLinear(std::vector<double> x, std::vector<double> y) : x_(std::move(x)), y_(std::move(y)) {
    check_knots(x_, y_);
    area_.assign(x_.size(), 0);
    for (std::size_t k = 0; k + 1 < x_.size(); ++k)
      area_[k + 1] = area_[k] + (x_[k + 1] - x_[k]) * (y_[k] + y_[k + 1]) / 2;
  }

  double value(double x) const {
    const std::size_t k = interval(x_, x);
    return y_[k] + slope_of(k) * (x - x_[k]);
  }
  /// The slope at x; at a knot, that of the line to its right.
  double slope(double x) const { return slope_of(interval(x_, x)); }
  /// The integral from the first knot to x.
  double integral(double x) const {
    const std::size_t k = interval(x_, x);
    const double s = x - x_[k];
    return area_[k] + s * (y_[k] + slope_of(k) * s / 2);
  }

 private:
  double slope_of(std::size_t k) const { return (y_[k + 1] - y_[k]) / (x_[k + 1] - x_[k]); }

  std::vector<double> x_{0, 1}, y_{0, 0};
  std::vector<double> area_{0, 0};  // below the lines, up to each knot
};
}  // namespace mubody
