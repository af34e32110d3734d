// mubody report: a page to look at, from a model or from results.
#include <iostream>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/limits.h"
#include "cli/run_model.h"
#include "cli/terminal.h"
#include "cli/verb.h"
#include "mubody/reading/read_model.h"
#include "mubody/report/write_report.h"
#include "mubody/text/text_file.h"
#include "mubody/writing/read_results.h"
#include "mubody/writing/table_names.h"

namespace mubody::cli {
struct ReportOptions {
  std::string source, out;  // a model, or a folder of results
  std::string model;        // the model that results belong to
  std::string overlay;      // a folder of results that is laid over
  io::Settings settings;    // key=value
  bool quiet = false, no_estimate = false, force = false;
  Limits limits;

  void declare(Options& o) {
    o.argument({.name = "MODEL|RESULTS",
                .proposes = Proposes::files,
                .meaning = "a model, or a folder that 'mubody run' has written"},
               source);
    o.add({.name = "--out",
           .letter = 'o',
           .value = "FILE",
           .proposes = Proposes::files,
           .meaning =
               "where the page goes, a name that ends with .html; if not given, MODEL with that extension, or "
               "report.html in the folder RESULTS; replaces a report, and nothing else without --force"},
          out);
    o.settings(settings);
    o.add({.name = "--model",
           .value = "FILE",
           .proposes = Proposes::files,
           .meaning = "the model that RESULTS belong to"},
          model);
    o.add({.name = "--overlay",
           .value = "RESULTS",
           .proposes = Proposes::files,
           .meaning = "a folder of other results, which the page lays over these: faint curves and bodies"},
          overlay);
    o.estimate(no_estimate);
    o.force(force);
    o.limits(limits);
    o.quiet(quiet, "no progress bar and no message; only errors");
  }
};

namespace {
namespace fs = std::filesystem;

void say(const ReportOptions& o, const fs::path& report) {
  if (!o.quiet) fmt::print("report in {}\n", shown(report));
  flush_stdout();
}

/// The model of a folder of results: the one that is named, or model.toml beside model.out/.
std::optional<fs::path> model_of_results(const ReportOptions& o) {
  if (!o.model.empty()) return model_file(o.model);
  fs::path beside = fs::path(o.source).lexically_normal();
  if (!beside.has_filename()) beside = beside.parent_path();
  if (beside.extension() != ".out") return {};
  beside.replace_extension(".toml");
  std::error_code ignored;
  return fs::is_regular_file(beside, ignored) ? std::optional(beside) : std::nullopt;
}

/// The results that are laid over, if any are asked for.
std::optional<io::Overlay> overlay_of(const ReportOptions& o) {
  if (o.overlay.empty()) return {};
  if (!io::has_results(o.overlay))
    throw UsageError(fmt::format(
        "--overlay {}: there are no results; give a folder that 'mubody run' has written", o.overlay));
  fs::path name = fs::path(o.overlay).lexically_normal();
  if (!name.has_filename()) name = name.parent_path();
  return io::Overlay{name.filename().string(), io::read_results(o.overlay, o.settings.untrusted).results};
}

int report_of_results(const ReportOptions& o) {
  if (!o.settings.empty())
    throw UsageError("--set goes with a model, not with results: they are what they are");
  const fs::path report = o.out.empty() ? fs::path(o.source) / io::usual_report_name : fs::path(o.out);
  const io::StoredResults stored = io::read_results(o.source, o.settings.untrusted);
  const std::optional<io::Overlay> overlay = overlay_of(o);
  std::optional<Study> study;
  io::ReportModel model;
  io::CommandFiles files;
  if (o.settings.untrusted) files.stranger = o.source;
  if (const std::optional<fs::path> file = model_of_results(o)) {
    io::Settings changes(stored.changes, o.settings.untrusted);
    changes.from = (fs::path(o.source) / "summary.json").string();
    io::DataFiles data;
    study = io::read_study(file->string(), changes, &data);
    files.inputs = files_of_model(*file, data, {}).inputs;
    model = {&*study, {file->filename().string(), io::read_file(*file, io::files::model), stored.changes}};
  } else {
    complain(
        "the model of these results is not known, so bodies are drawn as points; give it with --model FILE");
  }
  model.overlay = overlay ? &*overlay : nullptr;
  files.outputs.push_back({"the report", report});
  check_files(files);
  check_report(report, {o.force});
  write_page(report, io::report_html(stored.results, stored.summary, model));
  say(o, report);
  return done;
}

int report_of_model(const ReportOptions& o) {
  if (!o.model.empty()) throw UsageError("--model goes with a folder of results, and this is a model");
  const fs::path file = model_file(o.source);
  io::DataFiles data;
  Study study = io::read_study(file.string(), o.settings, &data);
  study.analysis.estimate_usual = !o.no_estimate;
  o.limits.hold_time(study);
  refine_for_page(study);
  const std::optional<io::Overlay> overlay = overlay_of(o);
  const fs::path report = o.out.empty() ? fs::path(file).replace_extension(".html") : fs::path(o.out);
  io::CommandFiles files = files_of_model(file, data, o.settings);
  files.outputs.push_back({"the report", report});
  check_files(files);
  check_report(report, {o.force});
  const Results results = run_model(study, file, o.quiet);
  const int code = exit_code(results);
  const bool has_results = code != not_assembled && !results.tables.empty();
  if (has_results) {
    write_page(report, report_page(results, study, file, o.settings, overlay ? &*overlay : nullptr));
    say(o, report);
  }
  if (code != done) {
    const bool shown_before = io::is_page(io::beginning_of(report).value_or(""));
    complain(located(file, results.outcome.place,
                     failure(code, results) + (has_results ? "" : earlier_remains(report, shown_before))));
  }
  return code;
}

int report(const ReportOptions& o) {
  const fs::path source(o.source);
  std::error_code ignored;
  if (source.extension() != ".toml" && fs::is_regular_file(source, ignored) &&
      io::has_results(source.parent_path().string()))
    throw UsageError(fmt::format("'{}' is one file of results; give their folder: mubody report {}", o.source,
                                 source.parent_path().empty() ? "." : source.parent_path().string()));
  return io::has_results(o.source) ? report_of_results(o) : report_of_model(o);
}
}  // namespace

Verb report_verb() {
  return Verb::of(
      report, {.name = "report",
               .shelf = Shelf::everyday,
               .sentence = "write a page that shows a mechanism moving, with plots and a verdict",
               .description =
                   {R"(Writes one HTML file that needs nothing else, neither a network nor other files: the
            mechanism animated, in the plane or in space; plots of all channels with a cursor at the time
            that is shown; verdict, freedoms, accuracy, events, reactions and the model file.)",
                    R"(A MODEL is run first, and nothing else is written. RESULTS is a folder that 'mubody run'
            wrote; the model is then the file beside it, model.toml beside model.out, or that of --model.
            Without one, bodies are drawn as points.)",
                    R"(--overlay lays the results of another run over these, to compare them; a page takes such
            files from the mouse as well.)"},
               .exits = exits_of_runs(),
               .examples = {"mubody report examples/four_bar -o four_bar.html", "mubody report four_bar.out"}});
}
}  // namespace mubody::cli
