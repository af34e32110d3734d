#pragma once
// Positions and velocities that satisfy the constraints, degrees of freedom, redundancies.
//
//   docs/theory/assembly.md
#include "mubody/study/options.h"

namespace mubody {
struct Assembly {
  static constexpr Info info{"assembly", "positions and velocities at the start that satisfy the constraints"};
  static constexpr AnalysisFacts facts{.at_one_instant = true};

  Results run(const Study&, const Progress& = {}) const;
};
}  // namespace mubody
