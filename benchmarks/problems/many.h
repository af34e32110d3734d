#pragma once
// P14: many four-bars, each with lengths, a mass and a start of its own: mechanisms per second in every way that this machine has.
#include "benchmarks/problems/whole_runs.h"

namespace mubody::bench {
inline constexpr const char* many_id = "P14";

/// One core with lanes, one core with compiled code, and graphics processors, each beside runs one by one; those that are not there are
/// left out.
std::vector<MeasuredRun> measure_many();
}  // namespace mubody::bench
