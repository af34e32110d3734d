#pragma once
// Conditions that the numbers of a MUBODYNA file must meet together.
#include "mubody/mubodyna/file.h"

namespace mubody::io::mubodyna {
/// Throws ModelError.  `count_lines` are the lines of the numbers of section (a).
void check_file(const File&, const std::array<int, counts>& count_lines);
}  // namespace mubody::io::mubodyna
