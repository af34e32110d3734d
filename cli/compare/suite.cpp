#include "cli/compare/suite.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/compare/report.h"
#include "cli/elements.h"
#include "cli/terminal.h"
#include "mubody/model/escape.h"
#include "mubody/reading/read_model.h"
#include "mubody/text/write_aligned.h"

namespace mubody::cli {
namespace {
constexpr int suite_rounds = 5;
constexpr double suite_limit = 60;  // [s] CPU time of a run
constexpr const char *suite_integrator = "rk4", *suite_steps[] = {"2e-3", "1e-3"};

/// The methods of a suite are alike for all models, whatever these ask for.
MethodChoice alike_for_all(MethodChoice choice) {
  choice.variants = false;
  const bool no_steps = choice.steps.empty() && choice.tolerances.empty();
  if (choice.integrators.empty()) choice.integrators.emplace_back(suite_integrator);
  if (no_steps) choice.steps.assign(std::begin(suite_steps), std::end(suite_steps));
  return choice;
}

struct PreparedModel {
  const SuiteModel* model;
  Study study;
  std::vector<Method> methods;
};

std::vector<PreparedModel> prepare_models(const SuiteChoice& o) {
  const MethodChoice choice = alike_for_all(o.methods);
  std::vector<PreparedModel> all;
  for (const SuiteModel& m : o.models) {
    PreparedModel p{&m, m.read(choice.settings), {}};
    o.limits.hold_time(p.study);
    if (!p.study.analysis.type->facts().integrates)
      throw ModelError(Place{m.file.string()},
                       fmt::format("the analysis is '{}': treatments are for forward analyses; leave it out, "
                                   "or try --set analysis.type=forward",
                                   p.study.analysis.type->info().name));
    p.methods = methods_of(
        choice, [&](const io::Settings& s) { return m.read(s); }, p.study);
    all.push_back(std::move(p));
  }
  return all;
}

std::string short_figure(double x) { return std::isfinite(x) ? fmt::format("{:.1e}", x) : "-"; }
std::string share_of_standard(double x) {
  return std::isfinite(x) ? fmt::format("{:.{}f}", x, x < 10 ? 2 : x < 100 ? 1 : 0) : "-";
}

std::string run_table(const Suite& s) {
  std::vector<io::TextRow> rows{{"model", "treatment", "steps", "max ΦᵀΦ", "max Φ̇ᵀΦ̇", "energy", "put in",
                                 "error", "rhs", "factors", "solves", "CPU", "outcome"},
                                {"", "", "", "", "", "[J]", "[J]", "[m|rad]", "", "", "", "[std.]", ""}};
  for (const Comparison& c : s.comparisons)
    for (const MethodRun& run : c.runs) {
      io::TextRow row{c.model, run.method.treatment(), run.method.steps()};
      const Statistics& f = run.statistics;
      if (run.ran())
        for (std::string& cell :
             io::TextRow{short_figure(f.largest_square), short_figure(f.largest_rate_square),
                         short_figure(f.energy_residual),
                         f.corrected_energy_size > 0 ? fmt::format("{:+.1e}", f.corrected_energy) : "-",
                         run.error ? short_figure(run.error->largest()) : "-", fmt::format("{}", f.evaluations),
                         fmt::format("{}", f.factorizations), fmt::format("{}", f.solves),
                         run.relative ? share_of_standard(*run.relative) : "-"})
          row.push_back(std::move(cell));
      else
        row.insert(row.end(), 9, "-");
      row.emplace_back(run.word());
      rows.push_back(std::move(row));
    }
  return io::aligned(rows, 2);
}

std::string rank_table(const Suite& s) {
  std::vector<io::TextRow> rows{{"ranking", "steps", "passed", "work", "CPU", "error", "ΦᵀΦ", "Φ̇ᵀΦ̇", "energy"},
                                {"", "", "", "[std.]", "[std.]", "[std.]", "largest", "largest", "share"}};
  for (const Rank& r : s.ranks)
    rows.push_back({r.method.treatment(), r.method.steps(), fmt::format("{} of {}", r.passed, r.models),
                    share_of_standard(r.work), share_of_standard(r.cpu), short_figure(r.error),
                    short_figure(r.square), short_figure(r.rate_square), short_figure(r.energy)});
  return io::aligned(rows, 2);
}

std::string finding_lines(const Suite& s) {
  std::string text;
  for (const Finding& f : s.findings) {
    text += io::wrapped_text(fmt::format("{}: {}", f.place, f.statement), line_width(), "  ") + '\n';
    const std::string ours = fmt::format("  here {}: {}{}{}", f.agrees ? "too" : "not", f.ours,
                                         f.agrees ? "" : "; ", f.agrees ? "" : f.reason);
    text += io::wrapped_text(ours, line_width(), "    ") + '\n';
  }
  return text;
}

/// Models of the same name are numbered, so that rows and curves can be told apart.
void name_apart(std::vector<PreparedModel>& all) {
  std::map<std::string, int> count, number;
  for (const PreparedModel& p : all) ++count[p.study.mechanism.name];
  for (PreparedModel& p : all) {
    std::string& name = p.study.mechanism.name;
    if (const std::string plain = name; count[plain] > 1) name += fmt::format(" ({})", ++number[plain]);
  }
}
}  // namespace

Study SuiteModel::read(const io::Settings& settings) const {
  return text ? io::read_study_text(*text, file.string(), settings) : io::read_study(file.string(), settings);
}

Suite run_suite(const SuiteChoice& o) {
  std::vector<PreparedModel> all = prepare_models(o);
  name_apart(all);
  std::size_t number = 0, count = 0;
  for (const PreparedModel& p : all) count += p.methods.size();
  Timing timing{.rounds = suite_rounds};
  if (o.repeat) timing = {.rounds = *o.repeat, .once = std::numeric_limits<double>::infinity()};
  Suite suite;
  for (const PreparedModel& p : all) {
    const std::string before = p.study.mechanism.name + ": ";
    const Bench bench(o.quiet, p.study.analysis.patience.limit.value_or(suite_limit), for_terminal(before));
    try {
      Reference reference = run_reference(p.study, bench);
      suite.comparisons.push_back(
          compare(p.study, p.methods, std::move(reference), bench, timing, [&](const MethodRun& run) {
            if (!o.quiet) note(fmt::format("{}\n", progress_line(run, ++number, count, before)));
          }));
    } catch (const ModelError& e) {
      throw ModelError(located(p.model->file, e.what()));
    }
    suite.interrupted = suite.comparisons.back().interrupted;
    if (suite.interrupted) break;
  }
  suite.ranks = ranking(suite.comparisons);
  return suite;
}

std::string suite_text(const Suite& s) {
  std::string text =
      fmt::format("{}\n\n", bold(counted(s.comparisons.size(), "model", "models"))) + run_table(s);
  text += '\n' + rank_table(s) + '\n';
  text +=
      io::wrapped_text(
          "CPU, error: geometric means over the models that were passed, in those of standard multipliers; "
          "work: CPU "
          "time for the errors of standard multipliers, as errors fall with the order p of the integrator, CPU "
          "· "
          "error^(1/p); in its order, those first that passed more models. factors, solves: factorizations and "
          "solutions of linear equations",
          line_width()) +
      '\n';
  if (!s.findings.empty())
    text += "\nThe conclusions of Marques, Souto & Flores (2017):\n\n" + finding_lines(s);
  return text;
}
}  // namespace mubody::cli
