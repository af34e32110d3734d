#pragma once
// Points of a sweep that are the same mechanism with other numbers: what they share, and what each of them starts from.  They are run
// in lanes (in_lanes.h) or on a device (on_device.h).
//
//   docs/theory/lanes.md#numbers-that-differ
#include "mubody/lanes/batch.h"
#include "mubody/sweep/point.h"

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

/// The motion of a study, whose time has begun; none if it is not one of the plan.  Throws ModelError.
std::optional<LaneTask> lane_task(const LanePlan&, const Study&);

/// The row of a motion that was not given up.
SweepRow row_of_lane(const Sweep&, std::size_t index, std::vector<double> point, const AnalysisOptions&,
                     LaneOutcome);
}  // namespace mubody
