#pragma once
// The option --sample of a sweep.
#include <cstdint>
#include <string>
#include <vector>

#include "mubody/sweep/plan.h"

namespace mubody::cli {
/// The sampling that the words "lhs" or "random" and a number of points ask for; a grid if there are none.  Throws UsageError.
Sampling sampling_of(const std::vector<std::string>& words, std::uint64_t seed);
}  // namespace mubody::cli
