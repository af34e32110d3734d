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
  template <NotKnown R> JetOf<R> at(const R& x) const { return curve(x); }
  /// The least and the greatest value between the first point and the last.
  std::pair<double, double> range() const;

 private:
  void find_slopes();
  Cubic piece_of(std::size_t k) const;
  template <class R> JetOf<R> curve(R x) const;

  By by_ = By::linear;
  bool periodic_ = false;
  CubicSpline spline_;
  std::vector<double> x_{0, 1}, y_{0, 0};
  std::vector<double> slope_{0, 0};  // at each point; of lines, those to its right
};

template <class R> JetOf<R> Interpolant::curve(R x) const {
  if (by_ == By::spline) return spline_.at(x);
  if (periodic_) x = into_period(x_, x);
  return branch(
      x >= x_.front() && x <= x_.back(),
      [&] {
        const auto there = [this](std::size_t k) { return piece_of(k); };
        const CubicOf<R> piece = cubic_of(pieces_of(x, x_), x_.size() - 1, there);
        return by_ == By::linear ? piece.line_at(x) : piece.at(x);
      },
      [&] {
        const auto before = x < x_.front();
        const R end = choose(before, x_.front(), x_.back()),
                slope = choose(before, slope_.front(), slope_.back());
        return JetOf<R>{choose(before, y_.front(), y_.back()) + slope * (x - end), slope, 0};
      });
}

/// Those of the points at which the curve bends: from one to the next it stays within a share of its range of a straight
/// line.
std::vector<double> bends(const std::vector<double>& x, const std::vector<double>& y, double share);
}  // namespace mubody
