#include "mubody/precompute/run/run_real_time.h"

#include <fmt/format.h>

#include "mubody/precompute/run/loop_engine.h"
#include "mubody/precompute/run/table_engine.h"
#include "mubody/simulation/verdict.h"
#include "mubody/system/jointed.h"

namespace mubody {
void check_geometry(const RealTimeModel& model, System& loops, const Begun& begun) {
  VecX q = VecX::Zero(loops.nq), u = VecX::Zero(loops.nu), body_q = begun.q, body_u = begun.u;
  loops.from_bodies(begun.q, begun.u, q, u);
  if (!loops.out_of_range(q).empty()) return;  // which the run says
  loops.to_bodies(q, u, body_q, body_u);
  const double apart = (body_q - begun.q).lpNorm<Eigen::Infinity>(), most = std::max(1e3 * model.bound, 1e-6);
  if (!(apart <= most))
    throw ModelError(
        fmt::format("the tables put bodies elsewhere than the model does, by {:.2g} m or rad at the start: a "
                    "setting changes the geometry of a loop, or a file that the model includes or reads has "
                    "changed since; make them again with 'mubody precompute'",
                    apart));
}

namespace {
/// The equations of motion of the tree, with the loops as joints of it.
std::unique_ptr<Engine> follow_loops(const std::shared_ptr<const RealTimeModel>& model, const Study& study,
                                     Begun& begun) {
  begun.results.remarks.push_back(fmt::format(
      "loops are joints, from tables with errors below {:.1e} {}; tables do not say what becomes of "
      "them in the motion",
      model->bound, model->bound_unit()));
  auto system = build_following(begun.mechanism, following_parts(model, begun.mechanism));
  check_geometry(*model, *system, begun);
  const double share = model->in_si ? model->certified / system->scales.length : model->certified;
  return std::make_unique<LoopEngine>(study, begun, std::move(system), share);
}

Simulation::MakeEngine tables(std::shared_ptr<const RealTimeModel> model) {
  if (model->loops_as_joints)
    return [model = std::move(model)](const Study& study, Begun& begun) {
      return follow_loops(model, study, begun);
    };
  return [model = std::move(model)](const Study& study, Begun& begun) -> std::unique_ptr<Engine> {
    return std::make_unique<TableEngine>(model, study, begun);
  };
}

bool is_a_series(const RealTimeModel& model) {
  return !model.stiff.empty() ||
         std::ranges::any_of(model.loops, [](const LoopTable& l) { return !l.stiff.empty(); }) ||
         std::ranges::any_of(model.design, [](const DesignVariable& v) { return v.value != v.nominal; });
}
/// Two motions from the same tables do not show the error of these: no channel has more digits than they do.
void limit_digits(const RealTimeModel& model, const AnalysisOptions& o, Results& r) {
  const double share = std::max(model.certified, model.bound);
  for (ChannelAccuracy& c : r.accuracy->channels) c.error = std::max(c.error, share * c.range);
  judge(o, r);
}
}  // namespace

Results run_real_time(const RealTimeModel& model, const Study& study, const Progress& progress) {
  // The run ends before the model does.
  Results r = Simulation::run(study, "real-time", tables({std::shared_ptr<void>(), &model}), progress);
  // Two motions from the same tables agree on what these leave out, so that their difference says nothing of it.
  if (r.outcome && r.accuracy && is_a_series(model)) {
    const int wanted = r.accuracy->wanted;
    r.accuracy.emplace().missing =
        "tables are series in what joints give way and in changed parameters, and a second motion does not "
        "show what these leave out";
    r.accuracy->wanted = wanted;
    judge(study.analysis, r);
  }
  if (r.outcome && r.accuracy && model.loops_as_joints && !model.loops.empty())
    limit_digits(model, study.analysis, r);
  return r;
}

Simulation simulate(RealTimeModel model, const Study& study, const SimulationOptions& options) {
  return Simulation::begin(study, "real-time", tables(std::make_shared<RealTimeModel>(std::move(model))),
                           options);
}
}  // namespace mubody
