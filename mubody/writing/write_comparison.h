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

namespace mubody::io {
std::string comparison_csv(const Comparison&);
Json comparison_json(const Comparison&);
std::string work_precision_csv(const Comparison&);
std::string curves_csv(const Comparison&);

inline constexpr const char* comparison_files[] = {"comparison.csv", "work_precision.csv", "curves.csv"};

/// Checks before a long run that the files can be written: throws std::runtime_error if the folder cannot be
/// made or written to, or holds files of these names that mubody did not write.
void check_comparison_folder(const std::filesystem::path& folder);

/// Writes the three files into the folder; throws std::runtime_error.
void write_comparison(const Comparison&, const std::filesystem::path& folder);
}  // namespace mubody::io
