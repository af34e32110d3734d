#include "mubody/surveys/comparison.h"

#include <algorithm>

#include <fmt/format.h>

#include "mubody/integrators/dormand_prince.h"
#include "mubody/mechanism/each_field.h"
#include "mubody/treatments/projection.h"
#include "mubody/treatments/standard.h"

namespace mubody {
namespace {
constexpr double reference_tolerance = 1e-12, looser_tolerance = 1e-11;
constexpr double wrong = 1e-2;  // error, relative to the travel of the bodies, that means another motion

/// "1e-08", or all digits where these are not enough.
std::string shortest(double x) {
  const std::string rounded = fmt::format("{:g}", x);
  return std::stod(rounded) == x ? rounded : fmt::format("{}", x);
}

/// The numbers of a treatment as text.
class Numbers : public EachConstField<Numbers> {
 public:
  std::vector<std::string> all;

  template <class T> void each(const Field& f, const T& value) {
    if constexpr (std::is_same_v<T, std::optional<double>>)
      all.push_back(value ? fmt::format("{}={}", f.name, shortest(*value)) : "");
    else if constexpr (std::is_same_v<T, double>)
      all.push_back(fmt::format("{}={}", f.name, shortest(value)));
    else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>)
      all.push_back(fmt::format("{}={}", f.name, value));
    else if constexpr (std::is_same_v<T, Choice>)
      all.push_back(fmt::format("{}={}", f.name, value.word()));
  }
};

std::vector<std::string> numbers_of(const Treatment& treatment) {
  Numbers numbers;
  show_fields(treatment, numbers);
  return std::move(numbers.all);
}

bool is_standard(const Method& m) {
  return dynamic_cast<const TreatmentOf<Standard>*>(&*m.analysis.treatment) != nullptr;
}

bool same_steps(const Method& a, const Method& b) {
  return a.integrator() == b.integrator() && a.steps() == b.steps();
}

/// The study at the times that all runs share: those of the model, or equal parts of the whole.
Study at_common_times(const Study& study) {
  Study same = study;
  AnalysisOptions any_step = study.analysis;
  any_step.integrator = DormandPrince::info.name;
  same.output.times = study.output.at(any_step);
  same.output.step.reset();
  same.output.channels.clear();
  return same;
}

Table curves_of(const Results& r) {
  Table curves{"curves",
               {{"time", "s"},
                {"violation", "m|rad"},
                {"violation_rate", "m/s|rad/s"},
                {"energy_residual", "J"},
                {"violation_squares", "m²|rad²"},
                {"violation_rate_squares", "m²/s²|rad²/s²"}},
               {}};
  const Table *violations = r.find("violations"), *energy = r.find("energy");
  if (!violations || !energy) return curves;
  const auto of = [&](std::string_view name) { return std::size_t(violations->find(name)); };
  const std::size_t position = of("position"), velocity = of("velocity");
  const std::size_t squares = of("position_squares"), rate_squares = of("velocity_squares");
  const auto residual = std::size_t(energy->find("residual"));
  for (std::size_t row = 0; row < violations->rows(); ++row)
    for (const double x :
         {violations->at(row, 0), violations->at(row, position), violations->at(row, velocity),
          energy->at(row, residual), violations->at(row, squares), violations->at(row, rate_squares)})
      curves.values.push_back(x);
  return curves;
}

MethodRun::Fate fate_of(const Results& r) {
  switch (r.outcome.kind) {
    case Outcome::reached_end: return r.trusted ? MethodRun::passed : MethodRun::inaccurate;
    case Outcome::lost_branch: return MethodRun::lost_branch;
    case Outcome::not_finite: return MethodRun::diverged;
    case Outcome::interrupted: return MethodRun::interrupted;
    default: return MethodRun::stopped;
  }
}

double simulated_by(const AnalysisOptions& o, const Results& r) {
  const bool whole = r.outcome.kind == Outcome::reached_end || r.outcome.kind == Outcome::lost_branch;
  return (whole ? o.end : r.outcome.at) - o.start;
}

/// Detects another motion, on which constraints and energy may look good.
std::string other_motion(const PositionError& e, const Reference& reference) {
  const Travel travel = travel_of(reference.positions);
  const PositionError known = reference.known.value_or(PositionError{});
  const auto is_other = [](double error, double size, double unknown) {
    constexpr double clearly = 10;
    return error > wrong * size && error > clearly * unknown;
  };
  if (!is_other(e.length, travel.length, known.length) && !is_other(e.angle, travel.angle, known.angle))
    return "";
  return fmt::format("the motion is another one: '{}' is {:.2e} [m or rad] from the reference at t = {:.6g} s",
                     e.worst, e.largest(), e.at);
}

MethodRun figures_of(const Method& method, Attempt attempt, const Reference& reference) {
  MethodRun run{.method = method};
  if (!attempt.cannot.empty()) {
    run.fate = MethodRun::cannot;
    run.why = std::move(attempt.cannot);
    return run;
  }
  const Results& r = attempt.results;
  run.fate = fate_of(r);
  run.simulated = simulated_by(method.analysis, r);
  run.statistics = r.statistics;
  run.cpu = attempt.cpu;
  run.curves = curves_of(r);
  if (run.fate == MethodRun::inaccurate)
    run.why = r.doubts;
  else if (run.fate != MethodRun::passed)
    run.why = r.outcome.why;

  constexpr std::string_view tables[] = {"bodies", "points"};
  if (reference) run.error = position_error(positions_of(r, tables), reference.positions);
  if (run.fate == MethodRun::passed && run.error) {
    run.why = other_motion(*run.error, reference);
    if (!run.why.empty()) run.fate = MethodRun::inaccurate;
  }
  return run;
}

Study with_method(const Study& study, const Method& method) {
  Study own = study;
  own.analysis = method.analysis;
  return own;
}

/// Repeats the runs for their time alone.
void repeat(Comparison& c, const Study& common, const Attempts& attempts, int round, const Timing& timing) {
  for (MethodRun& run : c.runs) {
    if (c.interrupted) return;
    if (!run.ran() || run.cpu > timing.once) continue;
    const Attempt again =
        attempts(with_method(common, run.method),
                 {Purpose::timing, fmt::format("timing, round {} of {}", round, timing.rounds)});
    c.interrupted = again.results.outcome.kind == Outcome::interrupted;
    if (!c.interrupted && again.cannot.empty()) run.cpu = std::min(run.cpu, again.cpu);
  }
}

/// Relates CPU times to the standard multipliers with the same integrator and steps.
void relate_costs(Comparison& c) {
  std::vector<std::string> without, shortened;
  for (MethodRun& run : c.runs) {
    const auto base = std::ranges::find_if(c.runs, [&](const MethodRun& other) {
      return is_standard(other.method) && same_steps(run.method, other.method);
    });
    const std::string steps = run.method.integrator() + ", " + run.method.steps();
    const auto note = [&](std::vector<std::string>& all) {
      if (std::ranges::find(all, steps) == all.end()) all.push_back(steps);
    };
    if (base == c.runs.end() || !base->cost() || *base->cost() <= 0) {
      note(without);
      continue;
    }
    if (!base->reached_end()) note(shortened);
    if (const auto cost = run.cost()) run.relative = *cost / *base->cost();
  }
  if (!without.empty())
    c.remarks.push_back(
        fmt::format("CPU time is not related to that of standard multipliers, which did not run: {}",
                    fmt::join(without, "; ")));
  if (!shortened.empty())
    c.remarks.push_back(
        fmt::format("CPU time of standard multipliers is that of the part that they simulated: {}",
                    fmt::join(shortened, "; ")));
}
}  // namespace

std::string Method::treatment() const {
  Box<Treatment> mine = analysis.treatment;
  const Info info = mine->info();
  std::vector<std::string> usual, changed;
  for (const TreatmentEntry& e : treatment_kinds())
    if (e.info.name == info.name) usual = numbers_of(*e.make());
  const std::vector<std::string> numbers = numbers_of(*mine);
  for (std::size_t k = 0; k < numbers.size() && k < usual.size(); ++k)
    if (numbers[k] != usual[k]) changed.push_back(numbers[k]);
  return changed.empty() ? std::string(info.name) : fmt::format("{}({})", info.name, fmt::join(changed, ","));
}

bool Method::adaptive() const {
  const IntegratorEntry* kind = analysis.method();
  return kind && kind->adaptive;
}

std::string Method::steps() const {
  return adaptive() ? "rtol " + shortest(analysis.control.rtol)
                    : shortest(analysis.control.step.value_or(0)) + " s";
}

std::string Method::label() const { return fmt::format("{}, {}, {}", treatment(), integrator(), steps()); }

std::string_view MethodRun::word() const {
  constexpr std::string_view words[] = {"passed",  "inaccurate", "lost branch", "diverged",
                                        "stopped", "cannot",     "interrupted"};
  return words[fate];
}

std::optional<double> MethodRun::cost() const {
  return simulated > 0 ? std::optional(cpu / simulated) : std::nullopt;
}

Reference run_reference(const Study& study, const Attempts& attempts) {
  Study tight = at_common_times(study);
  AnalysisOptions& o = tight.analysis;
  o.integrator = DormandPrince::info.name;
  o.treatment = Box<Treatment>(std::make_unique<TreatmentOf<Projection>>());
  StepControl control;
  control.max_step = o.control.max_step;
  control.steps = o.control.steps;
  o.control = control;
  const auto go = [&](double tolerance) {
    o.control.rtol = tolerance;
    return attempts(tight, {Purpose::reference, fmt::format("reference, rtol {:g}", tolerance)});
  };
  Reference reference;
  reference.source = fmt::format("{} with {}, rtol {:g}", DormandPrince::info.name, Projection::info.name,
                                 reference_tolerance);
  const auto was_stopped = [](const Attempt& a) { return a.results.outcome.kind == Outcome::interrupted; };
  const Attempt best = go(reference_tolerance);
  reference.interrupted = was_stopped(best);
  if (!best.cannot.empty() || !best.results.outcome) {
    reference.missing = best.cannot.empty() ? best.results.outcome.why : best.cannot;
    return reference;
  }
  if (!best.results.trusted) reference.doubt = best.results.verdict;
  constexpr std::string_view tables[] = {"bodies"};
  reference.positions = positions_of(best.results, tables);
  const Attempt other = go(looser_tolerance);
  reference.interrupted = was_stopped(other);
  if (other.cannot.empty() && other.results.outcome) {
    reference.known = position_error(positions_of(other.results, tables), reference.positions);
    reference.looser = fmt::format("a run with rtol {:g}", looser_tolerance);
  }
  return reference;
}

Comparison compare(const Study& study, std::span<const Method> methods, Reference reference,
                   const Attempts& attempts, const Timing& timing,
                   const std::function<void(const MethodRun&)>& finished) {
  Comparison c;
  c.model = study.mechanism.name;
  c.start = study.analysis.start;
  c.end = study.analysis.end;
  c.reference = std::move(reference);
  const Study common = at_common_times(study);
  for (const Method& method : methods) {
    Study first = with_method(common, method);
    first.analysis.weighs_corrections = true;  // not where times count
    if (c.reference.interrupted)               // who asks how to go on may not know that it was stopped before
      c.runs.push_back({.method = method, .fate = MethodRun::interrupted, .why = "stopped by the user"});
    else
      c.runs.push_back(figures_of(method, attempts(first, {Purpose::method, method.label()}), c.reference));
    if (finished) finished(c.runs.back());
    if (c.runs.back().fate == MethodRun::interrupted) {
      c.interrupted = true;
      break;
    }
  }
  for (int round = 2; round <= timing.rounds; ++round) repeat(c, common, attempts, round, timing);
  relate_costs(c);
  return c;
}
}  // namespace mubody
