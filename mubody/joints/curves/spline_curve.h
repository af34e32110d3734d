#pragma once
// A cubic spline through points, open or closed.  The parameter is the length of the chords.
//   De Boor, "A Practical Guide to Splines", revised edition, 2001, chapter IV
#include <algorithm>
#include <array>
#include <cmath>

#include "mubody/joints/curves/body_curve.h"

namespace mubody {
struct SplineCurve {
  static constexpr Info info{"spline", "a smooth curve through points, open or closed"};
  Data points;
  bool closed = false;

  void fields(Fields& f) {
    f.required("points", points, "m, m[, m]", "rows of x and y, in space also z, in the axes of the marker");
    f.optional("closed", closed, "", "whether it leads from the last point back to the first");
  }
  void check() {
    const auto& columns = points.columns;
    require(columns.size() == 2 || columns.size() == 3, "points",
            "expected 2 or 3 numbers in each row, got " + std::to_string(columns.size()));
    const std::size_t rows = columns[0].size(), least = closed ? 3 : 2;
    require(rows >= least, "points", "at least " + std::to_string(least) + " are needed");
    s_.assign(1, 0);
    std::vector<std::vector<double>> x(columns.begin(), columns.end());
    if (closed)
      for (auto& values : x) values.push_back(values.front());
    for (std::size_t k = 1; k < x[0].size(); ++k) {
      double way = 0;
      for (const auto& values : x) way += std::pow(values[k] - values[k - 1], 2);
      if (!(std::isfinite(way) && way > 0))
        throw FieldError("points", k < rows ? k : 0,
                         "must be finite and differ from the point before; a closed curve does not repeat its "
                         "first point");
      s_.push_back(s_.back() + std::sqrt(way));
    }
    const auto ends = closed ? CubicSpline::Ends::periodic : CubicSpline::Ends::natural;
    for (std::size_t c = 0; c < x.size(); ++c) curve_[c] = CubicSpline(s_, x[c], ends);
  }
  double end() const { return s_.back(); }
  bool is_closed() const { return closed; }
  int pieces() const { return int(s_.size()) - 1; }
  CurveAt operator()(double s) const {
    // The second derivative is straight from knot to knot.
    const auto next = std::upper_bound(s_.begin() + 1, s_.end() - 1, s);
    const double low = *(next - 1), high = *next;
    CurveAt p;
    for (int c = 0; c < int(points.columns.size()); ++c) {
      const CubicSpline& x = curve_[std::size_t(c)];
      const Jet here = x.at(s);
      p.r[c] = here.x, p.d[c] = here.v, p.dd[c] = here.a;
      p.ddd[c] = (x.at(low + 0.75 * (high - low)).a - x.at(low + 0.25 * (high - low)).a) / (0.5 * (high - low));
    }
    return p;
  }

 private:
  std::vector<double> s_{0, 1};  // parameters of the points
  std::array<CubicSpline, 3> curve_;
};
}  // namespace mubody
