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

  double value(double x) const { return height(x); }
  template <NotKnown R> R value(const R& x) const { return height(x); }
  /// The slope at x; at a knot, that of the line to its right.
  double slope(double x) const { return line_of(pieces_of(x, x_)).slope; }
  /// The integral from the first knot to x.
  double integral(double x) const { return area(x); }
  template <NotKnown R> R integral(const R& x) const { return area(x); }

 private:
  template <class R> R height(const R& x) const {
    const auto line = line_of(pieces_of(x, x_));
    return line.y + line.slope * (x - line.begin);
  }
  template <class R> R area(const R& x) const {
    const auto at = pieces_of(x, x_);
    const auto line = line_of(at);
    const R s = x - line.begin;
    return at(area_, 1, 0) + s * (line.y + line.slope * s / 2);
  }

  template <class R> struct LineOf { R begin, y, slope; };
  LineOf<double> line_of(const KnownPiece& at) const {
    const std::size_t k = at.k;
    return {x_[k], y_[k], (y_[k + 1] - y_[k]) / (x_[k + 1] - x_[k])};
  }
  template <class At> auto line_of(const At& at) const {
    std::vector<double> slopes;
    for (std::size_t k = 0; k + 1 < x_.size(); ++k) slopes.push_back(line_of(KnownPiece{k}).slope);
    const auto begin = at(x_, 1, 0);
    return LineOf<std::remove_const_t<decltype(begin)>>{begin, at(y_, 1, 0), at(slopes, 1, 0)};
  }

  std::vector<double> x_{0, 1}, y_{0, 0};
  std::vector<double> area_{0, 0};  // below the lines, up to each knot
};
}  // namespace mubody
