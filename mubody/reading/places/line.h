#pragma once
// Places on one line.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "mubody/math/space.h"

namespace mubody::io {
/// The ends of the line that all points lie on, in the direction of the first two; none if they lie on no line, as
/// far as the digits of a drawing tell.
inline std::optional<std::pair<Vec<3>, Vec<3>>> ends_of_line(const std::vector<Vec<3>>& points) {
  if (points.size() == 2) return std::pair{points[0], points[1]};
  const Vec<3> x = (points[1] - points[0]).normalized();
  double low = 0, high = 0, beside = 0;
  for (const Vec<3>& p : points) {
    const double along = (p - points[0]).dot(x);
    low = std::min(low, along), high = std::max(high, along);
    beside = std::max(beside, (p - points[0] - along * x).norm());
  }
  constexpr double digits = 1e-7;
  if (!(beside <= digits * (high - low))) return {};
  return std::pair{Vec<3>(points[0] + low * x), Vec<3>(points[0] + high * x)};
}
}  // namespace mubody::io
