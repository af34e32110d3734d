#include "mubody/precompute/run/run_real_time.h"

#include "mubody/precompute/run/table_engine.h"
#include "mubody/simulation/verdict.h"

namespace mubody {
namespace {
Simulation::MakeEngine tables(std::shared_ptr<const RealTimeModel> model) {
  return [model = std::move(model)](const Study& study, Begun& begun) -> std::unique_ptr<Engine> {
    return std::make_unique<TableEngine>(model, study, begun);
  };
}

bool is_first_order(const RealTimeModel& model) {
  return !model.stiff.empty() ||
         std::ranges::any_of(model.design, [](const DesignVariable& v) { return v.value != v.nominal; });
}
}  // namespace

Results run_real_time(const RealTimeModel& model, const Study& study, const Progress& progress) {
  // The run ends before the model does.
  Results r = Simulation::run(study, "real-time", tables({std::shared_ptr<void>(), &model}), progress);
  // Two motions from the same tables agree on what these leave out, so that their difference says nothing of it.
  if (r.outcome && r.accuracy && is_first_order(model)) {
    const int wanted = r.accuracy->wanted;
    r.accuracy.emplace().missing =
        "tables are right to first order in what joints give way and in changed parameters, and a second "
        "motion does not show what that leaves out";
    r.accuracy->wanted = wanted;
    judge(study.analysis, r);
  }
  return r;
}

Simulation simulate(RealTimeModel model, const Study& study, const SimulationOptions& options) {
  return Simulation::begin(study, "real-time", tables(std::make_shared<RealTimeModel>(std::move(model))),
                           options);
}
}  // namespace mubody
