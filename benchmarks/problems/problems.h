#pragma once
// The problems that speed and accuracy are measured with, each with an answer that is known and something written by
// hand to compare with.                                                        docs/performance.md
#include <functional>
#include <string>
#include <vector>

#include "mubody/results/results.h"
#include "mubody/study/options.h"

namespace mubody::bench {
/// Written by hand for one mechanism, compiled in the same program.
struct Yardstick {
  std::string name;
  std::function<void(long times)> evaluate;  // its right-hand side, that often
};

struct Problem {
  std::string id, name;
  std::function<Study()> study;
  std::string error_of;  // with its unit
  std::function<double(const Results&)> error;
  Yardstick yardstick;
  int parts = 1;          // bodies or windows, if a cost is told per one of them
  std::string part = "";  // what they are called
  bool runs = true;       // false: its right-hand side alone is measured
  int repetitions = 5;    // of the run
};

/// P1 to P8.
std::vector<Problem> problems();
/// P2 and P3 for growing numbers of windows and rods: right-hand sides alone.
std::vector<Problem> growing(int largest);
}  // namespace mubody::bench
