#include "mubody/writing/write_suite.h"

#include <cmath>

#include <fmt/format.h>

#include "mubody/text/write_table.h"
#include "mubody/writing/whole_folder.h"

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

FileNames suite_in(const fs::path& folder, bool page) {
  const std::string headers[] = {first_header(), std::string(ranking_header)};
  FileNames names;
  std::error_code none;
  for (std::size_t k = 0; k < std::size(suite_files); ++k) {
    const fs::path file = folder / suite_files[k];
    if (!fs::is_regular_file(fs::symlink_status(file, none))) continue;
    const std::string beginning = beginning_of(file).value_or("");
    if (beginning.empty() || first_line(beginning) == headers[k]) names.insert(std::string(suite_files[k]));
  }
  const fs::path report = folder / usual_report_name;
  if (page && fs::is_regular_file(fs::symlink_status(report, none))) {
    const std::string beginning = beginning_of(report).value_or("");
    if (beginning.empty() || is_page(beginning)) names.insert(std::string(usual_report_name));
  }
  return names;
}

FolderKind folder_of_suite(bool page) {
  return {.known = is_known_name,
          .ours = [page](const fs::path& folder) { return suite_in(folder, page); },
          .head = std::string(suite_files[0]),
          .stand_in = {}};
}
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
  check_writable(folder);
  FileNames names(std::begin(suite_files), std::end(suite_files));
  if (with_page) names.insert(std::string(usual_report_name));
  refuse_others(folder, folder_of_suite(with_page), names, how);
}

void write_suite(const Suite& s, const fs::path& folder, const std::string& page, const Replacing& how,
                 const GoesOn& goes_on) {
  WholeFolder whole(folder, folder_of_suite(!page.empty()));
  std::vector<FileText> files{{whole.workshop() / suite_files[0], suite_csv(s)},
                              {whole.workshop() / suite_files[1], ranking_csv(s)}};
  if (!page.empty()) files.push_back({whole.workshop() / usual_report_name, page});
  try {
    write_files(files, goes_on);
  } catch (const WriteError& e) {
    throw WriteError(folder, e.why);
  }
  whole.put_in_place(how);
}
}  // namespace mubody::io
