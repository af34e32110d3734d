#pragma once
// Tables of numbers as files of numpy, .npy: the numbers as they are in memory, which programs map instead of reading them.
//
//   NumPy Enhancement Proposal 1 (Kern 2007), the format of .npy files, versions 1.0 and 2.0       docs/user/results.md
//
// Two arrays follow each other in the file, as numpy.save() called twice leaves them: the numbers, rows x columns, and the
// titles of the columns, "crank.x[m]", as bytes of UTF-8.  numpy.load(file) gives the first one, and goes on to the second if
// the file is still open.  A structured type would hold the names in the head of one array, but numpy.load() refuses heads of
// more than 10 000 bytes, which a few hundred columns have.
#include <filesystem>
#include <string>
#include <string_view>

#include "mubody/results/results.h"
#include "mubody/text/columns/column_file.h"
#include "mubody/text/write_file.h"

namespace mubody::io {
/// Whether a file begins as those of numpy do.
bool is_npy(std::string_view beginning);

/// Throws WriteError if the file cannot be written completely, or WritingStopped; nothing has changed then.
void write_npy(const Table&, const std::filesystem::path& file, const GoesOn& = {});

/// The columns in the content of a file, which may be one of another program and have no titles.  Throws FileError.
StoredColumns read_npy(const std::string& name, std::string_view content, Blanks);
}  // namespace mubody::io
