#pragma once
// Shared by curves through given points: the check of the points, and the search for the interval of x.
#include <algorithm>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <vector>

namespace mubody {
/// Throws std::invalid_argument unless there are at least two points with strictly increasing x.
inline void check_knots(const std::vector<double>& x, const std::vector<double>& y) {
  if (x.size() < 2 || x.size() != y.size()) throw std::invalid_argument("a curve needs two points or more");
  // Written so that a NaN is refused as well.
  const auto bad = std::adjacent_find(x.begin(), x.end(), std::not_fn(std::less<double>{}));
  if (bad != x.end()) throw std::invalid_argument("the knots of a curve must increase");
}

/// k such that x lies between knots k and k + 1; the first or last interval when x lies outside.
inline std::size_t interval(const std::vector<double>& knots, double x) {
  const auto after = std::upper_bound(knots.begin() + 1, knots.end() - 1, x);
  return static_cast<std::size_t>(after - knots.begin()) - 1;
}
}  // namespace mubody
