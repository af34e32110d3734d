#include "mubody/analyses/run.h"

namespace mubody {
Results run(const Study& study, const Progress& progress) {
  switch (study.analysis.type.index) {
    case 1: return run_kinematic(study, progress);
    case 2: return run_assembly(study);
    case 3: return run_inverse(study, progress);
    case 4: return run_equilibrium(study);
    case 5: return run_modes(study);
    case 6: return run_sensitivity(study, progress);
    default: return run_forward(study, progress);
  }
}
}  // namespace mubody
