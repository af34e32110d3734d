#pragma once
// Points of a sweep several at once on one core, where the model allows that.                docs/theory/lanes.md
#include "mubody/lanes/batch.h"
#include "mubody/sweep/point.h"
#include "mubody/sweep/workers.h"

namespace mubody {
/// What lanes are made for.
struct LanePlan {
  LaneStructure structure;
  const Tableau* table;
  std::string integrator;
  std::vector<LaneKept> kept;
};

/// None if the sweep has to be run one by one; `why` then tells.
std::optional<LanePlan> plan_lanes(const Sweep&, std::string& why);

/// A worker.  Points that lanes cannot run, or give up, are run by themselves.  `going` is asked now and then.
void work_in_lanes(const Sweep&, const LanePlan&, const Progress& going, const NextPoint&, const TakeRow&);
}  // namespace mubody
