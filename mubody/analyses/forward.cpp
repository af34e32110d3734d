// Forward dynamics: from forces to motion.
//
//   Flores & Lankarani (2012), sec. 6, eqs. 141-144, direct integration         docs/theory/forward.md
#include "mubody/analyses/run.h"
#include "mubody/simulation/equation_engine.h"
#include "mubody/simulation/simulation.h"

namespace mubody {
Results run_forward(const Study& study, const Progress& progress) {
  return Simulation::run(study, "forward", make_equations, progress);
}
}  // namespace mubody
