// mubody check: what a model contains, and whether it is consistent.  Nothing is written.
#include <iostream>

#include "cli/check_report.h"
#include "cli/commands.h"
#include "cli/limits.h"
#include "cli/terminal.h"
#include "cli/verb.h"
#include "mubody/analyses/obstacle.h"
#include "mubody/reading/read_model.h"
#include "mubody/simulation/begin.h"

namespace mubody::cli {
struct CheckOptions {
  std::string model, format = "text";
  io::Settings settings;
  Limits limits;

  void declare(Options& o) {
    o.model(model);
    o.settings(settings, "bodies.crank.mass=2");
    o.limits(limits);
    o.format(format, {"text", "json"},
             "for people, or for programs; an invalid model is then {\"error\": \"...\"}");
  }
};

namespace {
int check(const CheckOptions& options) {
  const std::filesystem::path file = model_file(options.model);
  Study study = io::read_study(file.string(), options.settings);
  options.limits.hold_time(study);
  study.analysis.patience.begin();
  try {
    Begun b = begin(study, "check");
    if (b.results.outcome && study.analysis.type->facts().moves()) formulate(study, b);
    const CheckReport report{study, b.results, b.warnings, obstacle_of(study, b)};
    lift_limit_of_time();
    std::cout << (options.format == "json" ? report_json(report) : report_text(report));
    flush_stdout();
    if (report.obstacle.empty()) return done;
    complain(located(file, b.results.outcome.place, report.obstacle));
    return b.results.outcome ? wrong_input : exit_code(b.results);
  } catch (const ModelError& e) {
    throw ModelError(located(file, e.what()));
  }
}
}  // namespace

Verb check_verb() {
  return Verb::of(
      check,
      {.name = "check",
       .shelf = Shelf::everyday,
       .sentence = "report what a model is, without running it",
       .description =
           {R"(Reads and assembles MODEL and reports: bodies, joints, drivers, forces and points; degrees of
            freedom by counting and by the rank of the constraint equations; redundant equations, the joints
            they belong to and the reason; what assembly moves; and what does not look right. Nothing is
            written.)"},
       .exits = {{done, "the model can be run"},
                 {failed, "an internal error"},
                 {wrong_input,
                  "wrong usage, the model is invalid, or the analysis it asks for has no meaning for it"},
                 {not_assembled, "the mechanism cannot be assembled"},
                 {solver_failed, "the limit of CPU time was reached"}},
       .examples = {"mubody check four_bar.toml",
                    "mubody check four_bar.toml --set bodies.coupler.angle=\"20 deg\"",
                    "mubody check four_bar.toml --format json | jq .freedom.actual"}});
}
}  // namespace mubody::cli
