// mubody compare: one model under many treatments, integrators and steps.
#include <algorithm>
#include <cmath>
#include <csignal>
#include <ctime>
#include <iostream>
#include <limits>
#include <new>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/compare_report.h"
#include "cli/limits.h"
#include "cli/names.h"
#include "cli/run_model.h"
#include "cli/terminal.h"
#include "cli/verb.h"
#include "mubody/analyses/assembly.h"
#include "mubody/analyses/run.h"
#include "mubody/math/suggest.h"
#include "mubody/model/escape.h"
#include "mubody/model/units.h"
#include "mubody/reading/read_model.h"
#include "mubody/report/write_chart_reports.h"
#include "mubody/surveys/comparison.h"
#include "mubody/text/text_file.h"
#include "mubody/text/write_file.h"
#include "mubody/treatments/standard.h"
#include "mubody/writing/read_positions.h"
#include "mubody/writing/write_comparison.h"

namespace mubody::cli {
struct CompareOptions {
  std::string model, out, reference, format = "text";
  std::string treatments;                                   // "baumgarte(alpha=20),projection"; all if empty
  std::vector<std::string> integrators, steps, tolerances;  // as in the model if empty; numbers may have units
  io::Settings settings;                                    // key=value
  Limits limits;                                            // of each run
  std::optional<int> repeat;                                // rounds through all methods
  std::optional<std::string> report;                        // a file; in the folder if empty
  bool quiet = false, force = false;

  void declare(Options& o);
};

namespace {
namespace fs = std::filesystem;
constexpr int usual_rounds = 5;
constexpr double usual_limit = 60;           // [s] CPU time of a run
constexpr double longer_for_reference = 10;  // its tolerances are the tightest

/// The CPU time that this program has used [s].
double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

// Options ---------------------------------------------------------------------------------------------------

/// Splits "a(x=1,y=2),b" at the commas outside parentheses.
std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth == 0)
      parts.emplace_back();
    else if (c != ' ' || depth > 0)
      parts.back() += c;
  }
  return parts;
}

template <class Entries> void expect_name(const char* kind, const std::string& name, const Entries& entries) {
  std::vector<std::string_view> known;
  for (const auto& e : entries) known.push_back(e.info.name);
  if (std::ranges::find(known, name) != known.end()) return;
  const std::string near = suggestion(name, known);
  throw UsageError(fmt::format("unknown {} '{}'{}", kind, name,
                               near.empty() ? fmt::format("; there are {}", fmt::join(known, ", ")) : near));
}

/// "alpha=20" as TOML; a value that is neither a number nor in quotes is a word.
std::string assignment(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string value = equals == std::string::npos ? "" : text.substr(equals + 1);
  if (value.empty()) throw UsageError(fmt::format("--treatments: expected key=value, got '{}'", text));
  const bool plain = value.find_first_not_of("0123456789+-.eE") == std::string::npos || value == "true" ||
                     value == "false" || value.front() == '\'' || value.front() == '"';
  return plain ? text : fmt::format("{}'{}'", text.substr(0, equals + 1), value);
}

/// The treatment "baumgarte(alpha=20)", read as if it stood in the model file.
Box<Treatment> treatment_of(const std::string& text, const CompareOptions& o, const fs::path& file,
                            const Study& study) {
  const std::size_t open = text.find('(');
  const std::string name = text.substr(0, open);
  expect_name("treatment", name, treatment_kinds());
  if (open == std::string::npos) {
    if (study.analysis.treatment->info().name == name) return study.analysis.treatment;
    return std::ranges::find(treatment_kinds(), name, [](const TreatmentEntry& e) { return e.info.name; })
        ->make();
  }
  if (text.back() != ')')
    throw UsageError(fmt::format("--treatments: expected 'name(key=value,...)', got '{}'", text));
  const std::string inside = text.substr(open + 1, text.size() - open - 2);
  io::Settings settings = o.settings;
  std::string table = fmt::format("type = '{}'", name);
  for (const std::string& number : split(inside)) table += ", " + assignment(number);
  settings.push_back("analysis.treatment={" + table + '}');
  try {
    return io::read_study(file.string(), settings).analysis.treatment;
  } catch (const ModelError& e) {
    const std::string message = e.what(), place = "--set " + settings.back();
    throw UsageError(message.starts_with(place) ? "--treatments " + text + message.substr(place.size())
                                                : message);
  }
}

std::vector<Box<Treatment>> treatments_of(const CompareOptions& o, const fs::path& file, const Study& study) {
  std::vector<std::string> names = split(o.treatments);
  if (o.treatments.empty()) {
    // Standard multipliers come first, since the others are compared with them.
    names = {std::string(Standard::info.name)};
    for (const TreatmentEntry& e : treatment_kinds())
      if (e.info.name != names.front()) names.emplace_back(e.info.name);
    for (const char* variant :
         {"baumgarte(gains=taylor)", "baumgarte(gains=auto)", "partitioning(by=qr)", "partitioning(by=svd)"})
      names.emplace_back(variant);
  }
  std::vector<Box<Treatment>> all;
  for (const std::string& name : names) all.push_back(treatment_of(name, o, file, study));
  return all;
}

std::vector<double> positive(const char* option, const std::vector<std::string>& texts, const char* unit) {
  std::vector<double> all;
  for (const std::string& text : texts) {
    double value = 0;
    try {
      value = to_si(text, unit);
    } catch (const UnitError& e) {
      throw UsageError(fmt::format("{}: {}", option, e.what()));
    }
    if (!std::isfinite(value) || value <= 0)
      throw UsageError(fmt::format("{} must be positive, got '{}'", option, text));
    all.push_back(value);
  }
  return all;
}

/// The integrators with their steps or tolerances, each as the options of an analysis.
std::vector<AnalysisOptions> steps_of(const CompareOptions& o, const Study& study) {
  const std::vector<double> steps = positive("--steps", o.steps, "s");
  const std::vector<double> tolerances = positive("--tolerances", o.tolerances, "1");
  std::vector<std::string> integrators = o.integrators;
  if (integrators.empty()) integrators.push_back(study.analysis.integrator);
  std::vector<AnalysisOptions> all;
  bool any_fixed = false, any_adaptive = false;
  for (const std::string& name : integrators) {
    expect_name("integrator", name, integrator_kinds());
    AnalysisOptions analysis = study.analysis;
    analysis.integrator = name;
    const bool adaptive = find_integrator(name)->adaptive;
    (adaptive ? any_adaptive : any_fixed) = true;
    if (!adaptive && steps.empty() && !analysis.control.step)
      throw UsageError(fmt::format("'{}' has a fixed step: give --steps, as in --steps 1e-3", name));
    const std::vector<double>& sizes = adaptive ? tolerances : steps;
    if (sizes.empty()) all.push_back(analysis);
    for (const double size : sizes) {
      if (adaptive)
        analysis.control.rtol = size, analysis.control.atol.reset();
      else
        analysis.control.step = size;
      try {
        analysis.control.check();
      } catch (const FieldError& e) {
        throw UsageError(fmt::format("{} {} {}", adaptive ? "--tolerances:" : "--steps:", e.field, e.what()));
      }
      all.push_back(analysis);
    }
  }
  if (!steps.empty() && !any_fixed)
    throw UsageError("--steps is for integrators with a fixed step; add one, as in --integrators rk4");
  if (!tolerances.empty() && !any_adaptive)
    throw UsageError(
        "--tolerances is for integrators that control their steps; add one, as in --integrators "
        "dormand-prince");
  return all;
}

bool steps_itself(const Treatment& treatment) {
  const auto is_it = [&](const TreatmentEntry& e) { return e.info.name == treatment.info().name; };
  return std::ranges::find_if(treatment_kinds(), is_it)->steps;
}

std::vector<Method> methods_of(const CompareOptions& o, const fs::path& file, const Study& study) {
  std::vector<Method> all;
  const std::vector<Box<Treatment>> treatments = treatments_of(o, file, study);
  const std::vector<AnalysisOptions> all_steps = steps_of(o, study);
  const auto is_fixed = [](const AnalysisOptions& a) { return !find_integrator(a.integrator)->adaptive; };
  for (const AnalysisOptions& steps : all_steps)
    for (const Box<Treatment>& treatment : treatments) {
      // A treatment that does its own steps needs a step size, whatever the integrators.
      if (steps_itself(*treatment) && !is_fixed(steps) && std::ranges::any_of(all_steps, is_fixed)) continue;
      Method method{steps};
      method.analysis.treatment = treatment;
      const auto is_same = [&](const Method& other) { return other.label() == method.label(); };
      if (std::ranges::none_of(all, is_same)) all.push_back(std::move(method));
    }
  return all;
}

fs::path folder_of(const CompareOptions& o, const fs::path& file) {
  if (!o.out.empty()) return o.out;
  fs::path folder = file;
  folder.replace_extension(".compare");
  return folder == file ? fs::path(file.string() + ".compare") : folder;
}

// Runs ------------------------------------------------------------------------------------------------------

/// Runs a study and measures its time; the refusal of a model by a method is a result too.
class Bench {
 public:
  Bench(bool quiet, double limit) : quiet_(quiet), limit_(limit) {}

  Attempt operator()(Study study, const Purpose& purpose) {
    if (!quiet_ && purpose.kind != Purpose::method && purpose.label != said_)
      note(fmt::format("{}\n", for_terminal(purpose.label)));
    said_ = purpose.label;
    study.analysis.patience.limit = limit_ * (purpose.kind == Purpose::reference ? longer_for_reference : 1);
    Attempt attempt;
    try {
      run(study, attempt);
    } catch (const std::bad_alloc&) {
      attempt.cannot = memory_is_exhausted();
    } catch (const std::exception& e) {
      attempt.cannot = e.what();
    }
    return attempt;
  }

 private:
  void run(const Study& study, Attempt& attempt) const {
    ShownProgress progress(!quiet_);
    const double before = cpu_seconds();
    attempt.results = mubody::run_forward(study, std::ref(progress));
    attempt.cpu = cpu_seconds() - before;
  }

  bool quiet_;
  double limit_;  // [s] of CPU time
  std::string said_;
};

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

int compare(const CompareOptions& o) {
  if (o.repeat && *o.repeat < 1)
    throw UsageError(fmt::format("--repeat must be at least 1, got {}", *o.repeat));
  const fs::path file = model_file(o.model);
  io::DataFiles data;
  const Study study = study_of(o, file, data);
  const std::vector<Method> methods = methods_of(o, file, study);
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
  complain(fmt::format(
      "interrupted: {} of {} methods have run; what there is has been written",
      std::ranges::count_if(c.runs, [](const MethodRun& r) { return r.fate != MethodRun::interrupted; }),
      methods.size()));
  return interrupt_signal() == SIGTERM ? terminated : interrupted;
}
}  // namespace

void CompareOptions::declare(Options& o) {
  o.model(model);
  o.settings(settings);
  o.group("What to compare");
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
         .meaning = "where the files go; MODEL with the extension .compare if not given"},
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
                  {"energy", "residual of the energy balance, the largest over all output times"},
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
       .files = {Terms{{"comparison.csv", "the table with all digits, and more"},
                       {"work_precision.csv", "work and error of the runs that reached the end, for a diagram"},
                       {"curves.csv", "violation, its rate and the energy residual of every run over time"}},
                 "Files of an earlier comparison are replaced; a file that mubody has not written is not "
                 "touched without --force. All files appear together."},
       .examples = {"mubody compare four_bar.toml",
                    "mubody compare four_bar.toml --repeat 5 \\\n"
                    "    --treatments \"standard,baumgarte(alpha=20,beta=20),projection\"",
                    "mubody compare four_bar.toml --integrators rk4,dormand-prince --steps 2e-3,1e-3,5e-4 \\\n"
                    "    --tolerances 1e-6,1e-9",
                    "mubody compare four_bar.toml --reference benchmark.csv --format csv > table.csv"}});
}
}  // namespace mubody::cli
