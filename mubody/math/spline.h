#pragma once
// Twice continuously differentiable curves through given points: cubics from knot to knot.
// De Boor, "A Practical Guide to Splines", revised edition, 2001, chapter IV.
#include <cstddef>
#include <vector>

#include "mubody/math/knots.h"

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
  template <NotKnown R> JetOf<R> at(const R& x) const { return curve(x); }
  /// The integral from the first knot to x.
  double integral(double x) const;
  template <NotKnown R> R integral(const R& x) const { return area(x); }

 private:
  Cubic piece(std::size_t k) const;
  template <class At> auto cubic(const At& at) const {
    return cubic_of(at, x_.size() - 1, [this](std::size_t k) { return piece(k); });
  }
  template <class R> JetOf<R> curve(R x) const;
  template <class R> R area(R x) const;
  void find_curvatures(double start_slope, double end_slope);
  void find_periodic_curvatures();

  std::vector<double> x_{0, 1}, y_{0, 0};
  std::vector<double> curvature_{0, 0};  // second derivative at each knot
  std::vector<double> area_{0, 0};       // integral up to each knot
  Ends ends_ = Ends::natural;
};

template <class R> JetOf<R> CubicSpline::curve(R x) const {
  if (ends_ == Ends::periodic) {
    x = into_period(x_, x);
    return cubic(pieces_of(x, x_)).at(x);
  }
  const CubicOf<R> piece = cubic(pieces_of(x, x_));
  return branch(
      x >= x_.front() && x <= x_.back(), [&] { return piece.at(x); },
      [&] {
        const R end = choose(x < x_.front(), x_.front(), x_.back());
        const JetOf<R> there = piece.at(end);
        return JetOf<R>{there.x + there.v * (x - end), there.v, 0};
      });
}

template <class R> R CubicSpline::area(R x) const {
  const auto up_to = [&](const R& inside) {
    const auto at = pieces_of(inside, x_);
    return at(area_, 1, 0) + cubic(at).integral(inside);
  };
  if (ends_ == Ends::periodic) {
    const R inside = into_period(x_, x);
    return area_.back() * floor((x - inside) / (x_.back() - x_.front()) + 0.5) + up_to(inside);
  }
  return branch(
      x >= x_.front() && x <= x_.back(), [&] { return up_to(x); },
      [&] {
        const auto before = x < x_.front();
        const R end = choose(before, x_.front(), x_.back()), s = x - end;
        const JetOf<R> there = cubic(pieces_of(x, x_)).at(end);
        return R(choose(before, 0.0, area_.back()) + s * (there.x + there.v * s / 2));
      });
}
}  // namespace mubody
