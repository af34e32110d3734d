#pragma once
// P9 to P12: whole runs, each beside another way to the same.                                    docs/performance.md
#include <functional>
#include <string>
#include <vector>

#include "benchmarks/problems/measure.h"

namespace mubody::bench {
struct WholeRun {
  std::string id, name;
  std::function<Study()> study;
  std::string other_name;  // what it is compared with; empty if with nothing
  std::function<Study()> other;
  std::string error_of;  // the quantity with its unit; empty if there is none
  std::function<double(const Results& run, const Results& other)> error;
};

struct MeasuredRun {
  std::string id, name, other_name, error_of;
  double seconds = 0, other = 0;  // of both; 0 if there is no other
  double error = 0;
  long evaluations = 0;
  bool trusted = false;
  std::string verdict, remark;  // one line each; may be empty
};

std::vector<WholeRun> whole_runs();
/// The run is repeated, and the fastest counts; the other is run once.
MeasuredRun measure(const WholeRun&, int repetitions);
std::string as_text(const std::vector<MeasuredRun>&);
/// As a row of the others' table: per right-hand side, with the other way as yardstick.
Measured as_measured(const MeasuredRun&);
}  // namespace mubody::bench
