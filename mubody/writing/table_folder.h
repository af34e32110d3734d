#pragma once
// A folder of tables as CSV, each known by its first line, with a report or without.
#include <span>
#include <string>
#include <vector>

#include "mubody/text/write_file.h"
#include "mubody/writing/whole_folder.h"

namespace mubody::io {
struct TableFolder {
  std::span<const std::string_view> files;  // the first one tells of the others
  std::vector<std::string> headers;         // their first lines
};

/// Checks before a long run that the files can be written: throws WriteError if the folder cannot be made or written
/// to, or holds files of these names that mubody did not write; that of the report counts if one is to be written there.
void check_table_folder(const std::filesystem::path& folder, const TableFolder&, const Replacing&,
                        bool with_page);
/// Writes the texts into the files, and a report if it is not empty; they appear together.  Throws WriteError.
void write_table_folder(const std::filesystem::path& folder, const TableFolder&,
                        std::span<const std::string> texts, const std::string& page, const Replacing&,
                        const GoesOn&);
}  // namespace mubody::io
