#pragma once
// The findings of several comparisons, as text for programs.
//
//   suite.csv      a row per model and run with all figures, as in comparison.csv
//   ranking.csv    a row per method
#include "mubody/surveys/suite.h"
#include "mubody/writing/write_comparison.h"

namespace mubody::io {
std::string suite_csv(const Suite&);
std::string ranking_csv(const Suite&);
Json suite_json(const Suite&);

/// As check_comparison_folder(), for the files of a suite.
void check_suite_folder(const std::filesystem::path& folder, const Replacing&, bool with_page);
/// Writes the files into the folder, and a report if it is not empty; they appear together.  Throws WriteError.
void write_suite(const Suite&, const std::filesystem::path& folder, const std::string& page, const Replacing&,
                 const GoesOn&);
}  // namespace mubody::io
