#include "mubody/sweep/lane_plan.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "mubody/code/recorded_study.h"
#include "mubody/mechanism/breakpoints.h"
#include "mubody/mechanism/signal_order.h"
#include "mubody/simulation/begin.h"
#include "mubody/simulation/verdict.h"
#include "mubody/solvers/freedom.h"
#include "mubody/study/state_sizes.h"
#include "mubody/treatments/projection.h"
#include "mubody/watches/switches.h"

namespace mubody {
namespace {
const Projection* projection_of(const Study& s) {
  const auto* of = dynamic_cast<const TreatmentOf<Projection>*>(&*s.analysis.treatment);
  return of ? &of->treatment : nullptr;
}

/// A study as it begins, which of its equations follow from others, and its numbers.
struct Start {
  Begun begun;
  std::vector<bool> left_out;
  CollectedNumbers numbers;

  RecordingStart at(double t) const { return {t, begun.q, begun.u, {}, left_out}; }
};

constexpr int most_equations = 200;  // lanes are for small mechanisms: they need memory that is near

/// None if the motion is not one for lanes; `why` then says the reason.  Throws ModelError.
std::optional<Start> start_of(const Study& s, std::string& why) {
  Start start{begin(s, s.analysis.type->info().name), {}, {}};
  const Begun& b = start.begun;
  const Freedom& f = b.results.freedom;
  if (!b.results.outcome)
    why = b.results.outcome.why;
  else if (f.rank != b.system->nu - f.usual || f.weakest != 1)
    why = "equations depend on each other at the start, or nearly so";
  else if (b.system->m > most_equations)
    why = fmt::format("{} equations are more than {}", b.system->m, most_equations);
  else
    why = no_steps_alone(s, b);
  if (!why.empty()) return {};
  if (f.always_redundant()) start.left_out = dependent_rows(*b.system, s.analysis.start, b.q, b.u);
  start.numbers = collect(b.mechanism, start.at(s.analysis.start));
  return start;
}

/// The equations that points of the sweep share, found from some of them; null, and the reason, if there are none.
std::shared_ptr<const LaneModel> model_of(const Sweep& sweep, std::string& why) {
  constexpr std::size_t most = 12;
  std::optional<Start> first;
  double begins = 0;
  std::vector<CollectedNumbers> samples;
  std::string reason = "no point can be run";
  for (const std::size_t index : sweep.plan.some(most)) {
    try {
      const Study s = with_time_begun(sweep.study(sweep.plan.point(index)));
      std::string hindrance;
      auto start = start_of(s, hindrance);
      if (!start && !first) reason = hindrance;
      if (!start || (first && start->numbers.structure != samples.front().structure)) continue;
      samples.push_back(start->numbers);
      if (!first) first = std::move(start), begins = s.analysis.start;
    } catch (const ModelError& e) {
      reason = e.what();
    }
  }
  if (!first) {
    why = reason;
    return nullptr;
  }
  try {
    const Begun& b = first->begun;
    return std::make_shared<const LaneModel>(*b.system, b.mechanism, first->at(begins), samples);
  } catch (const ModelError& e) {
    why = e.what();
    return nullptr;
  }
}
}  // namespace

std::string no_steps_alone(const Study& s, const Begun& b) {
  Mechanism copy = s.mechanism;
  const std::vector<bool> read = read_between_instants(copy);
  for (std::size_t k = 0; k < read.size(); ++k)  // what samples alone see may have corners
    if (!read[k]) copy.signals[k].sample = copy.signals[k].sample.value_or(1);
  if (SwitchWatch(copy).any()) return "a formula or a signal has corners";
  if (b.system->contacts().any() || b.system->grips.any()) return "bodies touch or stick";
  if (std::isfinite(b.system->shortest_delay())) return "a signal is delayed";
  return {};
}
std::vector<Breakpoint> breaks_of(const Study& s, bool adaptive) {
  const double span = s.analysis.end - s.analysis.start;
  const StepControl& c = s.analysis.control;
  const double longest = adaptive ? c.longest_over(span) : c.step.value_or(span);
  return breakpoints_through(s.mechanism, s.analysis.start, s.analysis.end, {longest, c.stretch});
}

std::optional<LanePlan> plan_lanes(const Sweep& sweep, std::string& why) {
  const auto no = [&](std::string reason) {
    why = std::move(reason);
    return std::nullopt;
  };
  const Study s = sweep.model.with({});
  if (!s.analysis.type->facts().integrates)
    return no(fmt::format("the analysis is '{}'", s.analysis.type->info().name));
  const Tableau* table = find_tableau(s.analysis.integrator);
  if (!table) return no(fmt::format("the integrator is '{}'", s.analysis.integrator));
  if (!projection_of(s)) return no(fmt::format("the treatment is '{}'", s.analysis.treatment->info().name));
  LanePlan plan{model_of(sweep, why), table, s.analysis.integrator, {}};
  if (!plan.model) return {};
  for (const Kept& k : sweep.kept) {
    const auto channel = plan.model->channel(k.channel);
    if (!channel)
      return no(fmt::format("'{}' is kept{}", k.channel,
                            plan.model->is_open(k.channel) ? ", which redundant equations leave open" : ""));
    constexpr LaneKept::What what[] = {LaneKept::last, LaneKept::at, LaneKept::max, LaneKept::min};
    plan.kept.push_back({what[k.what], *channel, k.time});
  }
  return plan;
}

std::optional<LaneTask> lane_task(const LanePlan& plan, const Study& s) {
  const Projection* projection = projection_of(s);
  if (!projection || s.analysis.integrator != plan.integrator || !s.analysis.type->facts().integrates)
    return {};
  std::string ignored;
  std::optional<Start> start = start_of(s, ignored);
  if (!start) return {};
  auto parameters = plan.model->parameters(start->numbers);
  if (!parameters || start->left_out != plan.model->left_out()) return {};
  Begun& b = start->begun;
  LaneTask task;
  task.parameters = std::move(*parameters);
  task.q = std::move(b.q), task.u = std::move(b.u);
  task.z = VecX::Zero(b.system->nz);
  b.system->start_states(s.analysis.start, task.q, task.u, task.z);
  task.start = s.analysis.start, task.end = s.analysis.end;
  task.times = s.output.at(s.analysis);
  task.breaks = breaks_of(s, !plan.table->e.empty());
  task.control = s.analysis.control;
  task.scales = b.results.scales;
  task.sizes = sizes_of(*b.system, 0);
  task.tolerance = projection->tolerance, task.iterations = projection->iterations;
  return task;
}

SweepRow row_of_lane(const Sweep& sweep, std::size_t index, std::vector<double> point, const AnalysisOptions& o,
                     LaneOutcome out) {
  Results results;
  results.statistics = out.statistics;
  judge(o, results);
  SweepRow row = row_of_run(sweep, index, std::move(point), results);
  row.kept = std::move(out.kept);
  return row;
}
}  // namespace mubody
