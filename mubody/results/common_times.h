#pragma once
// Two series brought to the same times.
//
//   docs/theory/agreement.md#common-times
#include <span>
#include <vector>

namespace mubody {
/// The times of the coarser series, a if there are equally many, within the range that both cover; none if there
/// is no such range.  Both must increase strictly.  Ends that differ by rounding count as equal.
std::vector<double> common_times(std::span<const double> a, std::span<const double> b);

/// The values y, given at times t, at other times: unchanged where the times coincide, else by the cubic spline
/// with not-a-knot ends.
std::vector<double> values_at(std::span<const double> times, std::span<const double> t,
                              std::span<const double> y);
}  // namespace mubody
