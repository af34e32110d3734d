#pragma once
// The first part of the report: what has been read.
#include <string>

#include "mubody/mubodyna/from_study.h"

namespace mubody::io::mubodyna {
/// The first line of every report.
inline constexpr std::string_view report_title = "*** MULTIBODY SYSTEM DESCRIPTION ***";

/// A line of cells, aligned right.
std::string report_line(const std::vector<std::string>& cells, std::size_t width);

/// The description with four decimals or, if `full`, all digits.
std::string description(const Translation&, bool full);
}  // namespace mubody::io::mubodyna
