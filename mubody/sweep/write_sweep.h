#pragma once
// The statistics of a sweep as text for people, as JSON for programs, and as a page.
#include <string>
#include <vector>

#include "mubody/sweep/statistics.h"

namespace mubody {
/// A table in columns; longer lines are broken at that width.
std::string sweep_text(const SweepStatistics&, std::size_t width);
std::string sweep_json(const SweepStatistics&, const std::string& model, const std::string& rows_file);

/// What the page shows besides the rows.
struct SweepPage {
  std::string model, file, text;  // name, name of the file without folders, contents
  std::string plan;               // "Latin hypercube of 1000 points, seed 1"
};
/// Throws std::runtime_error if the program was built without pages.
std::string sweep_html(const SweepPage&, const std::vector<SweepRow>&, const SweepStatistics&);
}  // namespace mubody
