#include "mubody/analyses/forward.h"

#include "mubody/code/recorded_matrix.h"
#include "mubody/simulation/equation_engine.h"
#include "mubody/simulation/simulation.h"

namespace mubody {
namespace {
std::unique_ptr<Engine> with_derivatives(const Study& study, Begun& begun) {
  auto engine = std::make_unique<EquationEngine>(study, begun);
  const bool own_steps = study.analysis.treatment->order_of_steps() > 0;
  engine->offer(
      constrained_slopes(begun, study.analysis.start, own_steps ? SlopesOf::positions : SlopesOf::rates));
  return engine;
}
}  // namespace

Results Forward::run(const Study& study, const Progress& progress) const {
  return Simulation::run(study, info.name, with_derivatives, progress);
}
}  // namespace mubody
