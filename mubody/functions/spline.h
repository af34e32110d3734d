#pragma once
// A curve through points in time, such as measured motion.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "mubody/functions/function.h"
#include "mubody/math/interpolant.h"
#include "mubody/math/jet_math.h"
#include "mubody/model/table.h"

namespace mubody {
struct Spline {
  static constexpr Info info{"spline",
                             "a curve through points: a cubic spline, or one that does not swing out"};
  Data data;
  int column = 1;
  Choice interpolation{{"spline", "monotone", "linear"}};         // in the order of Interpolant::By
  Choice ends{{"natural", "clamped", "not-a-knot", "periodic"}};  // in the order of CubicSpline::Ends
  double start_slope = 0, end_slope = 0;

  void fields(Fields& f) {
    f.required("data", data, "", "rows of time and values; times must increase");
    f.optional("column", column, "1", "column of the values, column 0 being the times");
    f.optional("interpolation", interpolation, "",
               "spline: smoothest; monotone: never beyond the data; linear: straight from point to point");
    f.optional(
        "ends", ends, "",
        "natural: no curvature; clamped: given slopes; not-a-knot; periodic, which other curves can be too");
    f.optional("start_slope", start_slope, "", "slope at the first point, clamped ends only");
    f.optional("end_slope", end_slope, "", "slope at the last point, clamped ends only");
  }
  void check() {
    require(std::isfinite(start_slope), "start_slope", "must be finite");
    require(std::isfinite(end_slope), "end_slope", "must be finite");
    const auto [times, values] = points_of(data, column, "times");
    const auto [low, high] = std::ranges::minmax(values);
    // Values such as sin(2π) differ by rounding.
    if (is_periodic())
      require(std::abs(values.back() - values.front()) <= 1e-9 * std::max(std::abs(low), std::abs(high)),
              "data", "the last value of a periodic curve must be the first one");
    curve = Interpolant(static_cast<Interpolant::By>(interpolation.index), times, values,
                        static_cast<CubicSpline::Ends>(ends.index), start_slope, end_slope);
    // Where data are dense a step need not end at every point of them, only where they bend.
    constexpr std::size_t dense = 10'000;
    constexpr double little = 1e-3;  // of the range
    knots = times.size() > dense ? bends(times, values, little) : times;
  }
  template <class R> JetOf<R> operator()(const R& t) const { return curve.at(t); }
  std::optional<std::pair<double, double>> data_range() const {
    if (is_periodic()) return {};
    return std::pair(data.columns[0].front(), data.columns[0].back());
  }

  /// A spline has a jump in its third derivative at most, other curves in an earlier one.
  Breakpoints breakpoints(double from, double to) const {
    Breakpoints all;
    std::vector<double>& inner = interpolation.index == 0 ? all.knots : all.jumps;
    if (!is_periodic()) {
      all.jumps = {knots.front(), knots.back()};
      inner.insert(inner.end(), knots.begin(), knots.end());
      return all;
    }
    const double period = knots.back() - knots.front();
    const double first = std::floor((from - knots.front()) / period),
                 last = std::ceil((to - knots.front()) / period);
    constexpr double most =
        1e6;  // as many steps as that would be needed; more are the business of step control
    if ((last - first) * double(knots.size()) > most) return all;
    for (double k = first; k < last; ++k)
      for (const double t : knots) inner.push_back(t + k * period);
    return all;
  }

  std::string remark() const {
    const auto [low, high] = std::ranges::minmax(data.columns[std::size_t(column)]);
    const auto [least, greatest] = curve.range();
    const double beyond = std::max(low - least, greatest - high);
    constexpr double noteworthy = 0.1;  // of the range of the data
    if (!(beyond > noteworthy * (high - low))) return {};
    return fmt::format(
        "the spline through its data goes from {:.4g} to {:.4g}, the data from {:.4g} to {:.4g}; "
        "interpolation = \"monotone\" or \"linear\" stays within them",
        least, greatest, low, high);
  }

  Interpolant curve;          // through the points, as check() found it
  std::vector<double> knots;  // at which steps end

 private:
  bool is_periodic() const { return static_cast<CubicSpline::Ends>(ends.index) == CubicSpline::Ends::periodic; }
};
}  // namespace mubody
