#include "benchmarks/problems/many.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "benchmarks/problems/clock.h"
#include "benchmarks/problems/models.h"
#include "mubody/compiled/compiled_motions.h"
#include "mubody/cuda/motions.h"
#include "mubody/sweep/in_lanes.h"
#include "mubody/sweep/on_device.h"
#include "mubody/text/node.h"

namespace mubody::bench {
namespace {
constexpr std::size_t of_a_core = 128, of_a_processor = 100'000, one_by_one = 8;  // points
const Progress no_end = [](double) { return true; };

using Rows = std::map<std::size_t, SweepRow>;

io::ModelText four_bar() {
  return io::ModelText(io::model_tree(model_text("four_bar"), "four_bar.toml",
                                      {"analysis.integrator='rk4'", "analysis.step=0.001", "analysis.end=10",
                                       "analysis.estimate=false"}),
                       "four_bar.toml");
}

Sweep sweep_of_four_bars() {
  const io::ModelText model = four_bar();
  std::vector<SweptVariable> variables;
  for (const char* text :
       {"a=1.9:2.1", "b=3.9:4.1", "c=3.9:4.1", "bodies.crank.mass=0.9:1.1", "crank_angle=0.95:1.15"}) {
    variables.push_back(read_variable(text, io::Quotes::shown));
    variables.back().key = model.full_key(variables.back().key);
  }
  SweepPlan plan(std::move(variables), {Sampling::lhs, of_a_processor, 1});
  std::vector<Kept> kept = read_kept({"crank.angle"}, example_of(model, plan));
  return {model, std::move(plan), std::move(kept)};
}

/// What other programs on a busy machine take does not count where a core works.
double time_on(bool core) {
  using Clock = std::chrono::steady_clock;
  return core ? processor_time() : std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

/// The rows of the first points by a worker, and how long they took [s].
template <class Work> double rows_by(const Work& work, std::size_t points, bool core, Rows& rows) {
  std::size_t next = 0;
  const NextPoint one = [&]() -> std::optional<std::size_t> {
    return next < points ? std::optional(next++) : std::nullopt;
  };
  const TakeRow take = [&](const SweepRow& row) { rows.emplace(row.index, row); };
  const double from = time_on(core);
  work(one, take);
  return time_on(core) - from;
}

/// Runs of the same points one by one, and what others show beside them.
class Beside {
 public:
  explicit Beside(const Sweep& sweep) {
    each_ = seconds_of([&] {
              for (std::size_t k = 0; k < one_by_one; ++k) rows_.emplace(k, *run_point(sweep, k, no_end));
            }) /
            one_by_one;
  }
  MeasuredRun measured(const std::string& way, std::size_t points, double seconds, const Rows& rows) const {
    MeasuredRun m;
    m.id = many_id, m.name = fmt::format("{} four-bars, {}", points, way);
    m.seconds = seconds, m.other = each_ * double(points), m.other_name = "one by one";
    m.remark = fmt::format("{:.0f} mechanisms per second", double(points) / seconds);
    m.error_of = "the crank's angle at the end, from runs one by one [rad]";
    m.trusted = rows.size() == points;
    for (const auto& [index, row] : rows) m.trusted = m.trusted && row.outcome == SweepRow::good;
    if (!m.trusted) m.verdict = "mechanisms are missing, or do not trust themselves";
    for (const auto& [index, row] : rows_)
      m.error = std::max(m.error, std::abs(rows.at(index).kept.at(0) - row.kept.at(0)));
    return m;
  }

 private:
  Rows rows_;
  double each_ = 0;  // [s]
};
}  // namespace

std::vector<MeasuredRun> measure_many() {
  const Sweep sweep = sweep_of_four_bars();
  std::string why;
  const std::optional<LanePlan> lanes = plan_lanes(sweep, why);
  if (!lanes) throw std::logic_error("four-bars cannot be run in lanes: " + why);
  const Beside beside(sweep);
  std::vector<MeasuredRun> all;
  const auto add = [&](const std::string& way, bool core, const auto& work) {
    Rows rows;
    const std::size_t points = core ? of_a_core : of_a_processor;
    const double seconds = rows_by(work, points, core, rows);
    all.push_back(beside.measured(way, points, seconds, rows));
  };
  add("lanes", true,
      [&](const NextPoint& next, const TakeRow& take) { work_in_lanes(sweep, *lanes, no_end, next, take); });
  const MotionPlan motions = motion_plan(sweep, *lanes);
  DevicePlan plan{
      motions, std::make_shared<const MotionCode>(motions.equations, *motions.table, motions.kept), {}};
  const auto add_device = [&](std::unique_ptr<MotionDevice> device, bool core) {
    plan.device = std::move(device);
    if (!core) plan.quick = QuickPoints::find(sweep, motions, *plan.code, plan.not_quick);
    add(plan.device->name(), core,
        [&](const NextPoint& next, const TakeRow& take) { work_on_device(sweep, plan, no_end, next, take); });
  };
  try {
    add_device(io::compiled_motions(*plan.code), true);
  } catch (const NoDevice&) {  // no compiler
  }
  try {
    if (io::cuda_processors() > 0) add_device(io::cuda_motions(*plan.code, 0), false);
  } catch (const NoDevice&) {  // nor a processor that takes the code
  }
  return all;
}
}  // namespace mubody::bench
