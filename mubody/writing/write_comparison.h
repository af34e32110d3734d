#pragma once
// The findings of a comparison of methods, as text for programs.
//
//   comparison.csv      a row per run with all figures
//   work_precision.csv  work and error of the runs that reached the end, method by method
//   curves.csv          violation and energy residual of every run over time
//
// See docs/user/compare.md for the columns.
#include <filesystem>
#include <string>

#include "mubody/surveys/comparison.h"
#include "mubody/text/json.h"
#include "mubody/text/target.h"
#include "mubody/text/write_file.h"
#include "mubody/writing/table_names.h"

namespace mubody::io {
std::string comparison_csv(const Comparison&);
Json comparison_json(const Comparison&);
std::string work_precision_csv(const Comparison&);
std::string curves_csv(const Comparison&);

/// Checks before a long run that the files can be written: throws WriteError if the folder cannot be made or written
/// to, or holds files of these names that mubody did not write; that of the report counts if one is to be written there.
void check_comparison_folder(const std::filesystem::path& folder, const Replacing& = {},
                             bool with_page = false);

/// Writes the three files into the folder, and a report if it is not empty; they appear together.  Throws WriteError.
void write_comparison(const Comparison&, const std::filesystem::path& folder, const std::string& page = "",
                      const Replacing& = {}, const GoesOn& = {});
}  // namespace mubody::io
