#pragma once
// Rows of a sweep on their way to statistics, and the plan of their points in words.
#include <filesystem>
#include <string>
#include <vector>

#include "mubody/sweep/plan.h"
#include "mubody/sweep/row.h"
#include "mubody/sweep/rows_file.h"

namespace mubody::cli {
/// Where rows are collected until they replace others.
inline std::filesystem::path part_of(const std::filesystem::path& rows) { return rows.string() + ".part"; }
/// Where rows are written, and where they belong.
struct RowsPlace {
  std::filesystem::path file;  // the file that the user means, without links
  std::filesystem::path
      part;  // where rows are collected; the same file unless it has other rows, which stay until the end
  OldRows old = OldRows::refuse;
};
/// With --force rows that are there stay until all new ones are complete.
RowsPlace place_of(const std::filesystem::path& rows, const RowsHead&, bool force, bool resume);
/// "Latin hypercube of 40 points, seed 1".
std::string plan_line(const SweepPlan&);
/// What counts of a row where nobody asks for its numbers.
SweepRow without_numbers(const SweepRow&);
/// By their indices, of which each is there once at most: a million rows are moved once.
std::vector<SweepRow> in_order(std::vector<SweepRow>);
}  // namespace mubody::cli
