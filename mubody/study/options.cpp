#include "mubody/study/options.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "mubody/treatments/projection.h"

namespace mubody {
void AssemblyOptions::fields(Fields& f) {
  f.optional("tolerance", tolerance, "1",
             "largest |Φ| of an assembled mechanism: a share of its characteristic length, or rad");
  f.optional("iterations", iterations, "1", "corrections, at most");
  f.optional("as_given", as_given, "",
             "start from the positions and velocities of the file, whatever the constraints say");
  f.optional("hold", hold, "",
             "what assembly must not change, as in [\"crank.angle\"] or, in space, [\"crank.orientation\"]",
             "none");
}

void AssemblyOptions::check() const {
  require(tolerance > 0, "tolerance", "must be positive");
  require(iterations > 0, "iterations", "must be positive");
}

namespace {
std::unique_ptr<Analysis> usual_analysis() {
  const auto all = analysis_kinds();
  return std::ranges::find_if(all, [](const AnalysisEntry& e) { return e.facts.usual; })->make();
}

/// Chooses an analysis by name, from the registry or the present one.
void choose_analysis(Fields& f, Box<Analysis>& type) {
  const auto all = analysis_kinds();
  Choice choice;
  for (const AnalysisEntry& e : all) choice.words.push_back(e.info.name);
  const auto here = std::ranges::find(choice.words, type->info().name);
  const int before = choice.index = int(here - choice.words.begin());
  if (here == choice.words.end()) choice.words.push_back(type->info().name);
  f.optional("type", choice, "", "what to compute");
  if (choice.index != before) type = Box<Analysis>(all[std::size_t(choice.index)].make());
}
}  // namespace

AnalysisOptions::AnalysisOptions()
    : type(usual_analysis()), treatment(std::make_unique<TreatmentOf<Projection>>()) {}

void AnalysisOptions::fields(Fields& f) {
  choose_analysis(f, type);
  f.optional("start", start, "s", "time of the first result");
  f.optional("end", end, "s", "time of the last result");
  f.optional("formulation", formulation, "",
             "forward, kinematic, inverse, equilibrium: coordinates of the computation; results are the same");
  f.optional("integrator", integrator, "", "see 'mubody list integrators'");
  control.fields(f);
  f.optional("accuracy", accuracy, "1",
             "largest |Φ| [m, rad] and relative energy residual to accept; exit code 5 if missed",
             "a millionth of the characteristic length, and 1e-4 of the energy");
  f.optional(
      "estimate", estimate, "",
      "forward, in 'run' and 'report': computes the motion once more with coarser steps, to know its error");
  f.optional("digits", digits, "1", "forward: digits that every channel is to have; steps are chosen to suit",
             "as many as the tolerance or step gives");
  f.optional("limit", patience.limit, "s",
             "CPU time that the analysis may take; it ends there with what it has, exit code 4", "none");
  f.optional("compiled", compiled, "",
             "forward: generated code computes the motion, if there is a C compiler; results are the same to "
             "round-off");
  f.optional("chords", chords, "", "joints that close the loops, see 'mubody topology'",
             "as the program sees fit");
}

void AnalysisOptions::check() const {
  require(std::isfinite(start), "start", "must be finite");
  require(std::isfinite(end) && end >= start, "end", "must not lie before 'start'");
  control.check();
  const IntegratorEntry* kind = method();
  require(!type->facts().integrates || !kind || kind->adaptive || control.step.has_value(), "integrator",
          "'" + integrator + "' has a fixed step: 'step' is missing");
  require(digits >= 0 && digits <= 12, "digits", "must be from 1 to 12");
  require(!accuracy || *accuracy > 0, "accuracy", "must be positive");
  require(!patience.limit || (*patience.limit > 0 && std::isfinite(*patience.limit)), "limit",
          "must be positive and finite");
}

void OutputOptions::fields(Fields& f) {
  f.optional("step", step, "s", "time between results",
             "the step of fixed-step integrators, or a 500th of the whole");
  f.optional("times", times, "s", "the times of the results, in place of 'step'");
  f.optional("channels", channels, "", "columns of the other files that are written to channels.csv as well",
             "none");
  f.optional("units", units, "", "units in which tables are written, as in [\"deg\", \"mm\", \"rpm\", \"kN\"]",
             "SI");
  f.optional("format", format, "", "files of tables: text, binary, which is fast and read by numpy, or both");
  f.optional("omega_global", omega_global, "",
             "in space: angular velocities and accelerations of bodies in global axes as well");
  f.optional("body_forces", body_forces, "",
             "sums of the applied forces, and of all forces, on the centre of mass of every body as well");
}

void OutputOptions::check() const {
  require(!step || *step > 0, "step", "must be positive");
  require(!step || times.empty(), "times", "takes the place of 'step': give one of the two");
  for (std::size_t k = 1; k < times.size(); ++k) require(times[k] > times[k - 1], "times", "must increase");
}

std::vector<double> OutputOptions::at(const AnalysisOptions& a) const {
  if (!times.empty()) return times;
  const IntegratorEntry* kind = a.method();
  double h = (a.end - a.start) / 500;
  if (a.control.step && (a.type->facts().follows_drivers || (kind && !kind->adaptive))) h = *a.control.step;
  if (step) h = *step;
  constexpr double most_rows = 1e7;
  std::vector<double> all;
  const double span = a.end - a.start;
  if (h > 0 && (a.end - a.start) / h > most_rows)
    throw ModelError(fmt::format(
        "output: a result every {:.3g} s makes more than ten million rows; choose a larger 'step'", h));
  const long count = h > 0 ? long(std::floor(span / h * (1 + 1e-12))) : 0;
  for (long k = 0; k <= count; ++k) all.push_back(a.start + double(k) * h);
  if (span > 0 && a.end - all.back() < 1e-9 * h) all.back() = a.end;
  if (all.back() < a.end) all.push_back(a.end);
  return all;
}

Study with_time_begun(Study study) {
  study.analysis.patience.begin();
  return study;
}
}  // namespace mubody
