// mubody check: what a model contains, and whether it is consistent.  Nothing is written.
#include <iostream>

#include <fmt/format.h>

#include "cli/check_report.h"
#include "cli/commands.h"
#include "cli/verb.h"
#include "mubody/mechanism/data_range.h"
#include "mubody/reading/read_model.h"
#include "mubody/simulation/begin.h"
#include "mubody/solvers/freedom.h"

namespace mubody::cli {
struct CheckOptions {
  std::string model, format = "text";
  std::vector<std::string> settings;

  void declare(Options& o) {
    o.model(model);
    o.settings(settings, "bodies.crank.mass=2");
    o.format(format, {"text", "json"},
             "for people, or for programs; an invalid model is then {\"error\": \"...\"}");
  }
};

namespace {
bool is_attached(const Mechanism& m, int body) {
  const auto holds = [&](const auto& element) {
    return element.what->i().body == body || element.what->j().body == body;
  };
  return std::any_of(m.joints.begin(), m.joints.end(), holds) ||
         std::any_of(m.forces.begin(), m.forces.end(), holds);
}

std::vector<std::string> warnings_of(const Study& study, const Results& r) {
  const Mechanism& m = study.mechanism;
  std::vector<std::string> warnings;
  for (std::size_t k = 0; k < m.bodies.size(); ++k) {
    const RigidBody& b = m.bodies[k];
    if (!is_attached(m, static_cast<int>(k) + 1))
      warnings.push_back(fmt::format("body '{}' is attached to nothing: no joint, no force", b.name));
    if (b.mass == 0) warnings.push_back(fmt::format("body '{}' has no mass", b.name));
  }
  for (const Point& p : m.points)
    if (p.marker.body == ground)
      warnings.push_back(fmt::format("point '{}' is on the ground: it does not move", p.name));
  const bool forward = study.analysis.type->facts().integrates;
  if (forward && m.gravity.norm() == 0)
    warnings.push_back(fmt::format("there is no gravity: gravity = {} would set it",
                                   m.dim == 2 ? "[0, -9.81]" : "[0, 0, -9.81]"));
  if (forward && r.outcome && r.freedom.actual == 0)
    warnings.emplace_back(
        "no freedom is left to forces: analysis type \"kinematic\" gives the motion directly");
  if (!study.analysis_given)
    warnings.push_back(
        fmt::format("there is no [analysis]: 'mubody run' would do a {} analysis from {} s to {} s",
                    study.analysis.type->info().name, study.analysis.start, study.analysis.end));
  for (std::string& line : remarks_on_data(m, study.analysis.start, study.analysis.end))
    warnings.push_back(std::move(line));
  return warnings;
}

// The reason why the analysis of the model cannot be done; "" if it can.
std::string obstacle(const Study& study, Begun& b) {
  const Results& r = b.results;
  if (!r.outcome) return r.outcome.why;
  const Analysis& analysis = *study.analysis.type;
  if (analysis.facts().integrates) {
    const auto loose = undetermined(*b.system, study.analysis.start, b.q, b.u);
    if (!loose.empty()) return "the motion is not determined: " + loose.front().why;
  }
  if (analysis.facts().follows_drivers && r.freedom.actual > 0)
    return fmt::format("{} analysis needs a driver for every freedom: {} without one", analysis.info().name,
                       r.freedom.actual);
  return "";
}

int check(const CheckOptions& options) {
  const std::filesystem::path file = model_file(options.model);
  const Study study = io::read_study(file.string(), options.settings);
  try {
    Begun b = begin(study, "check");
    if (b.results.outcome && study.analysis.type->facts().moves()) formulate(study, b);
    const CheckReport report{study, b.results, warnings_of(study, b.results), obstacle(study, b)};
    std::cout << (options.format == "json" ? report_json(report) : report_text(report)) << std::flush;
    if (report.obstacle.empty()) return done;
    complain(located(file, b.results.outcome.place, report.obstacle));
    return b.results.outcome ? invalid_model : not_assembled;
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
                 {failed, "wrong usage, or an internal error"},
                 {invalid_model, "the model is invalid, or the analysis it asks for has no meaning for it"},
                 {not_assembled, "the mechanism cannot be assembled"}},
       .examples = {"mubody check four_bar.toml",
                    "mubody check four_bar.toml --set bodies.coupler.angle=\"20 deg\"",
                    "mubody check four_bar.toml --format json | jq .freedom.actual"}});
}
}  // namespace mubody::cli
