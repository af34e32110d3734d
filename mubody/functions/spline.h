#pragma once
// A smooth curve through points in time, such as measured motion.
#include <algorithm>
#include <cmath>

#include "mubody/functions/function.h"
#include "mubody/math/spline.h"
#include "mubody/model/table.h"

namespace mubody {
struct Spline {
  static constexpr Info info{"spline", "a cubic spline through points"};
  Data data;
  int column = 1;
  Choice ends{{"natural", "clamped", "not-a-knot", "periodic"}};  // in the order of CubicSpline::Ends
  double start_slope = 0, end_slope = 0;

  void fields(Fields& f) {
    f.required("data", data, "", "rows of time and values; times must increase");
    f.optional("column", column, "1", "column of the values, column 0 being the times");
    f.optional("ends", ends, "", "natural: no curvature; clamped: given slopes; not-a-knot; periodic");
    f.optional("start_slope", start_slope, "", "slope at the first point, clamped ends only");
    f.optional("end_slope", end_slope, "", "slope at the last point, clamped ends only");
  }
  void check() {
    const auto kind = static_cast<CubicSpline::Ends>(ends.index);
    require(std::isfinite(start_slope), "start_slope", "must be finite");
    require(std::isfinite(end_slope), "end_slope", "must be finite");
    const auto [times, values] = points_of(data, column, "times");
    if (kind == CubicSpline::Ends::periodic) {
      double size = 0;
      for (const double y : values) size = std::max(size, std::abs(y));
      // Values such as sin(2π) differ by rounding.
      require(std::abs(values.back() - values.front()) <= 1e-9 * size, "data",
              "the last value of a periodic spline must be the first one");
    }
    curve = CubicSpline(times, values, kind, start_slope, end_slope);
  }
  Jet operator()(double t) const { return curve.at(t); }
  std::optional<std::pair<double, double>> data_range() const {
    if (ends.index == 3) return {};  // periodic
    return std::pair(data.columns[0].front(), data.columns[0].back());
  }

  Breakpoints breakpoints(double from, double to) const {
    const std::vector<double>& times = data.columns[0];
    if (ends.index != 3) return {{times.front(), times.back()}, times};
    Breakpoints all;
    const double period = times.back() - times.front();
    const double first = std::floor((from - times.front()) / period),
                 last = std::ceil((to - times.front()) / period);
    constexpr double most = 10000;  // knots; steps follow denser data by themselves
    if ((last - first) * double(times.size()) > most) return all;
    for (double k = first; k < last; ++k)
      for (const double t : times) all.knots.push_back(t + k * period);
    return all;
  }

  CubicSpline curve;  // through the points, as check() found it
};
}  // namespace mubody
