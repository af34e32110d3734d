#pragma once
// A folder of results: one CSV file per table, events.csv if there are events, and summary.json.
#include <filesystem>

#include "mubody/results/results.h"

namespace mubody::io {
/// Throws std::runtime_error if the folder cannot be made or written to.
void check_writable(const std::filesystem::path& folder);

/// Checks before a long run that its results can be written: throws std::runtime_error if the folder cannot
/// be made or written to, or holds files of these names that mubody did not write.
void check_folder(const std::filesystem::path& folder);

/// Writes all files or none: they are made aside and moved into the folder once complete.  Files of an earlier
/// run, as its summary.json lists them, are replaced or removed; nothing else is touched.
/// `changes` are those made to the model file before the run, as "key=value".  Throws std::runtime_error.
void write_results(const Results&, const std::filesystem::path& folder,
                   const std::vector<std::string>& changes = {});
}  // namespace mubody::io
