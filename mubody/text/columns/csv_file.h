#pragma once
// Columns of numbers in text.
//
// Numbers are separated by commas, semicolons, tabs or spaces.  The first row may hold names, in quotes if they
// contain separators.  Empty lines and lines that begin with '#' are skipped.
#include <string>
#include <string_view>

#include "mubody/text/columns/column_file.h"

namespace mubody::io {
/// The columns in a text; messages call its file `name` and tell the line.  Throws FileError.
StoredColumns read_csv(const std::string& name, std::string_view text, Quotes, Blanks);
}  // namespace mubody::io
