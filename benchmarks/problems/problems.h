#pragma once
// The problems by which speed and accuracy are measured, each with a known answer and equations written by
// hand to compare with.                                                        docs/performance.md
#include <functional>
#include <string>
#include <vector>

#include "mubody/results/results.h"
#include "mubody/study/options.h"

namespace mubody::bench {
/// Added to an argument again and again, so that no two evaluations are the same.
inline constexpr double nudge = 1e-12;

/// Equations written by hand for one mechanism, compiled into the same program.
struct Yardstick {
  std::string name;
  std::function<void(long times)> evaluate;  // evaluates the right-hand side that often
};

struct Problem {
  std::string id, name;
  std::function<Study()> study;
  std::string error_of;  // the quantity with its unit
  std::function<double(const Results&)> error;
  Yardstick yardstick;
  int parts = 1;           // bodies or windows, if the cost is given per part
  std::string part = "";   // the name of a part
  bool runs = true;        // false: its right-hand side alone is measured
  bool generated = false;  // that of generated code
  int repetitions = 5;     // how often the run is repeated
};

/// P1 to P8, and P13: right-hand sides of generated code, as far as a C compiler is there.
std::vector<Problem> problems();
/// P2 and P3 for growing numbers of windows and rods: right-hand sides alone.
std::vector<Problem> growing(int largest);
}  // namespace mubody::bench
