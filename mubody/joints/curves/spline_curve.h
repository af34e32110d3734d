#pragma once
// A cubic spline through points, open or closed.  The parameter is the length of the chords.
//   De Boor, "A Practical Guide to Splines", revised edition, 2001, chapter IV
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
    find_third_derivatives();
  }
  double end() const { return s_.back(); }
  bool is_closed() const { return closed; }
  int pieces() const { return int(s_.size()) - 1; }
  template <class R> CurveAtOf<R> operator()(const R& s) const {
    const auto piece = pieces_of(s, s_);
    CurveAtOf<R> p;
    for (int c = 0; c < int(points.columns.size()); ++c) {
      const JetOf<R> here = curve_[std::size_t(c)].at(s);
      p.r[c] = here.x, p.d[c] = here.v, p.dd[c] = here.a;
      p.ddd[c] = piece(third_, 3, c);
    }
    return p;
  }

 private:
  // The second derivative is straight from knot to knot.
  void find_third_derivatives() {
    third_.clear();
    for (std::size_t k = 0; k + 1 < s_.size(); ++k) {
      const double low = s_[k], part = s_[k + 1] - low;
      for (const CubicSpline& x : curve_)
        third_.push_back((x.at(low + 0.75 * part).a - x.at(low + 0.25 * part).a) / (0.5 * part));
    }
  }

  std::vector<double> s_{0, 1};  // parameters of the points
  std::array<CubicSpline, 3> curve_;
  std::vector<double> third_{0, 0, 0};  // third derivatives, three from point to point
};
}  // namespace mubody
