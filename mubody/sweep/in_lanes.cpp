#include "mubody/sweep/in_lanes.h"

#include <algorithm>
#include <array>
#include <new>

#include "mubody/text/cpu_clock.h"

namespace mubody {
namespace {
constexpr int steps_at_once = 16;  // after so many steps, finished lanes are emptied
// So many lanes are filled then: whoever comes first must not take points from others who have nothing to do.
constexpr int points_at_once = 8;

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
        if (auto task = lane_task(plan_, r.study)) {
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

  void finish(int lane) {
    auto out = batch_.take(lane);
    if (!out) return;
    Running r = std::move(*lanes_[std::size_t(lane)]);
    lanes_[std::size_t(lane)].reset();
    if (out->given_up) return alone(r.index);
    take_(row_of_lane(sweep_, r.index, std::move(r.point), r.study.analysis, std::move(*out)));
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

void work_in_lanes(const Sweep& sweep, const LanePlan& plan, const Progress& going, const NextPoint& next,
                   const TakeRow& take) {
  Worklist(sweep, plan, going, next, take).work();
}
}  // namespace mubody
