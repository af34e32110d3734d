#pragma once
// Several points of a sweep at once on one core, where the model allows it.                docs/theory/lanes.md
#include "mubody/sweep/lane_plan.h"
#include "mubody/sweep/workers.h"

namespace mubody {
/// A worker that runs points in lanes, and by themselves those that lanes cannot run or give up.  It stops when
/// `going`, which it calls now and then, returns false.
void work_in_lanes(const Sweep&, const LanePlan&, const Progress& going, const NextPoint&, const TakeRow&);
}  // namespace mubody
