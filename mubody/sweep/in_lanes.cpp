#include "mubody/sweep/in_lanes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <new>

#include <fmt/format.h>

#include "mubody/code/recorded_study.h"
#include "mubody/mechanism/breakpoints.h"
#include "mubody/simulation/begin.h"
#include "mubody/simulation/verdict.h"
#include "mubody/solvers/freedom.h"
#include "mubody/study/state_sizes.h"
#include "mubody/text/cpu_clock.h"
#include "mubody/treatments/projection.h"
#include "mubody/watches/switches.h"

namespace mubody {
namespace {
constexpr int steps_at_once = 16;  // after so many steps, finished lanes are emptied
// So many lanes are filled then: whoever comes first must not take points from others who have nothing to do.
constexpr int points_at_once = 8;

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

/// What prevents a motion in lanes, as far as one mechanism shows it; empty if nothing does.
std::string objection(const Study& s) {
  Mechanism copy = s.mechanism;
  if (SwitchWatch(copy).any()) return "a formula or a signal has corners";
  return {};
}
/// Instants at which functions of time change, as Simulation::Loop looks for them.
std::vector<Breakpoint> breaks_of(const Study& s, bool adaptive) {
  const double span = s.analysis.end - s.analysis.start;
  const StepControl& c = s.analysis.control;
  const double longest = adaptive ? c.longest_over(span) : c.step.value_or(span);
  return breakpoints_through(s.mechanism, s.analysis.start, s.analysis.end, {longest, c.stretch});
}

constexpr int most_equations = 200;  // lanes are for small mechanisms: they need memory that is near

/// None if the motion is not one for lanes; `why` then says the reason.  Throws ModelError.
std::optional<Start> start_of(const Study& s, std::string& why) {
  why = objection(s);
  if (!why.empty()) return {};
  Start start{begin(s, s.analysis.type->info().name), {}, {}};
  const Begun& b = start.begun;
  const Freedom& f = b.results.freedom;
  if (!b.results.outcome)
    why = b.results.outcome.why;
  else if (f.rank != b.system->nu - f.usual || f.weakest != 1)
    why = "equations depend on each other at the start, or nearly so";
  else if (b.system->m > most_equations)
    why = fmt::format("{} equations are more than {}", b.system->m, most_equations);
  else if (b.system->contacts().any() || b.system->grips.any())
    why = "bodies touch or stick";
  else if (std::isfinite(b.system->shortest_delay()))
    why = "a signal is delayed";
  if (!why.empty()) return {};
  if (f.always_redundant()) start.left_out = dependent_rows(*b.system, s.analysis.start, b.q, b.u);
  start.numbers = collect(b.mechanism, start.at(s.analysis.start));
  return start;
}

/// A point in a lane.
struct Running {
  std::size_t index;
  std::vector<double> point;
  Study study;
  double spent = 0;  // [s] its share of the CPU time of all lanes
};

class Worklist {
 public:
  Worklist(const Sweep& sweep, const LanePlan& plan, const Progress& going, const NextPoint& next,
           const TakeRow& take)
      : sweep_(sweep), plan_(plan), going_(going), next_(next), take_(take),
        batch_(plan.model, *plan.table, plan.kept) {}

  void work() {
    for (;;) {
      bool any = false;
      int more = points_at_once;
      for (int lane = 0; lane < LaneBatch::width; ++lane) {
        if (!lanes_[std::size_t(lane)] && more-- > 0) fill(lane);
        any = any || lanes_[std::size_t(lane)];
      }
      if (!any || !going_(0)) return;
      const double before = io::thread_cpu_seconds();
      for (int k = 0; k < steps_at_once; ++k) batch_.step();
      const double seconds = io::thread_cpu_seconds() - before;
      for (int lane = 0; lane < LaneBatch::width; ++lane)
        if (lanes_[std::size_t(lane)]) finish(lane);
      charge(seconds);
    }
  }

 private:
  /// Divides the time of some steps among the lanes, and stops those that have taken too long.
  void charge(double seconds) {
    const auto running = double(std::ranges::count_if(lanes_, [](const auto& r) { return r.has_value(); }));
    for (int lane = 0; lane < LaneBatch::width; ++lane) {
      auto& r = lanes_[std::size_t(lane)];
      if (!r) continue;
      r->spent += seconds / running;
      const Patience& patience = r->study.analysis.patience;
      if (!patience.limit || r->spent < *patience.limit) continue;
      const double t = batch_.stop(lane);
      take_(failed_row(r->index, std::move(r->point), patience.outcome(t, at_time(t)).why));
      r.reset();
    }
  }

  void alone(std::size_t index) {
    if (const auto row = run_point(sweep_, index, going_)) take_(*row);
  }

  /// Puts the next point that lanes can run into a lane, if there is one; points before it are run by
  /// themselves.
  void fill(int lane) {
    while (const auto index = next_()) {
      Running r{*index, sweep_.plan.point(*index), {}};
      try {
        r.study = with_time_begun(sweep_.study(r.point));
        if (auto task = task_of(r.study)) {
          batch_.start(lane, *task);
          lanes_[std::size_t(lane)] = std::move(r);
          return;
        }
        alone(*index);
      } catch (const ModelError& e) {
        take_(failed_row(*index, std::move(r.point), e.what()));
      } catch (const std::bad_alloc&) {
        take_(too_large_row(*index, std::move(r.point)));
      }
    }
  }

  std::optional<LaneTask> task_of(const Study& s) const {
    const Projection* projection = projection_of(s);
    if (!projection || s.analysis.integrator != plan_.integrator || !s.analysis.type->facts().integrates)
      return {};
    std::string ignored;
    std::optional<Start> start = start_of(s, ignored);
    if (!start) return {};
    auto parameters = plan_.model->parameters(start->numbers);
    if (!parameters || start->left_out != plan_.model->left_out()) return {};
    Begun& b = start->begun;
    LaneTask task;
    task.parameters = std::move(*parameters);
    task.q = std::move(b.q), task.u = std::move(b.u);
    task.z = VecX::Zero(b.system->nz);
    b.system->start_states(s.analysis.start, task.q, task.u, task.z);
    task.start = s.analysis.start, task.end = s.analysis.end;
    task.times = s.output.at(s.analysis);
    task.breaks = breaks_of(s, !plan_.table->e.empty());
    task.control = s.analysis.control;
    task.scales = b.results.scales;
    task.sizes = sizes_of(*b.system, 0);
    task.tolerance = projection->tolerance, task.iterations = projection->iterations;
    return task;
  }

  void finish(int lane) {
    auto out = batch_.take(lane);
    if (!out) return;
    Running r = std::move(*lanes_[std::size_t(lane)]);
    lanes_[std::size_t(lane)].reset();
    if (out->given_up) return alone(r.index);
    Results results;
    results.statistics = out->statistics;
    judge(r.study.analysis, results);
    SweepRow row = row_of_run(sweep_, r.index, std::move(r.point), results);
    row.kept = std::move(out->kept);
    take_(row);
  }

  const Sweep& sweep_;
  const LanePlan& plan_;
  const Progress& going_;
  const NextPoint& next_;
  const TakeRow& take_;
  LaneBatch batch_;
  std::array<std::optional<Running>, LaneBatch::width> lanes_;
};

/// The equations that points of the sweep share, found from some of them; null, and the reason, if there are none.
std::shared_ptr<const LaneModel> model_of(const Sweep& sweep, std::string& why) {
  constexpr std::size_t most = 12;
  const std::size_t count = std::min(most, sweep.plan.size());
  std::optional<Start> first;
  double begins = 0;
  std::vector<CollectedNumbers> samples;
  std::string reason = "no point can be run";
  for (std::size_t k = 0; k < count; ++k) {
    try {
      const std::size_t index = count > 1 ? k * (sweep.plan.size() - 1) / (count - 1) : 0;
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

void work_in_lanes(const Sweep& sweep, const LanePlan& plan, const Progress& going, const NextPoint& next,
                   const TakeRow& take) {
  Worklist(sweep, plan, going, next, take).work();
}
}  // namespace mubody
