#include "mubody/sweep/in_lanes.h"

#include <algorithm>
#include <array>
#include <new>

#include <fmt/format.h>

#include "mubody/integrators/dormand_prince.h"
#include "mubody/integrators/merson.h"
#include "mubody/integrators/rk4.h"
#include "mubody/integrators/verner.h"
#include "mubody/simulation/begin.h"
#include "mubody/simulation/verdict.h"
#include "mubody/solvers/freedom.h"
#include "mubody/text/cpu_clock.h"
#include "mubody/treatments/projection.h"

namespace mubody {
namespace {
constexpr int steps_at_once = 16;  // after so many steps, finished lanes are emptied

/// The table of an integrator; null if lanes do not have it.
const Tableau* table_of(std::string_view integrator) {
  const std::pair<std::string_view, const Tableau*> known[] = {
      {DormandPrince::info.name, &DormandPrince::table()},
      {Verner::info.name, &Verner::table()},
      {Merson::info.name, &Merson::table()},
      {Rk4::info.name, &Rk4::table()}};
  for (const auto& [name, table] : known)
    if (name == integrator) return table;
  return nullptr;
}

const Projection* projection_of(const Study& s) {
  const auto* of = dynamic_cast<const TreatmentOf<Projection>*>(&*s.analysis.treatment);
  return of ? &of->treatment : nullptr;
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
        batch_(plan.structure, *plan.table, plan.kept) {}

  void work() {
    for (;;) {
      bool any = false;
      for (int lane = 0; lane < LaneBatch::width; ++lane) {
        if (!lanes_[std::size_t(lane)]) fill(lane);
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
    std::string ignored;
    const auto structure = lane_structure(s.mechanism, ignored);
    const Projection* projection = projection_of(s);
    const bool fits = structure && structure->same(plan_.structure) && projection &&
                      s.analysis.integrator == plan_.integrator && s.analysis.type->facts().integrates;
    if (!fits) return {};
    Begun b = begin(s, s.analysis.type->info().name);
    const bool plain = b.results.outcome && b.results.freedom.rank == b.system->m &&
                       b.results.freedom.usual == b.system->nu - b.system->m &&
                       b.results.freedom.weakest == 1 && !b.has_particles;
    if (!plain) return {};
    LaneTask task;
    task.numbers = lane_numbers(plan_.structure, s.mechanism);
    task.q = std::move(b.q), task.u = std::move(b.u);
    task.start = s.analysis.start, task.end = s.analysis.end;
    task.times = s.output.at(s.analysis);
    task.control = s.analysis.control;
    task.scales = b.results.scales;
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
}  // namespace

std::optional<LanePlan> plan_lanes(const Sweep& sweep, std::string& why) {
  const auto no = [&](std::string reason) {
    why = std::move(reason);
    return std::nullopt;
  };
  const Study s = sweep.model.with({});
  if (!s.analysis.type->facts().integrates)
    return no(fmt::format("the analysis is '{}'", s.analysis.type->info().name));
  const Tableau* table = table_of(s.analysis.integrator);
  if (!table) return no(fmt::format("the integrator is '{}'", s.analysis.integrator));
  if (!projection_of(s)) return no(fmt::format("the treatment is '{}'", s.analysis.treatment->info().name));
  auto structure = lane_structure(s.mechanism, why);
  if (!structure) return {};
  LanePlan plan{std::move(*structure), table, s.analysis.integrator, {}};
  for (const Kept& k : sweep.kept) {
    const auto channel = lane_channel(s.mechanism, k.channel);
    if (!channel) return no(fmt::format("'{}' is kept", k.channel));
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
