#pragma once
// The models under examples/, run as the program would run them.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "mubody/analyses/run.h"
#include "tests/example.h"
#include "tests/reference.h"

namespace mubody::testing {
/// Results of an example with settings such as "analysis.rtol=1e-10".
inline Results run_example(const std::string& name, const std::vector<std::string>& settings = {}) {
  return run(example(name, settings));
}

/// The value of a channel at an output time; there is no interpolation.  A missing time fails the test.
inline double value_at(const Results& r, const std::string& channel, double t) {
  constexpr double same_time = 1e-12;  // [s] output times are k h, computed at each k
  for (const Table& table : r.tables) {
    const int column = table.find(channel);
    if (column < 0) continue;
    for (std::size_t row = 0; row < table.rows(); ++row)
      if (std::abs(table.at(row, 0) - t) <= same_time) return table.at(row, static_cast<std::size_t>(column));
    ADD_FAILURE() << channel << ": " << t << " s is not among the output times";
    return NAN;
  }
  ADD_FAILURE() << "there is no channel " << channel;
  return NAN;
}
}  // namespace mubody::testing
