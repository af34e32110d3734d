#pragma once
// The tables of a folder of results, as `mubody run` wrote them.
#include <string>
#include <vector>

#include "mubody/results/results.h"

namespace mubody::io {
/// The tables that the folder contains, in the units of the files.  Throws ModelError.
std::vector<Table> read_tables(const std::string& folder);
}  // namespace mubody::io
