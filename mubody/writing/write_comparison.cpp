#include "mubody/writing/write_comparison.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "mubody/text/json.h"
#include "mubody/text/write_file.h"
#include "mubody/text/write_table.h"
#include "mubody/writing/table_folder.h"

namespace mubody::io {
namespace {
namespace fs = std::filesystem;
using Number = std::optional<double>;

constexpr std::string_view work_header =
    "run,treatment,integrator,step[s],rtol[1],steps,evaluations,cpu[s],cpu_per_second[1],error[m],error[rad],"
    "end_error[m],end_error[rad],largest_violation[m|rad],energy_residual[J]";
constexpr std::string_view curves_header =
    "run,time[s],violation[m|rad],violation_rate[m/s|rad/s],energy_residual[J],violation_squares[m²|rad²],"
    "violation_rate_squares[m²/s²|rad²/s²]";

struct Figure {
  const char *name, *unit;
  Number value;
  bool of_error = false;  // a part of PositionError
};

/// The numbers of a run in the order of the file; none where a number does not apply.
std::vector<Figure> figures_of(const MethodRun& run) {
  const Statistics& s = run.statistics;
  const auto of_run = [&](double x) { return run.ran() ? Number(x) : std::nullopt; };
  const auto of_error = [&](double PositionError::*x) {
    return run.error ? Number((*run.error).*x) : std::nullopt;
  };
  return {{"simulated", "s", of_run(run.simulated)},
          {"largest_violation", "m|rad", of_run(s.largest_violation)},
          {"mean_violation", "m|rad", of_run(s.mean_violation)},
          {"largest_violation_rate", "m/s|rad/s", of_run(s.largest_rate)},
          {"mean_violation_rate", "m/s|rad/s", of_run(s.mean_rate)},
          {"largest_violation_squares", "m²|rad²", of_run(s.largest_square)},
          {"largest_violation_rate_squares", "m²/s²|rad²/s²", of_run(s.largest_rate_square)},
          {"energy_residual", "J", of_run(s.energy_residual)},
          {"corrections_energy", "J", of_run(s.corrected_energy)},
          {"corrections_energy_size", "J", of_run(s.corrected_energy_size)},
          {"energy_in_play", "J", of_run(s.energy_scale)},
          {"error", "m", of_error(&PositionError::length), true},
          {"error", "rad", of_error(&PositionError::angle), true},
          {"end_error", "m", of_error(&PositionError::end_length), true},
          {"end_error", "rad", of_error(&PositionError::end_angle), true},
          {"steps", "", of_run(double(s.steps))},
          {"rejected", "", of_run(double(s.rejected))},
          {"evaluations", "", of_run(double(s.evaluations))},
          {"newton_iterations", "", of_run(double(s.corrections + s.iterations))},
          {"factorizations", "", of_run(double(s.factorizations))},
          {"solves", "", of_run(double(s.solves))},
          {"cpu", "s", of_run(run.cpu)},
          {"cpu_per_second", "1", run.cost()},
          {"cpu_relative", "1", run.relative}};
}

Number step_of(const Method& m) { return m.adaptive() ? std::nullopt : m.analysis.control.step; }
Number rtol_of(const Method& m) { return m.adaptive() ? Number(m.analysis.control.rtol) : std::nullopt; }

std::string cell(const Number& x) { return x && std::isfinite(*x) ? fmt::format("{}", *x) : ""; }

std::string method_cells(const Method& m) {
  return fmt::format("{},{},{},{},{}", csv_cell(m.label()), csv_cell(m.treatment()), csv_cell(m.integrator()),
                     cell(step_of(m)), cell(rtol_of(m)));
}

std::string comparison_header() {
  std::string header = "run,treatment,integrator,step[s],rtol[1],outcome";
  for (const Figure& f : figures_of({})) header += ',' + header_of({f.name, f.unit});
  return header + ",why";
}

Json json_number(const Number& x) { return x && std::isfinite(*x) ? Json(*x) : Json(); }

Json json_of(const PositionError& e) {
  return {{"length", json_number(e.length)},
          {"angle", json_number(e.angle)},
          {"end_length", json_number(e.end_length)},
          {"end_angle", json_number(e.end_angle)},
          {"until", e.until},
          {"worst", e.worst},
          {"time", e.at}};
}

Json json_of(const Reference& r) {
  return {{"source", r.source},
          {"missing", r.missing},
          {"doubt", r.doubt},
          {"compared_with", r.looser},
          {"known_to", r.known ? json_of(*r.known) : Json()}};
}

Json json_of(const MethodRun& run) {
  Json all{{"run", run.method.label()},
           {"treatment", run.method.treatment()},
           {"integrator", run.method.integrator()},
           {"step", json_number(step_of(run.method))},
           {"rtol", json_number(rtol_of(run.method))},
           {"outcome", run.word()},
           {"why", run.why}};
  for (const Figure& f : figures_of(run))
    if (!f.of_error) all[f.name] = json_number(f.value);
  all["error"] = run.error ? json_of(*run.error) : Json();
  return all;
}
}  // namespace

std::string comparison_csv(const Comparison& c) {
  std::string text = comparison_header() + '\n';
  for (const MethodRun& run : c.runs) {
    text += method_cells(run.method) + ',' + std::string(run.word());
    for (const Figure& f : figures_of(run)) text += ',' + cell(f.value);
    text += ',' + csv_cell(run.why) + '\n';
  }
  return text;
}

Json comparison_json(const Comparison& c) {
  Json all{{"program", "mubody"},
           {"model", c.model},
           {"start", c.start},
           {"end", c.end},
           {"reference", json_of(c.reference)},
           {"interrupted", c.interrupted}};
  all["runs"] = Json::array();
  for (const MethodRun& run : c.runs) all["runs"].push_back(json_of(run));
  all["remarks"] = c.remarks;
  return all;
}

std::string work_precision_csv(const Comparison& c) {
  std::vector<const MethodRun*> runs;
  for (const MethodRun& run : c.runs)
    if (run.reached_end() && run.error) runs.push_back(&run);
  // A line of the diagram is a treatment with an integrator.
  const auto line_of = [](const MethodRun* run) {
    return std::pair(run->method.integrator(), run->method.treatment());
  };
  std::ranges::stable_sort(runs, [&](const MethodRun* a, const MethodRun* b) {
    return std::pair(line_of(a), a->statistics.evaluations) < std::pair(line_of(b), b->statistics.evaluations);
  });
  std::string text = std::string(work_header) + '\n';
  for (const MethodRun* run : runs) {
    const Statistics& s = run->statistics;
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", method_cells(run->method), s.steps, s.evaluations,
                        cell(run->cpu), cell(run->cost()), cell(run->error->length), cell(run->error->angle),
                        cell(run->error->end_length), cell(run->error->end_angle), cell(s.largest_violation),
                        cell(s.energy_residual));
  }
  return text;
}

std::string curves_csv(const Comparison& c) {
  std::string text = std::string(curves_header) + '\n';
  for (const MethodRun& run : c.runs) {
    const std::string name = csv_cell(run.method.label());
    const Table& curves = run.curves;
    for (std::size_t row = 0; row < curves.rows(); ++row) {
      text += name;
      for (std::size_t k = 0; k < curves.columns.size(); ++k) text += ',' + cell(curves.at(row, k));
      text += '\n';
    }
  }
  return text;
}

namespace {
TableFolder tables_of_comparison() {
  return {comparison_files, {comparison_header(), std::string(work_header), std::string(curves_header)}};
}
}  // namespace

void check_comparison_folder(const fs::path& folder, const Replacing& how, bool with_page) {
  check_table_folder(folder, tables_of_comparison(), how, with_page);
}

void write_comparison(const Comparison& c, const fs::path& folder, const std::string& page,
                      const Replacing& how, const GoesOn& goes_on) {
  const std::string texts[] = {comparison_csv(c), work_precision_csv(c), curves_csv(c)};
  write_table_folder(folder, tables_of_comparison(), texts, page, how, goes_on);
}
}  // namespace mubody::io
