#pragma once
// Kinematic analysis: position by Newton along the branch, velocity, acceleration, driving forces.
//
//   docs/theory/kinematic.md
#include "mubody/analyses/follow_drivers.h"

namespace mubody {
struct Kinematic {
  static constexpr Info info{"kinematic",
                             "motion from drivers, one for every freedom, and the forces it takes"};
  static constexpr AnalysisFacts facts{.follows_drivers = true, .any_coordinates = true};

  Results run(const Study& study, const Progress& progress = {}) const {
    return follow_drivers(study, progress, info.name);
  }
};
}  // namespace mubody
