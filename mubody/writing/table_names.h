#pragma once
// The names of files that runs and comparisons may leave in a folder.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "mubody/study/analysis.h"
#include "mubody/text/columns/table_format.h"

namespace mubody::io {
/// All names; those that every analysis writes come first.
inline std::vector<std::string_view> table_names() {
  std::vector<std::string_view> names{"bodies",  "joints", "points",     "forces",
                                      "signals", "energy", "violations", "channels"};
  for (const AnalysisEntry& e : analysis_kinds())
    for (const std::string_view name : e.facts.tables)
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  return names;
}

inline constexpr std::string_view summary_name = "summary.json";
inline constexpr std::string_view usual_report_name = "report.html";
/// The outcome in a summary that stands in while files are being replaced.
inline constexpr std::string_view unfinished_word = "unfinished";
/// Lists in a folder of results, besides the tables of numbers.
inline constexpr std::string_view list_names[] = {"events", "reactions", "extremes", "contacts", "accuracy"};
inline constexpr std::string_view comparison_files[] = {"comparison.csv", "work_precision.csv", "curves.csv"};
inline constexpr std::string_view suite_files[] = {"suite.csv", "ranking.csv"};

/// The names of all files of results, but for the report.
inline std::vector<std::string> result_names() {
  std::vector<std::string> names{std::string(summary_name)};
  for (const TableFormat& format : table_formats())
    for (const std::string_view name : table_names()) names.push_back(format.file_of(name));
  for (const std::string_view name : list_names) names.push_back(std::string(name) + ".csv");
  return names;
}

/// Whether a file of this name may be one of results or of a comparison.  The program removes no other.
inline bool is_known_name(std::string_view name) {
  return name == usual_report_name || std::ranges::find(comparison_files, name) != std::end(comparison_files) ||
         std::ranges::find(suite_files, name) != std::end(suite_files) ||
         std::ranges::count(result_names(), name) > 0;
}
}  // namespace mubody::io
