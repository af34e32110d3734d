#pragma once
// Round numbers for axes.
#include <string>
#include <vector>

namespace mubody::io {
/// An axis from low to high with marks at round numbers.
struct Ticks {
  double low = 0, high = 1;         // with a margin, never equal
  std::vector<double> at;           // within
  double step = 1;                  // 1, 2 or 5 times a power of ten
  std::vector<std::string> labels;  // with as many digits as the step needs

  /// From low to high; `most` marks at most.  `margin` is the share added at both ends.
  Ticks(double low, double high, int most, double margin = 0);
};

/// "0.25", "1.2e6": as many digits as a multiple of the step needs.
std::string tick_label(double value, double step);
}  // namespace mubody::io
