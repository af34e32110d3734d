#pragma once
// Forward dynamics: from forces to motion.
//
//   Flores & Lankarani (2012), sec. 6, eqs. 141-144, direct integration         docs/theory/forward.md
#include "mubody/study/analysis.h"

namespace mubody {
struct Forward {
  static constexpr Info info{"forward", "motion from forces, with the energy balance"};
  static constexpr AnalysisFacts facts{.usual = true, .integrates = true, .any_coordinates = true};

  Results run(const Study&, const Progress& = {}) const;
};
}  // namespace mubody
