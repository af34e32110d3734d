#pragma once
// Positions of bodies and points from a file: a reference that other motions are compared with.
#include <filesystem>
#include <string>

#include "mubody/mechanism/mechanism.h"
#include "mubody/results/results.h"

namespace mubody::io {
/// The positions of this mechanism in a file, or in the table of bodies of a folder of results: columns such as
/// "crank.x", "crank.angle", "tip.y", in SI units.  The time comes first.  Throws ModelError, also if there are
/// no such columns.  A file of a stranger is not quoted, and no link that leads out of its folder is followed.
Table read_positions(const std::string& path, const Mechanism&, bool untrusted);
/// The file with these positions.
std::filesystem::path file_of_positions(const std::string& path);
}  // namespace mubody::io
