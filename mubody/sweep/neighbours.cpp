#include "mubody/sweep/neighbours.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace mubody {
namespace {
/// The place of each point: the digits of its values, taken in turns.
std::vector<std::uint64_t> places_of(std::span<const std::vector<double>* const> points) {
  constexpr std::size_t digits = 64;
  const std::size_t variables = points.front()->size(), taken = std::min(variables, digits);
  std::vector<std::uint64_t> all(points.size(), 0);
  for (std::size_t v = 0; v < taken; ++v) {
    const auto value = [v](const std::vector<double>* p) { return (*p)[v]; };
    const auto [least, largest] = std::ranges::minmax(points, {}, value);
    const std::size_t own = std::min<std::size_t>(digits / taken, 32);
    const double low = value(least), range = value(largest) - low,
                 steps = double((std::uint64_t(1) << own) - 1);
    for (std::size_t k = 0; k < points.size(); ++k) {
      const double share =
          (value(points[k]) - low) / range;  // not a number if the range is nothing, or no number
      const auto at = share > 0 ? std::uint64_t(std::min(share, 1.0) * steps) : 0;
      for (std::size_t digit = 0; digit < own; ++digit)
        all[k] |= (at >> digit & 1) << (digit * taken + (taken - 1 - v));
    }
  }
  return all;
}
}  // namespace

std::vector<int> order_of_neighbours(std::span<const std::vector<double>* const> points) {
  std::vector<int> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  if (points.empty() || points.front()->empty()) return order;
  const std::vector<std::uint64_t> places = places_of(points);
  std::ranges::stable_sort(order, {}, [&](int k) { return places[std::size_t(k)]; });
  return order;
}
}  // namespace mubody
