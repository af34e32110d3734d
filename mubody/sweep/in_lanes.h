#pragma once
// Several points of a sweep at once on one core, where the model allows it.                docs/theory/lanes.md
#include "mubody/lanes/batch.h"
#include "mubody/sweep/point.h"
#include "mubody/sweep/workers.h"

namespace mubody {
/// What all points of a sweep in lanes have in common.
struct LanePlan {
  std::shared_ptr<const LaneModel> model;
  const Tableau* table;
  std::string integrator;
  std::vector<LaneKept> kept;
};

/// None if the points have to be run one by one; `why` then says what prevents lanes.
std::optional<LanePlan> plan_lanes(const Sweep&, std::string& why);

/// A worker that runs points in lanes, and by themselves those that lanes cannot run or give up.  It stops when
/// `going`, which it calls now and then, returns false.
void work_in_lanes(const Sweep&, const LanePlan&, const Progress& going, const NextPoint&, const TakeRow&);
}  // namespace mubody
