#pragma once
// The tables of a folder of results, as `mubody run` wrote them.
#include <filesystem>
#include <string>
#include <vector>

#include "mubody/results/results.h"

namespace mubody::io {
/// The tables that the folder contains, in the units of the files.  From a stranger, no link may lead out of the folder,
/// and messages do not quote what files contain.  Throws ModelError.
std::vector<Table> read_tables(const std::string& folder, bool untrusted = false);
/// Throws ModelError if a file is outside of a folder that comes from a stranger, by way of a link.
void check_inside(const std::filesystem::path& file, const std::filesystem::path& folder, bool untrusted);
}  // namespace mubody::io
