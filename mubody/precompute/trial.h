#pragma once
// The motion that a model is to make, computed roughly before its tables are made: variables and ranges follow from it.
//                                                                              docs/theory/loops-as-joints.md
#include "mubody/study/options.h"

namespace mubody {
struct TrialMotion {
  std::vector<VecX> q;  // of all bodies, at times close to each other; empty if there is no motion
  double end = 0;       // [s], where it ended
};
/// The motion from forces, with few digits and a limited number of steps.
TrialMotion trial_motion(const Study&);
}  // namespace mubody
