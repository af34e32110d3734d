#pragma once
// Comparison of computed numbers with closed forms, up to round-off.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "mubody/math/space.h"

namespace mubody::testing {
/// The round-off of one operation on numbers of size 1.
inline constexpr double round_off = 1e-15;

/// Whether a value is the expected one up to the round-off of some operations on numbers of a size: 1, or that of the
/// expected one if it is larger.
inline ::testing::AssertionResult same(double value, double expected, double operations = 20) {
  const double allowed = operations * round_off * std::max(1.0, std::abs(expected));
  if (std::abs(value - expected) <= allowed) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << value << " is not " << expected << ": off by " << value - expected << ", allowed " << allowed;
}
/// The same for a vector, whose length is its size.
inline ::testing::AssertionResult same(const Vec<3>& value, const Vec<3>& expected, double operations = 20) {
  const double allowed = operations * round_off * std::max(1.0, expected.norm()),
               off = (value - expected).norm();
  if (off <= allowed) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << value.transpose() << " is not " << expected.transpose() << ": off by "
                                       << off << ", allowed " << allowed;
}
}  // namespace mubody::testing
