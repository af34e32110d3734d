#include "mubody/results/agreement.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

namespace mubody {
namespace {
constexpr double share_of_95_percent = 1.96;  // standard deviations of a normal distribution, to both sides

double mean(std::span<const double> x) {
  return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}

double squares_about(std::span<const double> x, double centre) {
  double sum = 0;
  for (const double value : x) sum += (value - centre) * (value - centre);
  return sum;
}

// A series that is constant except for rounding does not vary.
bool varies(std::span<const std::span<const double>> raters) {
  double spread = 0, size = 0;
  for (const auto x : raters) {
    const auto [low, high] = std::ranges::minmax(x);
    spread = std::max(spread, high - low);
    size = std::max({size, std::abs(low), std::abs(high)});
  }
  constexpr double rounding = 16 * std::numeric_limits<double>::epsilon();
  return spread > rounding * size;
}
}  // namespace

Intraclass intraclass(std::span<const std::span<const double>> raters) {
  assert(raters.size() >= 2);
  const std::size_t n = raters[0].size();
  Intraclass icc;
  if (n < 2) return icc;
  const auto targets = static_cast<double>(n), judges = static_cast<double>(raters.size());

  std::vector<double> of_rater, of_target(n, 0);
  for (const auto x : raters) {
    assert(x.size() == n);
    of_rater.push_back(mean(x));
    for (std::size_t k = 0; k < n; ++k) of_target[k] += x[k] / judges;
  }
  const double grand = mean(of_rater);
  double rest = 0;
  for (std::size_t j = 0; j < raters.size(); ++j)
    for (std::size_t k = 0; k < n; ++k) {
      const double r = (raters[j][k] - of_rater[j]) - (of_target[k] - grand);
      rest += r * r;
    }
  icc.between_targets = judges * squares_about(of_target, grand) / (targets - 1);
  icc.between_raters = targets * squares_about(of_rater, grand) / (judges - 1);
  icc.residual = rest / ((targets - 1) * (judges - 1));
  if (!varies(raters)) return icc;

  const double above = icc.between_targets - icc.residual;
  const double below = icc.between_targets + (judges - 1) * icc.residual;
  const double with_offset = below + judges * (icc.between_raters - icc.residual) / targets;
  if (below > 0) icc.consistency = above / below;
  if (with_offset > 0) icc.absolute = above / with_offset;
  return icc;
}

Agreement agreement(std::span<const double> times, std::span<const double> a, std::span<const double> b) {
  assert(!times.empty() && a.size() == times.size() && b.size() == times.size());
  Agreement result;
  result.n = times.size();
  result.at = times[0];
  std::vector<double> difference(result.n);
  for (std::size_t k = 0; k < result.n; ++k) {
    difference[k] = a[k] - b[k];
    if (std::abs(difference[k]) > result.max) {
      result.max = std::abs(difference[k]);
      result.at = times[k];
    }
  }
  const auto count = static_cast<double>(result.n);
  result.rms = std::sqrt(squares_about(difference, 0) / count);
  result.bias = mean(difference);
  if (result.n > 1) {
    const double sd = std::sqrt(squares_about(difference, result.bias) / (count - 1));
    result.sd = sd;
    result.lower = result.bias - share_of_95_percent * sd;
    result.upper = result.bias + share_of_95_percent * sd;
  }
  const std::array both{a, b};
  const Intraclass icc = intraclass(both);
  result.consistency = icc.consistency;
  result.absolute = icc.absolute;
  return result;
}
}  // namespace mubody
