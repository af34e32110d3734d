#pragma once
// What must hold between the numbers of a MUBODYNA file.
#include "mubody/mubodyna/file.h"

namespace mubody::io::mubodyna {
/// Throws ModelError.  `count_lines` tells where the numbers of section (a) stand.
void check_file(const File&, const std::array<int, counts>& count_lines);
}  // namespace mubody::io::mubodyna
