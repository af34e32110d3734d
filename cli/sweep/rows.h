#pragma once
// Rows of a sweep on their way to statistics, and the plan of their points in words.
#include <filesystem>
#include <string>
#include <vector>

#include "mubody/sweep/plan.h"
#include "mubody/sweep/row.h"

namespace mubody::cli {
/// Where rows are collected until they replace others.
inline std::filesystem::path part_of(const std::filesystem::path& rows) { return rows.string() + ".part"; }
/// "Latin hypercube of 40 points, seed 1".
std::string plan_line(const SweepPlan&);
/// What counts of a row where nobody asks for its numbers.
SweepRow without_numbers(const SweepRow&);
/// By their indices, of which each is there once at most: a million rows are moved once.
std::vector<SweepRow> in_order(std::vector<SweepRow>);
}  // namespace mubody::cli
