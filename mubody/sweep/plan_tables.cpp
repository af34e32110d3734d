// Motions from tables, as a device runs them.
#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "mubody/precompute/c/tables_for_motions.h"
#include "mubody/simulation/begin.h"
#include "mubody/sweep/motion_points.h"

namespace mubody {
namespace {
std::vector<LaneKept> kept_of(const Sweep& sweep, const RecordedModel& recorded) {
  std::vector<LaneKept> all;
  for (const Kept& k : sweep.kept) {
    const auto channel = lane_channel(recorded, k.channel);
    if (!channel) throw ModelError(fmt::format("'{}' is kept", k.channel));
    constexpr LaneKept::What what[] = {LaneKept::last, LaneKept::at, LaneKept::max, LaneKept::min};
    all.push_back({what[k.what], *channel, k.time});
  }
  return all;
}

// As those of the engine: variables are relative to other bodies, so that their rates count as they are.
void take_sizes(const RealTimeModel& model, const Scales& scales, Sizes& sizes) {
  const int n = model.n();
  const Region& region = model.regions[std::size_t(model.start_region)];
  sizes.size = Eigen::ArrayXd::Ones(2 * n),
  sizes.most = Eigen::ArrayXd::Constant(2 * n, std::numeric_limits<double>::infinity());
  for (int k = 0; k < n; ++k) {
    sizes.size[k] = sizes.most[k] = region.variables[std::size_t(k)].turn ? 1 : scales.length;
    sizes.size[n + k] = sizes.size[k] / scales.time;
  }
}

std::optional<LaneTask> task_of_whole(const SweptTables& tables, const std::string& integrator, bool adaptive,
                                      const Study& s) {
  if (is_another_kind(s, integrator)) return {};
  const Begun b = begin(s, "real-time");
  LaneTask task = frame_of(s, b);
  std::vector<double> theta, rate;
  tables.start(b, theta, rate);
  task.q = Eigen::Map<const VecX>(theta.data(), Eigen::Index(theta.size()));
  task.u = Eigen::Map<const VecX>(rate.data(), Eigen::Index(rate.size()));
  if (adaptive && !task.control.step && task.control.max_step) task.control.step = *task.control.max_step / 50;
  take_sizes(*tables.model(), task.scales, task.sizes);
  return task;
}

/// Throws ModelError with what prevents it.
MotionPlan plan_whole(const std::shared_ptr<const SweptTables>& tables, const Study& s, const Tableau& table,
                      const KeptOf& kept) {
  const RealTimeModel& model = *tables->model();
  if (!model.design.empty()) throw ModelError("its tables are series in parameters");
  const Begun b = begin(s, "real-time");
  if (!b.results.outcome) throw ModelError(b.results.outcome.why);
  if (std::ranges::any_of(b.mechanism->joints, [](const auto& joint) { return joint.driver; }))
    throw ModelError("drivers lead it");
  const auto bodies =
      std::make_shared<const RecordedModel>(record(b.mechanism, start_of_bodies(b, s.analysis.start)));
  if (std::string reason = no_motions(model, *bodies); !reason.empty()) throw ModelError(reason);
  MotionPlan plan;
  plan.table = &table;
  plan.kept = kept(*bodies);
  plan.equations = tables_for_motions(tables->model(), b.mechanism, bodies, lengths_of(*b.system), plan.kept);
  plan.task = [tables, integrator = s.analysis.integrator, adaptive = !table.e.empty()](const Study& of) {
    return task_of_whole(*tables, integrator, adaptive, of);
  };
  return plan;
}

/// Whether all points begin at the same place, as far as some of them show it.
bool begin_alike(const Sweep& sweep, const MotionPlan& plan) {
  constexpr std::size_t most = 12;
  constexpr double same = 1e-12;
  std::optional<VecX> first;
  for (const std::size_t index : sweep.plan.some(most)) {
    const auto task = plan.task(with_time_begun(sweep.study(sweep.plan.point(index))));
    if (!task) continue;
    if (!first) first = task->q;
    if (!((task->q - *first).cwiseAbs().maxCoeff() <= same * std::max(1.0, first->cwiseAbs().maxCoeff())))
      return false;
  }
  return true;
}
}  // namespace

std::optional<MotionPlan> plan_tables(const Sweep& sweep, std::string& why) {
  const KeptOf kept = [&](const RecordedModel& recorded) { return kept_of(sweep, recorded); };
  try {
    const Study s = with_time_begun(sweep.study(sweep.plan.point(0)));
    if (!s.analysis.type->facts().integrates)
      throw ModelError(fmt::format("the analysis is '{}'", s.analysis.type->info().name));
    const Tableau* table = find_tableau(s.analysis.integrator);
    if (!table) throw ModelError(fmt::format("the integrator is '{}'", s.analysis.integrator));
    return sweep.tables->model()->loops_as_joints ? plan_jointed(sweep, s, *table, kept)
                                                  : plan_whole(sweep.tables, s, *table, kept);
  } catch (const ModelError& e) {
    why = e.what();
    return {};
  }
}

MotionPlan motion_plan(const Sweep& sweep, const LanePlan& plan) {
  MotionPlan bodies{motion_equations(plan.model, plan.kept), plan.table, plan.kept,
                    [plan](const Study& s) { return lane_task(plan, s); }, plan.model};
  if (!plan.model->left_out().empty()) return bodies;
  try {
    // In the plane points are assembled quickly, but in body coordinates.
    if (!bodies.equations.in_space && !begin_alike(sweep, bodies)) return bodies;
    const KeptOf kept = [&](const RecordedModel& recorded) { return kept_of(sweep, recorded); };
    MotionPlan jointed =
        plan_jointed(sweep, with_time_begun(sweep.study(sweep.plan.point(0))), *plan.table, kept);
    return jointed.equations.cycles < bodies.equations.cycles ? jointed : bodies;
  } catch (const ModelError&) {
    return bodies;
  }
}
}  // namespace mubody
