#include "mubody/writing/write_suite.h"

#include <cmath>

#include <fmt/format.h>

#include "mubody/text/write_table.h"
#include "mubody/writing/table_folder.h"

namespace mubody::io {
namespace {
namespace fs = std::filesystem;
constexpr std::string_view ranking_header =
    "run,treatment,passed,models,cpu_relative[1],error_relative[1],work_relative[1],largest_violation_squares["
    "m²|rad²],"
    "largest_violation_rate_squares[m²/s²|rad²/s²],energy_residual_share[1]";

std::string first_header() {
  const std::string none = comparison_csv({});
  return "model," + std::string(first_line(none));
}
std::string figure_cell(double x) { return std::isfinite(x) ? fmt::format("{}", x) : ""; }
Json json_figure(double x) { return std::isfinite(x) ? Json(x) : Json(); }

TableFolder tables_of_suite() { return {suite_files, {first_header(), std::string(ranking_header)}}; }
}  // namespace

std::string suite_csv(const Suite& s) {
  std::string text = first_header() + '\n';
  for (const Comparison& c : s.comparisons) {
    const std::string rows = comparison_csv(c), name = csv_cell(c.model) + ',';
    for (std::size_t at = rows.find('\n') + 1; at < rows.size();) {
      const std::size_t end = rows.find('\n', at);
      text += name + rows.substr(at, end + 1 - at);
      at = end + 1;
    }
  }
  return text;
}

std::string ranking_csv(const Suite& s) {
  std::string text = std::string(ranking_header) + '\n';
  for (const Rank& r : s.ranks)
    text += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", csv_cell(r.method.label()),
                        csv_cell(r.method.treatment()), r.passed, r.models, figure_cell(r.cpu),
                        figure_cell(r.error), figure_cell(r.work), figure_cell(r.square),
                        figure_cell(r.rate_square), figure_cell(r.energy));
  return text;
}

Json suite_json(const Suite& s) {
  Json all{{"program", "mubody"}, {"interrupted", s.interrupted}};
  for (const char* const list : {"comparisons", "ranking", "findings"}) all[list] = Json::array();
  for (const Comparison& c : s.comparisons) all["comparisons"].push_back(comparison_json(c));
  for (const Rank& r : s.ranks)
    all["ranking"].push_back({{"run", r.method.label()},
                              {"treatment", r.method.treatment()},
                              {"integrator", r.method.integrator()},
                              {"steps", r.method.steps()},
                              {"passed", r.passed},
                              {"models", r.models},
                              {"cpu_relative", json_figure(r.cpu)},
                              {"error_relative", json_figure(r.error)},
                              {"work_relative", json_figure(r.work)},
                              {"largest_violation_squares", json_figure(r.square)},
                              {"largest_violation_rate_squares", json_figure(r.rate_square)},
                              {"energy_residual_share", json_figure(r.energy)}});
  for (const Finding& f : s.findings)
    all["findings"].push_back({{"place", f.place},
                               {"statement", f.statement},
                               {"ours", f.ours},
                               {"agrees", f.agrees},
                               {"reason", f.reason}});
  return all;
}

void check_suite_folder(const fs::path& folder, const Replacing& how, bool with_page) {
  check_table_folder(folder, tables_of_suite(), how, with_page);
}

void write_suite(const Suite& s, const fs::path& folder, const std::string& page, const Replacing& how,
                 const GoesOn& goes_on) {
  const std::string texts[] = {suite_csv(s), ranking_csv(s)};
  write_table_folder(folder, tables_of_suite(), texts, page, how, goes_on);
}
}  // namespace mubody::io
