#include "cli/sweep/rows.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "mubody/text/text_file.h"

namespace mubody::cli {
namespace fs = std::filesystem;

RowsPlace place_of(const fs::path& file, const RowsHead& head, bool force, bool resume) {
  const RowsPlace itself{file, file, resume ? OldRows::resume : OldRows::refuse};
  const std::string there = io::beginning_of(file, head.text().size()).value_or("");
  if (!force || there.empty()) return itself;
  const fs::path part = part_of(file);
  std::error_code none;
  if (resume && there == head.text() && !fs::exists(part, none)) return itself;
  return {file, part, resume ? OldRows::resume : OldRows::discard};
}

std::string plan_line(const SweepPlan& plan) {
  const Sampling& s = plan.sampling();
  if (s.kind == Sampling::grid) return fmt::format("grid of {} points", plan.size());
  return fmt::format("{} of {} points, seed {}", s.kind == Sampling::lhs ? "Latin hypercube" : "random sample",
                     plan.size(), s.seed);
}

SweepRow without_numbers(const SweepRow& row) {
  SweepRow light;
  light.index = row.index, light.outcome = row.outcome, light.message = row.message;
  light.out_of_memory = row.out_of_memory;
  return light;
}

std::vector<SweepRow> in_order(std::vector<SweepRow> rows) {
  std::vector<std::pair<std::size_t, std::size_t>> places;
  for (std::size_t k = 0; k < rows.size(); ++k) places.emplace_back(rows[k].index, k);
  if (std::ranges::is_sorted(places)) return rows;
  std::ranges::sort(places);
  std::vector<SweepRow> all;
  all.reserve(rows.size());
  for (const auto& [index, k] : places) all.push_back(std::move(rows[k]));
  return all;
}
}  // namespace mubody::cli
