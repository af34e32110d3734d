#include "mubody/precompute/run/run_real_time.h"

#include "mubody/precompute/run/table_engine.h"

namespace mubody {
namespace {
Simulation::MakeEngine tables(std::shared_ptr<const RealTimeModel> model) {
  return [model = std::move(model)](const Study& study, Begun& begun) -> std::unique_ptr<Engine> {
    return std::make_unique<TableEngine>(model, study, begun);
  };
}
}  // namespace

Results run_real_time(const RealTimeModel& model, const Study& study, const Progress& progress) {
  // The run ends before the model does.
  return Simulation::run(study, "real-time", tables({std::shared_ptr<void>(), &model}), progress);
}

Simulation simulate(RealTimeModel model, const Study& study, const SimulationOptions& options) {
  return Simulation::begin(study, "real-time", tables(std::make_shared<RealTimeModel>(std::move(model))),
                           options);
}
}  // namespace mubody
