#include "mubody/analyses/forward.h"

#include "mubody/simulation/equation_engine.h"
#include "mubody/simulation/simulation.h"

namespace mubody {
Results Forward::run(const Study& study, const Progress& progress) const {
  return Simulation::run(study, info.name, make_equations, progress);
}
}  // namespace mubody
