// mubody run: from a model to a folder of results.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <sstream>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/elements.h"
#include "cli/limits.h"
#include "cli/names.h"
#include "cli/run_model.h"
#include "cli/terminal.h"
#include "cli/verb.h"
#include "mubody/fmi/controllers.h"
#include "mubody/model/escape.h"
#include "mubody/mubodyna/report.h"
#include "mubody/precompute/run/run_real_time.h"
#include "mubody/reading/read_model.h"
#include "mubody/reading/real_time_file.h"
#include "mubody/text/text_file.h"
#include "mubody/text/write_aligned.h"
#include "mubody/text/write_file.h"
#include "mubody/writing/read_results.h"
#include "mubody/writing/table_names.h"
#include "mubody/writing/write_results.h"
#include "mubody/writing/write_summary.h"

namespace mubody::cli {
struct RunOptions {
  std::string model, out, analysis;
  io::Settings settings;              // key=value
  std::optional<std::string> report;  // a file; in the folder of the results if empty
  std::string format = "text";
  bool quiet = false;
  bool no_estimate = false, force = false, compiled = false, allow_fmu = false;
  std::string report_text;   // a file for the report in the layout of MUBODYNA; none if empty
  std::optional<int> every;  // that report has every n-th result
  bool full = false;         // all digits in that report
  Limits limits;

  void declare(Options& o) {
    o.model(model);
    o.add({.name = "--out",
           .letter = 'o',
           .value = "FOLDER",
           .proposes = Proposes::folders,
           .meaning = "where the results go; MODEL with the extension .out if not given"},
          out);
    o.settings(settings);
    o.add({.name = "--analysis",
           .value = "TYPE",
           .known = [] { return names_in("analyses"); },
           .meaning = "one of 'mubody list analyses', whatever the model says"},
          analysis);
    o.report(report, "also a page that shows the mechanism moving; report.html in the folder of the results");
    o.add({.name = "--report-text",
           .value = "FILE",
           .proposes = Proposes::files,
           .meaning =
               "for planar models also a report in the layout of MUBODYNA: the system, then for every result "
               "bodies, points, springs, reactions and violations; replaces only such a report"},
          report_text);
    o.add({.name = "--every",
           .value = "N",
           .with = "--report-text",
           .meaning = "in that report every N-th result and the last one"},
          every);
    o.add({.name = "--full",
           .with = "--report-text",
           .meaning = "in that report all digits in place of three decimals"},
          full);
    o.estimate(no_estimate);
    o.compiled(compiled);
    o.add({.name = "--allow-fmu",
           .meaning =
               "load the FMUs under [controllers] of the model: they are code, which runs with your rights"},
          allow_fmu);
    o.force(force);
    o.limits(limits);
    o.format(format, {"text", "json"},
             "the summary on stdout: for people, or as in summary.json; an invalid model is then "
             "{\"error\": \"...\"}");
    o.quiet(quiet, "no summary and no progress bar; only errors");
  }
};

namespace {
namespace fs = std::filesystem;
constexpr std::size_t moved_shown = 10, most_events = 5, most_remarks = 10, most_modes = 10;

fs::path results_folder(const RunOptions& options, const fs::path& file) {
  if (!options.out.empty()) return options.out;
  fs::path folder = file;
  folder.replace_extension(".out");
  return folder == file ? fs::path(file.string() + ".out") : folder;
}

std::string parts_line(const Mechanism& m) {
  std::size_t drivers = 0;
  for (const auto& joint : m.joints) drivers += joint.driver ? 1 : 0;
  std::string line =
      counted(m.bodies.size(), "body", "bodies") + ", " + counted(m.joints.size() - drivers, "joint", "joints");
  if (drivers > 0) line += ", " + counted(drivers, "driver", "drivers");
  if (!m.forces.empty()) line += ", " + counted(m.forces.size(), "force", "forces");
  return line;
}

std::string method_line(const Results& r) {
  const Statistics& s = r.statistics;
  const std::string steps =
      fmt::format("{} ({} rejected)", counted(std::size_t(s.steps), "step", "steps"), s.rejected);
  if (r.integrator.empty()) return "Newton along the branch: " + steps;
  // Even among equal steps the last one differs by round-off.
  const std::string sizes = s.largest_step - s.smallest_step < 1e-3 * s.largest_step
                                ? fmt::format("{:.3g} s", s.largest_step)
                                : fmt::format("{:.2g} to {:.2g} s", s.smallest_step, s.largest_step);
  const std::string method = r.integrator == r.treatment ? r.treatment : r.integrator + " with " + r.treatment;
  return fmt::format("{}: {} of {}", method, steps, sizes);
}

// Prints the lines of a block, with the label on the first only.
void print_block(const char* label, const std::string& text) {
  const std::size_t indent = 12;
  fmt::print("  {:<10}{}\n", label, io::wrapped_text(text, line_width() - indent, std::string(indent, ' ')));
}

void print_events(const Results& r) {
  std::vector<io::TextRow> rows;
  for (std::size_t k = 0; k < r.events.size() && k < most_events; ++k)
    rows.push_back(
        {fmt::format("{:.6g}", r.events[k].t), "s", std::string(r.events[k].word()) + ":", r.events[k].what});
  print_block("events", fmt::format("{}", r.events.size()));
  fmt::print("{}", io::aligned(rows, false, "              ", line_width()));
  if (r.events.size() > most_events)
    fmt::print("              ... and {} more in events.csv\n", r.events.size() - most_events);
}

void print_contacts(const Results& r) {
  const auto hardest = std::ranges::max_element(r.contacts, {}, &ContactRecord::peak_force);
  print_block("contacts", fmt::format("{}, the hardest of {:.4g} N at '{}', t = {:.6g} s", r.contacts.size(),
                                      hardest->peak_force, hardest->contact, hardest->peak_at));
}

// The largest component of the reactions in each unit.
void print_reactions(const Results& r) {
  std::vector<const Reaction*> most;
  for (const Reaction& x : r.reactions) {
    const auto same = std::ranges::find_if(most, [&](const Reaction* m) { return m->unit == x.unit; });
    if (same == most.end())
      most.push_back(&x);
    else if (std::abs(x.largest) > std::abs((*same)->largest))
      *same = &x;
  }
  constexpr double round_off = 1e-12;  // beside the largest of all
  double largest = 0;
  for (const Reaction* x : most) largest = std::max(largest, std::abs(x->largest));
  std::string text;
  for (const Reaction* x : most)
    if (std::abs(x->largest) > round_off * largest)
      text += fmt::format("{}{:.5g} {} in {}, t = {:.6g} s", text.empty() ? "at most " : "; ",
                          std::abs(x->largest), x->unit, x->channel, x->at);
  if (!text.empty()) print_block("reactions", text);
}

// Prints the slowest modes.
void print_modes(const Table& modes) {
  std::vector<io::TextRow> rows{{"mode", "frequency [Hz]", "damping ratio", "eigenvalue [1/s]"}};
  for (std::size_t k = 0; k < modes.rows() && k < most_modes; ++k)
    rows.push_back(
        {fmt::format("{}", k + 1), fmt::format("{:.6g}", modes.at(k, 1)), fmt::format("{:.4g}", modes.at(k, 2)),
         fmt::format("{:.6g} {} {:.6g} i", modes.at(k, 4), modes.at(k, 5) == 0 ? "+" : "±", modes.at(k, 5))});
  print_block("modes", fmt::format("{}", modes.rows()));
  fmt::print("{}", io::aligned(rows, true, "              ", line_width()));
  if (modes.rows() > most_modes)
    fmt::print("              ... and {} more in the table 'modes'\n", modes.rows() - most_modes);
}

void print_summary(const Study& study, const Results& r) {
  const Statistics& s = r.statistics;
  const double from = study.analysis.start;
  const bool moves = !r.integrator.empty() || s.steps > 0;
  fmt::print(
      "{}: {} analysis {}\n", bold(r.model), r.analysis,
      moves ? fmt::format("from {:.6g} s to {:.6g} s", from, io::end_of(r)) : fmt::format("at {:.6g} s", from));
  print_block("mechanism", parts_line(study.mechanism) + "; " + freedom_sum(r.freedom));
  print_block("assembly", assembly_line(r.assembly));
  fmt::print("{}", moved_lines(r.assembly, moved_shown, "              "));
  if (!r.formulation.of_bodies && moves) print_block("equations", equations_line(r.formulation));
  if (moves) print_block("method", method_line(r));
  if (r.freedom.equations > 0 && moves)
    print_block("violation",
                fmt::format("at most {:.1e} [m or rad]{}, its rate {:.1e} [m/s or rad/s]", s.largest_violation,
                            !s.worst_body.empty()    ? fmt::format(" in the unit vectors of '{}'", s.worst_body)
                            : !s.worst_joint.empty() ? fmt::format(" in joint '{}'", s.worst_joint)
                                                     : "",
                            s.largest_rate));
  if (r.has_balance())
    print_block("energy", fmt::format("balance open by at most {:.1e} J, of {:.3g} J in play",
                                      s.energy_residual, s.energy_scale));
  if (r.accuracy) print_block("digits", r.accuracy->in_words());
  if (const Table* modes = r.find("modes")) print_modes(*modes);
  if (!r.events.empty()) print_events(r);
  if (!r.contacts.empty()) print_contacts(r);
  if (moves) print_reactions(r);
  const std::vector<std::string> remarks = io::remarks_of(r, study.output.format.word());
  for (std::size_t k = 0; k < remarks.size() && k < most_remarks; ++k)
    print_block(k == 0 ? "remarks" : "", remarks[k]);
  if (remarks.size() > most_remarks)
    print_block("", fmt::format("... and {} more in summary.json", remarks.size() - most_remarks));
  const std::string verdict = io::wrapped_text(r.verdict, line_width() - 12, "            ");
  fmt::print("  {:<10}{}\n", "verdict", r.trusted ? good(verdict) : bad(verdict));
}

void print_files(const Study& study, const Results& r, const fs::path& folder, double seconds) {
  fmt::print("results in {} after {}\n", shown(folder / ""), duration(seconds));
  std::size_t rows = 0, columns = 0;
  const std::vector<io::ResultFile> files = io::files_of(r, study.output.format.word());
  for (const io::ResultFile& f : files)
    rows = std::max(rows, f.rows), columns = std::max(columns, f.columns.size());
  const std::size_t row_digits = std::to_string(rows).size(), column_digits = std::to_string(columns).size();
  for (const io::ResultFile& f : files)
    fmt::print("  {:<15}  {:>{}} {} x {:>{}} columns\n", f.name, f.rows, row_digits,
               f.rows == 1 ? "row " : "rows", f.columns.size(), column_digits);
  fmt::print("  summary.json\n");
}

constexpr io::OwnKind text_report{"mubody", [](std::string_view beginning) {
                                    return io::first_line(beginning) == io::mubodyna::report_title;
                                  }};

std::string text_report_of(const RunOptions& options, const fs::path& file, bool changed, const Study& study,
                           const Results& results) {
  const io::mubodyna::Translation model = io::mubodyna::described_model(file.string(), study, changed);
  std::ostringstream out;
  io::mubodyna::write_report(
      out, model, study, results,
      {.every = std::size_t(options.every.value_or(1)), .full = options.full, .goes_on = until_interrupted()});
  return out.str();
}

// Tables of the whole hold all numbers of a mechanism but those that they foresee; those of loops hold the geometry of these alone,
// and a run from them finds out whether it is still that of the model.
void check_setting(const RealTimeModel& model, const std::string& s) {
  for (const char* key : {"analysis.formulation", "analysis.treatment", "analysis.chords"})
    if (s.starts_with(key))
      throw UsageError(fmt::format("--set {}: tables have no constraints to treat; run the model itself", s));
  if (model.loops_as_joints || s.starts_with("analysis.") || s.starts_with("output.")) return;
  std::string designed;
  for (const DesignVariable& d : model.design) {
    if (s.starts_with("parameters." + d.name + "=")) return;
    designed += " and parameters." + d.name;
  }
  throw UsageError(
      fmt::format("--set {}: the tables of a precomputed model are made; only analysis and output{} can be "
                  "set. Precompute it again",
                  s, designed));
}

// The model from which a precomputed one was made, with changes that its tables allow or do not depend on.
Study study_of(RealTimeModel& model, const io::Settings& settings, const fs::path& file, io::DataFiles& data) {
  for (const std::string& s : settings) check_setting(model, s);
  io::Settings all(model.settings, settings.untrusted);
  all.insert(all.end(), settings.begin(), settings.end());
  Study study;
  try {
    study = io::read_study_text(model.text, model.file, all, &data);
  } catch (const ModelError& e) {
    throw ModelError(Place{file.string()}, fmt::format("the model inside, {}", e.what()));
  }
  for (DesignVariable& d : model.design) {
    const auto parameter = study.parameters.find(d.name);
    if (parameter == study.parameters.end())
      throw ModelError(Place{file.string()},
                       "the precomputed model foresees changes of a parameter that its model does not have");
    d.value = parameter->second;
  }
  return study;
}

Results run_precomputed(const RealTimeModel& model, const Study& study, const fs::path& file, bool quiet) {
  const AnalysisFacts& facts = study.analysis.type->facts();
  if (!facts.moves() || !facts.tables.empty())  // tables give a motion, and nothing that is found besides
    throw UsageError(
        "a precomputed model runs forward, or as its drivers lead it; for other analyses run the model "
        "itself");
  if (facts.follows_drivers &&
      std::ranges::none_of(study.mechanism.joints, [](const auto& joint) { return joint.driver; }))
    throw UsageError("a kinematic analysis follows drivers, and this model has none");
  try {
    ShownProgress progress(!quiet);
    return run_real_time(model, study, std::ref(progress));
  } catch (const ModelError& e) {
    throw ModelError(located(file, e.what()));
  }
}

/// Where the files of a run go.
struct Targets {
  fs::path folder, report, text_report;  // no report if empty
  io::Replacing how;

  /// The report may be one of the files in the folder of the results, which appear together.
  bool report_in_folder() const {
    const auto resolved = [](const fs::path& f) { return fs::weakly_canonical(fs::current_path() / f / ""); };
    return report.filename() == io::usual_report_name && resolved(report.parent_path()) == resolved(folder);
  }
};

/// All that a run reads and writes.
io::CommandFiles files_of(const Targets& t, io::CommandFiles all) {
  all.folders.push_back({"the folder of results", t.folder});
  io::NamedFiles& results = all.together.emplace_back(io::NamedFiles{"the results", {}});
  for (const std::string& name : io::result_names()) results.files.push_back(t.folder / name);
  if (!t.report.empty()) all.outputs.push_back({"the report", t.report});
  if (!t.text_report.empty()) all.outputs.push_back({"the text report", t.text_report});
  return all;
}

Targets targets_of(const RunOptions& options, const fs::path& file, const io::DataFiles& data) {
  Targets t{results_folder(options, file), {}, options.report_text, {options.force}};
  if (options.report)
    t.report = options.report->empty() ? t.folder / io::usual_report_name : fs::path(*options.report);
  check_files(files_of(t, files_of_model(file, data, options.settings)));
  with_files([&] {
    io::check_folder(t.folder, t.how, t.report_in_folder());
    if (!t.text_report.empty()) io::check_target(t.text_report, text_report, t.how);
  });
  if (!t.report.empty()) check_report(t.report, t.how);
  return t;
}

/// Writes everything that can fail before anything appears.
io::WrittenResults write_all(const Targets& t, const Study& study, const Results& results,
                             const std::vector<std::string>& settings, const std::string& page,
                             const std::string& text) {
  io::WrittenResults written;
  with_files([&] {
    const io::GoesOn goes_on = until_interrupted();
    io::NewFolders above_report;
    std::vector<io::FileText> others;
    if (!t.report.empty() && !t.report_in_folder()) {
      above_report = make_folder_of(t.report);
      others.push_back({t.report, page});
    }
    if (!t.text_report.empty()) others.push_back({t.text_report, text});
    std::vector<io::NewFile> prepared = io::prepare_files(others, goes_on);
    written = io::write_results(
        results, t.folder, settings,
        {t.report_in_folder() ? page : "", t.how, goes_on, study.output.units, study.output.format.word()});
    for (io::NewFile& file : prepared) file.commit();
  });
  return written;
}

Results run_with(const std::vector<io::FmuController>& controllers, const Study& study, bool quiet) {
  ShownProgress progress(!quiet);
  return io::run_controlled(study, controllers, std::ref(progress));
}

int run(const RunOptions& options) {
  if (options.every && *options.every < 1)
    throw UsageError(fmt::format("--every must be positive, got {}", *options.every));
  const Stopwatch watch;
  const fs::path file = model_file(options.model);
  io::Settings settings = options.settings;
  if (!options.analysis.empty()) settings.push_back("analysis.type=" + options.analysis);
  if (options.allow_fmu && settings.untrusted)
    throw UsageError("--allow-fmu runs code of the model, which --untrusted forbids: give one of the two");
  settings.allow_fmu = options.allow_fmu;
  std::optional<RealTimeModel> tables;
  if (io::is_real_time_file(file) || file.extension() == ".rt")
    tables = io::read_real_time_file(file, settings.untrusted);
  io::DataFiles data;
  Study study =
      tables ? study_of(*tables, settings, file, data) : io::read_study(file.string(), settings, &data);
  std::vector<io::FmuController> controllers;
  if (!tables) controllers = io::read_controllers(file.string(), settings);
  study.analysis.estimate_usual = !options.no_estimate;
  study.analysis.compiled = study.analysis.compiled || options.compiled;
  options.limits.hold_time(study);
  if (tables && !options.report_text.empty()) throw UsageError("--report-text is not for precomputed models");
  if (!options.report_text.empty() && study.mechanism.dim != 2)
    throw UsageError("--report-text is for planar models; this one is spatial");
  if (!options.report_text.empty()) io::mubodyna::ask_for_tables(study);
  const Targets targets = targets_of(options, file, data);

  const Results results = tables                 ? run_precomputed(*tables, study, file, options.quiet)
                          : !controllers.empty() ? run_with(controllers, study, options.quiet)
                                                 : run_model(study, file, options.quiet);
  const int code = exit_code(results);
  io::WrittenResults written;
  const bool has_results = code != not_assembled && !results.tables.empty();
  if (has_results) {
    const std::string page = targets.report.empty() ? ""
                             : tables ? report_page(results, study, tables->file, tables->text, settings)
                                      : report_page(results, study, file, settings);
    written = write_all(
        targets, study, results, settings, page,
        options.report_text.empty() ? "" : text_report_of(options, file, !settings.empty(), study, results));
  }

  if (options.format == "json") {
    std::cout << (has_results ? written.summary
                              : io::summary_json(results, settings, study.output.format.word()).dump(2) + '\n');
  } else if (!options.quiet && has_results) {
    print_summary(study, results);
    print_files(study, results, targets.folder, watch.seconds());
    if (written.removed_page)
      fmt::print("  {} of an earlier run was removed; --report writes a new one\n", io::usual_report_name);
    if (!options.report_text.empty()) fmt::print("report in {}\n", shown(options.report_text));
    if (options.report) fmt::print("report in {}\n", shown(targets.report));
  }
  flush_stdout();
  if (code != done)
    complain(located(
        file, results.outcome.place,
        failure(code, results) +
            (has_results ? "" : earlier_remains(targets.folder, io::has_results(targets.folder.string())))));
  return code;
}
}  // namespace

Verb run_verb() {
  return Verb::of(
      run,
      {.name = "run",
       .shelf = Shelf::everyday,
       .sentence = "run a model and write the results to a folder",
       .description =
           {R"(Reads MODEL, assembles the mechanism, does the analysis that it asks for, writes tables with
            units and a summary that says whether the results can be trusted, and prints that summary.
            Ctrl-C, or SIGTERM, stops the analysis and keeps what has been computed; a second one ends the
            program at once.)",
            R"(A file that 'mubody precompute' has made is run from its tables, into the same files of
            results; --set then changes analysis and output only.)",
            R"(Tables are CSV files; --set output.format=npy makes them binary, .npy, which is fast for large ones.)"},
       .exits = exits_of_runs(),
       .files =
           {"As far as they apply, in the folder of the results:",
            Terms{{"bodies.csv", "positions, velocities and accelerations of the bodies"},
                  {"joints.csv", "relative coordinates of the joints, and reactions"},
                  {"points.csv", "motion of the points of interest"},
                  {"forces.csv", "lengths, rates and forces of the force elements"},
                  {"energy.csv", "energies, work done, and the residual of their balance"},
                  {"violations.csv", "how far the constraints are from zero"},
                  {"channels.csv", "the columns that [output] asks for"},
                  {"accuracy.csv", "the estimated error of every channel, and the digits that it leaves"},
                  {"extremes.csv", "the least and the greatest value of every channel, over all steps"},
                  {"events.csv", "singular positions, dead points"},
                  {"summary.json", "outcome, verdict, solver statistics, and the columns of the files"}},
            R"(Each CSV file has one row of names with units and then numbers, the time first; units are those of SI, or those
            that [output] asks for.
            Files of an earlier run are replaced, and its report.html is removed unless --report renews it; a file
            that mubody has not written is not touched without --force. All files appear together.)"},
       .examples = {"mubody run four_bar.toml", "mubody run examples/four_bar --out results/four_bar",
                    "mubody run four_bar.toml --set analysis.integrator=rk4 --set analysis.step=1e-3",
                    "mubody run four_bar.toml --set bodies.crank.mass=\"1200 g\" --format json",
                    "mubody run leg.mub --report-text leg.txt --every 10"}});
}
}  // namespace mubody::cli
