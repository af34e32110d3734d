#pragma once
// How a number varies at random, given by its quantiles: the value below which a share p of all draws lies.
//
//   docs/user/sweep.md#distributions
//
// Draws are quantiles of evenly distributed p, both in Latin hypercubes and in plain samples.  The
// distributions of the standard library are not used, because they differ from one implementation to the next.
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mubody {
class Distribution {
 public:
  /// The arguments are a name and its numbers, as in "normal", {1, 0.1}.  Throws std::invalid_argument, which
  /// says what is wrong.
  Distribution(std::string_view name, std::vector<double> numbers);

  /// The value below which a share p of all draws lies; p is in (0, 1).
  double quantile(double p) const;
  /// "normal(1, 0.1)".
  std::string text() const;

 private:
  std::size_t kind_;
  std::vector<double> numbers_;
};

struct DistributionNote {
  std::string_view form, meaning;
};
/// All distributions, for the manual: "normal(mean, sd)".
std::span<const DistributionNote> distribution_notes();

/// x with P(X < x) = p for the standard normal distribution.
double normal_quantile(double p);
/// P(X < x) for the standard normal distribution.
double normal_share(double x);
}  // namespace mubody
