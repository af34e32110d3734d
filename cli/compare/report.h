#pragma once
// The report of 'mubody compare' for people.
#include <string>

#include "mubody/surveys/comparison.h"

namespace mubody::cli {
/// The line that is printed when a run has ended.
std::string progress_line(const MethodRun&, std::size_t number, std::size_t count,
                          const std::string& before = "");

/// The reference, the table, and the reasons why runs have not passed.
std::string comparison_text(const Comparison&);
}  // namespace mubody::cli
