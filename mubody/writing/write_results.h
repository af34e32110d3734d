#pragma once
// A folder of results: a file per table, CSV or binary, events.csv if there are events, summary.json, and a report if asked for.
#include <filesystem>
#include <string>

#include "mubody/results/results.h"
#include "mubody/text/columns/table_format.h"
#include "mubody/text/target.h"
#include "mubody/text/write_file.h"

namespace mubody::io {
/// Checks before a long run that its results can be written: throws WriteError if the folder cannot be made or written
/// to, or holds files of these names that mubody did not write; that of the report counts if one is to be written there.
void check_folder(const std::filesystem::path& folder, const Replacing& = {}, bool with_page = false);

/// What goes into the folder besides results.
struct BesideResults {
  std::string page;  // report.html; none if empty
  Replacing replacing{};
  GoesOn goes_on{};
  std::vector<std::string> units{};        // of the tables; SI where none of them fits
  std::string_view format = usual_format;  // of the tables, a word of OutputOptions::format
};

struct WrittenResults {
  bool removed_page = false;  // that of an earlier run
  std::string summary;        // the content of summary.json
};

/// Writes all files or none; they appear together, see whole_folder.h.  Tables of an earlier run, which its summary.json
/// lists and nobody has changed since, are replaced or removed, and so is its report; nothing else is touched.  `changes`
/// are those made to the model file before the run, as "key=value".  Throws WriteError, or WritingStopped before anything
/// has changed.
WrittenResults write_results(const Results&, const std::filesystem::path& folder,
                             const std::vector<std::string>& changes = {}, const BesideResults& = {});
}  // namespace mubody::io
