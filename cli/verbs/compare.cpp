// mubody compare: one model under many treatments, integrators and steps.
#include <algorithm>
#include <csignal>
#include <iostream>
#include <limits>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/compare/methods.h"
#include "cli/compare/paper.h"
#include "cli/compare/report.h"
#include "cli/limits.h"
#include "cli/names.h"
#include "cli/run_model.h"
#include "cli/terminal.h"
#include "cli/verb.h"
#include "mubody/analyses/assembly.h"
#include "mubody/reading/read_model.h"
#include "mubody/report/write_chart_reports.h"
#include "mubody/surveys/comparison.h"
#include "mubody/text/text_file.h"
#include "mubody/text/write_file.h"
#include "mubody/writing/read_positions.h"
#include "mubody/writing/write_suite.h"

namespace mubody::cli {
struct CompareOptions : MethodChoice {
  std::vector<std::string> models;
  bool suite = false;
  std::string out, reference, format = "text";
  Limits limits;                      // of each run
  std::optional<int> repeat;          // rounds through all methods
  std::optional<std::string> report;  // a file; in the folder if empty
  bool quiet = false, force = false;

  bool several() const { return suite || models.size() > 1; }
  void declare(Options& o);
};

namespace {
namespace fs = std::filesystem;
constexpr int usual_rounds = 5;
constexpr double usual_limit = 60;  // [s] CPU time of a run

fs::path folder_of(const CompareOptions& o, const fs::path& file) {
  if (!o.out.empty()) return o.out;
  fs::path folder = file;
  folder.replace_extension(".compare");
  return folder == file ? fs::path(file.string() + ".compare") : folder;
}

// Runs ------------------------------------------------------------------------------------------------------

fs::path report_of(const CompareOptions& o, const fs::path& folder) {
  return o.report->empty() ? folder / io::usual_report_name : fs::path(*o.report);
}

std::string comparison_page(const Comparison& c, const fs::path& file,
                            const std::vector<std::string>& changes) {
  const std::string text = io::read_file(file, io::files::model);
  return io::comparison_html(c, {file.filename().string(), text, changes});
}

/// Writes everything that can fail before anything appears.
void write_comparison(const CompareOptions& o, const Comparison& c, const fs::path& file,
                      const fs::path& folder) {
  const io::Replacing how{o.force};
  const io::GoesOn goes_on = until_interrupted();
  with_files([&] {
    if (!o.report) return io::write_comparison(c, folder, "", how, goes_on);
    const std::string page = comparison_page(c, file, o.settings);
    if (o.report->empty()) return io::write_comparison(c, folder, page, how, goes_on);
    const io::NewFolders above_report = make_folder_of(*o.report);
    const io::FileText elsewhere[] = {{*o.report, page}};
    std::vector<io::NewFile> prepared = io::prepare_files(elsewhere, goes_on);
    io::write_comparison(c, folder, "", how, goes_on);
    prepared.front().commit();
  });
}

/// Checks before any run that all files can be written.
void check_outputs(const CompareOptions& o, io::CommandFiles all, const fs::path& folder) {
  if (!o.reference.empty()) all.inputs.push_back({"the reference", io::file_of_positions(o.reference)});
  all.folders.push_back({"the folder of the comparison", folder});
  io::NamedFiles& comparison = all.together.emplace_back(io::NamedFiles{"the comparison", {}});
  for (const std::string_view name : io::comparison_files) comparison.files.push_back(folder / name);
  if (o.report) all.outputs.push_back({"the report", report_of(o, folder)});
  check_files(all);
  const bool with_page = o.report && o.report->empty();
  with_files([&] { io::check_comparison_folder(folder, {o.force}, with_page); });
  if (o.report) check_report(report_of(o, folder), {o.force});
}

Study study_of(const CompareOptions& o, const fs::path& file, io::DataFiles& data) {
  Study study = io::read_study(file.string(), o.settings, &data);
  o.limits.hold_time(study);
  if (!study.analysis.type->facts().integrates)
    throw ModelError(Place{file.string()},
                     fmt::format("the analysis is '{}': treatments are for forward analyses; try "
                                 "--set analysis.type=forward",
                                 study.analysis.type->info().name));
  return study;
}

// Several models --------------------------------------------------------------------------------------------

/// Throws UsageError if something has no meaning with several models.
SuiteChoice suite_of(const CompareOptions& o) {
  if (!o.reference.empty())
    throw UsageError("--reference is for one model; with several each has its own, which the program computes");
  SuiteChoice choice{o, {}, o.limits, o.repeat, o.quiet};
  if (o.models.empty()) choice.models = paper_models();
  for (const std::string& model : o.models) choice.models.push_back({model_file(model), {}});
  return choice;
}

void write_suite(const CompareOptions& o, const Suite& s, const fs::path& folder) {
  const io::Replacing how{o.force};
  const io::GoesOn goes_on = until_interrupted();
  with_files([&] {
    const std::string page = o.report ? io::suite_html(s) : "";
    if (!o.report || o.report->empty()) return io::write_suite(s, folder, page, how, goes_on);
    const io::NewFolders above_report = make_folder_of(*o.report);
    const io::FileText elsewhere[] = {{*o.report, page}};
    std::vector<io::NewFile> prepared = io::prepare_files(elsewhere, goes_on);
    io::write_suite(s, folder, "", how, goes_on);
    prepared.front().commit();
  });
}

int interruption(const std::string& what) {
  complain("interrupted: " + what + "; what there is has been written");
  return interrupt_signal() == SIGTERM ? terminated : interrupted;
}

int compare_several(const CompareOptions& o) {
  const SuiteChoice choice = suite_of(o);
  const fs::path folder = o.out.empty() ? fs::path("suite.compare") : fs::path(o.out);
  with_files([&] { io::check_suite_folder(folder, {o.force}, o.report && o.report->empty()); });
  if (o.report) check_report(report_of(o, folder), {o.force});
  Suite s = run_suite(choice);
  if (o.models.empty()) s.findings = paper_findings(s);
  write_suite(o, s, folder);
  if (o.format == "csv")
    std::cout << io::suite_csv(s);
  else if (o.format == "json")
    std::cout << io::suite_json(s).dump(2) << '\n';
  else if (!o.quiet)
    std::cout << suite_text(s)
              << fmt::format("\nin {}: {}\n", shown(folder / ""), fmt::join(io::suite_files, ", "))
              << (o.report ? fmt::format("report in {}\n", shown(report_of(o, folder))) : "");
  flush_stdout();
  if (!s.interrupted) return done;
  return interruption(
      fmt::format("{} of {} models have been compared", s.comparisons.size() - 1, choice.models.size()));
}

int compare(const CompareOptions& o) {
  if (o.repeat && *o.repeat < 1)
    throw UsageError(fmt::format("--repeat must be at least 1, got {}", *o.repeat));
  if (o.several()) return compare_several(o);
  const fs::path file = model_file(o.models.front());
  io::DataFiles data;
  const Study study = study_of(o, file, data);
  const auto read = [&](const io::Settings& settings) { return io::read_study(file.string(), settings); };
  const std::vector<Method> methods = methods_of(o, read, study);
  const fs::path folder = folder_of(o, file);
  check_outputs(o, files_of_model(file, data, o.settings), folder);
  Reference reference;
  if (!o.reference.empty()) {
    reference.source = o.reference;
    reference.positions = io::read_positions(o.reference, study.mechanism, o.settings.untrusted);
  }

  const Bench bench(o.quiet, study.analysis.patience.limit.value_or(usual_limit));
  Timing timing{.rounds = usual_rounds};
  if (o.repeat) timing = {.rounds = *o.repeat, .once = std::numeric_limits<double>::infinity()};
  Comparison c;
  try {
    const Results start = Assembly{}.run(study);
    if (!start.outcome) {
      std::error_code none;
      const bool compared = fs::is_regular_file(folder / io::comparison_files[0], none);
      complain(located(file, start.outcome.place, start.outcome.why + earlier_remains(folder, compared)));
      return not_assembled;
    }
    if (o.reference.empty()) reference = run_reference(study, bench);
    std::size_t number = 0;
    c = compare(study, methods, std::move(reference), bench, timing, [&](const MethodRun& run) {
      if (!o.quiet) note(fmt::format("{}\n", progress_line(run, ++number, methods.size())));
    });
  } catch (const ModelError& e) {
    throw ModelError(located(file, e.what()));
  }
  if (std::ranges::none_of(c.runs, &MethodRun::ran)) throw ModelError(located(file, c.runs.front().why));

  write_comparison(o, c, file, folder);
  if (o.format == "csv")
    std::cout << io::comparison_csv(c);
  else if (o.format == "json")
    std::cout << io::comparison_json(c).dump(2) << '\n';
  else if (!o.quiet)
    std::cout << comparison_text(c)
              << fmt::format("\nin {}: {}\n", shown(folder / ""), fmt::join(io::comparison_files, ", "))
              << (o.report ? fmt::format("report in {}\n", shown(report_of(o, folder))) : "");
  flush_stdout();
  if (!c.interrupted) return done;
  return interruption(fmt::format(
      "{} of {} methods have run",
      std::ranges::count_if(c.runs, [](const MethodRun& r) { return r.fate != MethodRun::interrupted; }),
      methods.size()));
}
}  // namespace

void CompareOptions::declare(Options& o) {
  o.arguments(
      {.name = "MODEL",
       .proposes = Proposes::files,
       .unless = "--suite",
       .meaning = R"(a TOML file, a MUBODYNA file, or a folder with a model.toml or model.mub; several are
            compared as --suite does)"},
      models);
  o.settings(settings);
  o.group("What to compare");
  o.add({.name = "--suite",
         .meaning =
             R"(several models under the same methods, in one table and with a ranking; the four of Marques,
            Souto and Flores (2017) if no MODEL is given. Integrator and steps are rk4 with 2 and 1 ms if not given,
            whatever the models ask for)"},
        suite);
  o.add({.name = "--treatments",
         .value = "LIST",
         .known = [] { return names_in("treatments"); },
         .list = true,
         .meaning =
             R"(some of 'mubody list treatments', separated by commas; all if not given. Numbers may follow
            in parentheses, as in "baumgarte(alpha=20,beta=20),projection"; if not, they are those of the
            model, if it has this treatment, or the defaults)"},
        treatments);
  o.add({.name = "--integrators",
         .value = "LIST",
         .known = [] { return names_in("integrators"); },
         .list = true,
         .meaning = "some of 'mubody list integrators'; that of the model if not given"},
        integrators);
  o.add({.name = "--steps",
         .value = "LIST",
         .list = true,
         .meaning = "steps of the integrators that have a fixed one, as in 1e-3 or \"1 ms\""},
        steps);
  o.add({.name = "--tolerances",
         .value = "LIST",
         .list = true,
         .meaning = "relative tolerances of the others; atol is then a hundredth of each"},
        tolerances);
  o.add({.name = "--reference",
         .value = "FILE",
         .proposes = Proposes::files,
         .meaning =
             R"(a CSV file with positions, such as crank.x[m] or crank.angle[deg], and the time in the first
            column; or a folder of results)"},
        reference);
  o.limits(limits, "That of the model, or 60 s, if not given; ten times as long for the reference");
  o.add({.name = "--repeat",
         .value = "N",
         .meaning =
             R"(run everything N times in turn and take the shortest CPU times; if not given, what takes less
            than 0.5 s is run 5 times)"},
        repeat);
  o.group("What to write");
  o.add({.name = "--out",
         .letter = 'o',
         .value = "FOLDER",
         .proposes = Proposes::folders,
         .meaning = "where the files go; MODEL with the extension .compare, or suite.compare, if not given"},
        out);
  o.report(report,
           R"(also a page with the table, the curves over time and the work-precision diagram; report.html
            in the folder)");
  o.format(format, {"text", "csv", "json"},
           R"(the table for people; as in comparison.csv; with reference and remarks for programs. With
            json, an invalid model is {"error": "..."})");
  o.force(force);
  o.quiet(quiet, "no progress, and no table for people");
}

Verb compare_verb() {
  return Verb::of(
      compare,
      {.name = "compare",
       .shelf = Shelf::study,
       .sentence = "run a model under many treatments, integrators and steps, and compare them",
       .description =
           {R"(Runs MODEL once for every treatment of the constraints, every integrator, and every step or
            tolerance, and prints one table. A method that fails, or that refuses the model, gets a row that
            says so, and the others go on. For each run:)",
            Terms{{"max |Φ|, mean |Φ|",
                   "violation of the constraints, the largest over all steps and the mean over the time"},
                  {"max |Φ̇|, mean |Φ̇|", "its rate"},
                  {"max ΦᵀΦ, max Φ̇ᵀΦ̇", "sums of the squares of all equations, and of their rates"},
                  {"energy", "residual of the energy balance, the largest over all output times"},
                  {"put in", R"(energy that corrections of positions and velocities after steps added, in sum;
            negative if they took it out)"},
                  {"error, at end", R"(largest distance of a body's coordinate [m] or angle [rad] from the
            reference, over all output times and at the last)"},
                  {"rhs, Newton", R"(evaluations of the accelerations; iterations that correct positions or
            solve implicit steps)"},
                  {"CPU", R"(processor time per simulated second, in that of standard multipliers with the
            same integrator and steps; in seconds if these did not run)"},
                  {"outcome", R"(passed; inaccurate: not to be trusted, or another motion than the
            reference; lost branch; diverged: no longer finite; stopped; cannot: the method refuses the
            model)"}},
            R"(The reference is the same model by dormand-prince with projection and a relative tolerance of
            1e-12. A second run at 1e-11 shows how well it is known. Ctrl-C, or SIGTERM, ends the run at
            hand and skips the rest; what has been computed is kept.)"},
       .exits = {{done, "compared, whatever became of the methods"},
                 {failed, "a folder that cannot be written to, or an internal error"},
                 {wrong_input,
                  "wrong usage, the model is invalid, or no method can run it; nothing is written"},
                 {not_assembled, "the mechanism cannot be assembled; nothing is written"},
                 {solver_failed,
                  "the limit of CPU time was reached before the first run began; nothing is written"},
                 {interrupted, "interrupted by Ctrl-C; the runs up to there are kept"},
                 {terminated, "ended by SIGTERM; the runs up to there are kept"}},
       .files = {Terms{
                     {"comparison.csv", "the table with all digits, and more"},
                     {"work_precision.csv", "work and error of the runs that reached the end, for a diagram"},
                     {"curves.csv", R"(violation, its rate, the energy residual and the sums of squares of every
            run over time)"}},
                 "Files of an earlier comparison are replaced; a file that mubody has not written is not "
                 "touched without --force. All files appear together."},
       .examples = {"mubody compare four_bar.toml", "mubody compare --suite --report",
                    "mubody compare four_bar.toml --repeat 5 \\\n"
                    "    --treatments \"standard,baumgarte(alpha=20,beta=20),projection\"",
                    "mubody compare four_bar.toml --integrators rk4,dormand-prince --steps 2e-3,1e-3,5e-4 \\\n"
                    "    --tolerances 1e-6,1e-9",
                    "mubody compare four_bar.toml --reference benchmark.csv --format csv > table.csv"}});
}
}  // namespace mubody::cli
