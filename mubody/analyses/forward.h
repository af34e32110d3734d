#pragma once
// Forward dynamics: from forces to motion.
//
//   docs/theory/forward.md
#include "mubody/analyses/run.h"

namespace mubody {
struct Forward {
  static constexpr Info info{"forward", "motion from forces, with the energy balance"};
  static constexpr AnalysisFacts facts{.usual = true, .integrates = true, .any_coordinates = true};

  Results run(const Study& study, const Progress& progress = {}) const { return run_forward(study, progress); }
};
}  // namespace mubody
