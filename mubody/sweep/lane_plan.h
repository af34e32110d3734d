#pragma once
// Points of a sweep that are the same mechanism with other numbers: what they share, and what each of them starts from.  They are run
// in lanes (in_lanes.h) or on a device (on_device.h).
//
//   docs/theory/lanes.md#numbers-that-differ
#include "mubody/device/motion_equations.h"
#include "mubody/lanes/batch.h"
#include "mubody/simulation/begin.h"
#include "mubody/sweep/point.h"

namespace mubody {
/// What all points of a sweep in lanes have in common.
struct LanePlan {
  std::shared_ptr<const LaneModel> model;
  const Tableau* table;
  std::string integrator;
  std::vector<LaneKept> kept;
};

/// What prevents that a motion is nothing but steps, as far as one mechanism shows it; empty if nothing does.
std::string no_steps_alone(const Study&, const Begun&);
/// Instants at which functions of time change, as Simulation::Loop looks for them.
std::vector<Breakpoint> breaks_of(const Study&, bool adaptive);

/// None if the points have to be run one by one; `why` then says what prevents lanes.
std::optional<LanePlan> plan_lanes(const Sweep&, std::string& why);

/// What a device needs to know of motions, whatever their equations are.
struct MotionPlan {
  MotionEquations equations;
  const Tableau* table;
  std::vector<LaneKept> kept;
  /// The motion of a study, whose time has begun; none if it is not one of the plan.  Throws ModelError.
  std::function<std::optional<LaneTask>(const Study&)> task;
  std::shared_ptr<const LaneModel> lanes;  // whose positions are those of bodies; null: there are others
};
/// In body coordinates, or in those of joints where these take fewer operations; in the plane only where all points begin alike.
MotionPlan motion_plan(const Sweep&, const LanePlan&);
/// Of a precomputed model; none if it cannot be run on a device, and `why` then says the reason.
std::optional<MotionPlan> plan_tables(const Sweep&, std::string& why);

/// The motion of a study, whose time has begun; none if it is not one of the plan.  Throws ModelError.
std::optional<LaneTask> lane_task(const LanePlan&, const Study&);

/// The row of a motion that was not given up.
SweepRow row_of_lane(const Sweep&, std::size_t index, std::vector<double> point, const AnalysisOptions&,
                     LaneOutcome);
}  // namespace mubody
