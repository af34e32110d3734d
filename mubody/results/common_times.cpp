#include "mubody/results/common_times.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "mubody/math/spline.h"

namespace mubody {
std::vector<double> common_times(std::span<const double> a, std::span<const double> b) {
  if (a.empty() || b.empty()) return {};
  const double first = std::max(a.front(), b.front()), last = std::min(a.back(), b.back());
  // The same end of a run may be written as 10 and as 9.999999999999998.
  constexpr double rounding = 1e-12;
  const double slack = rounding * std::max(std::abs(first), std::abs(last));
  const auto within = [&](std::span<const double> times) {
    std::vector<double> inside;
    for (const double t : times)
      if (t >= first - slack && t <= last + slack) inside.push_back(t);
    return inside;
  };
  std::vector<double> of_a = within(a), of_b = within(b);
  if (of_a.empty() || of_b.empty()) return of_a.empty() ? of_b : of_a;
  return of_b.size() < of_a.size() ? of_b : of_a;
}

std::vector<double> values_at(std::span<const double> times, std::span<const double> t,
                              std::span<const double> y) {
  std::optional<CubicSpline> spline;  // made only when needed
  std::vector<double> values;
  values.reserve(times.size());
  for (const double x : times) {
    const auto here = std::ranges::lower_bound(t, x);
    if (here != t.end() && *here == x) {
      values.push_back(y[static_cast<std::size_t>(here - t.begin())]);
    } else if (t.size() < 2) {
      values.push_back(y[0]);  // the times differ by rounding only
    } else {
      if (!spline)
        spline.emplace(std::vector(t.begin(), t.end()), std::vector(y.begin(), y.end()),
                       CubicSpline::Ends::not_a_knot);
      values.push_back(spline->at(x).x);
    }
  }
  return values;
}
}  // namespace mubody
