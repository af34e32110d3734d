#pragma once
// Agreement of two series of the same quantity, in the figures usual for two methods of measurement.
// Bland and Altman (1986), Lancet 327, 307-310: mean and limits of the differences.
// Shrout and Fleiss (1979), Psychological Bulletin 86, 420-428: intraclass correlation, ICC(2,1) and ICC(3,1).
//
//   docs/theory/agreement.md
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace mubody {
/// Mean squares of the two-way analysis of variance, n targets by k raters, and the resulting correlations.
struct Intraclass {
  double between_targets = 0, between_raters = 0, residual = 0;
  /// Correlations of single ratings: ICC(3,1), which ignores a constant offset, and ICC(2,1), which does not.
  /// None if there are fewer than two targets, or nothing varies beyond rounding.
  std::optional<double> consistency, absolute;
};

/// One series for each rater, at least two, all as long as the first.
Intraclass intraclass(std::span<const std::span<const double>> raters);

struct Agreement {
  std::size_t n = 0;                   // number of times
  double max = 0, at = 0;              // largest |a - b|, and the first time where it is reached
  double rms = 0;                      // root of the mean of (a - b)^2
  double bias = 0;                     // mean of a - b
  std::optional<double> sd;            // standard deviation of a - b, with n - 1; none for a single time
  std::optional<double> lower, upper;  // limits of agreement, bias -+ 1.96 sd
  std::optional<double> consistency, absolute;
};

/// The agreement of two series at the same times; they must not be empty.
Agreement agreement(std::span<const double> times, std::span<const double> a, std::span<const double> b);
}  // namespace mubody
