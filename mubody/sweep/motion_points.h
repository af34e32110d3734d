#pragma once
// Points of a sweep as motions in coordinates other than those of bodies: what they have in common with all motions.
#include "mubody/recorded/model.h"
#include "mubody/sweep/lane_plan.h"

namespace mubody {
/// A recording in body coordinates, and which of its equations measure lengths.
RecordingStart start_of_bodies(const Begun&, double t);
std::vector<bool> lengths_of(const System&);
/// What a motion is besides its start and its numbers.
LaneTask frame_of(const Study&, const Begun&);
bool is_another_kind(const Study&, const std::string& integrator);

/// What is kept, as channels of a recording.
using KeptOf = std::function<std::vector<LaneKept>(const RecordedModel&)>;
/// In joint coordinates, with the tables of the sweep for loops, if it has any.  Throws ModelError with what prevents it.
MotionPlan plan_jointed(const Sweep&, const Study&, const Tableau&, const KeptOf&);
}  // namespace mubody
