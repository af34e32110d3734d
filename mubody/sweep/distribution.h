#pragma once
// How a number varies at random: the value below which a share p of all draws lies.
//
//   docs/user/sweep.md#distributions
//
// Draws are made by this function from evenly spread p, so that Latin hypercubes and plain sampling share it.  The
// distributions of the standard library differ from one library to the next and are not used.
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mubody {
class Distribution {
 public:
  /// By its name and numbers, as in "normal", {1, 0.1}.  Throws std::invalid_argument with what is wrong.
  Distribution(std::string_view name, std::vector<double> numbers);

  /// Of p in (0, 1).
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
/// All there are, for the manual: "normal(mean, sd)".
std::span<const DistributionNote> distribution_notes();

/// x with P(X < x) = p for the standard normal distribution.
double normal_quantile(double p);
/// P(X < x) for the standard normal distribution.
double normal_share(double x);
}  // namespace mubody
