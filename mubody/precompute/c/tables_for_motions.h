#pragma once
// Tables as equations for the motions of many mechanisms that differ in their starts.                     docs/theory/gpu.md#tables
#include <memory>

#include "mubody/device/motion_equations.h"
#include "mubody/mechanism/mechanism.h"
#include "mubody/precompute/tables/model.h"

namespace mubody {
/// What prevents such motions; empty if nothing does.
std::string no_motions(const RealTimeModel&, const RecordedModel& bodies);
/// Tables of a whole mechanism.  `bodies` are its equations in body coordinates, from which results come; `lengths` says which of
/// them measure lengths.
MotionEquations tables_for_motions(std::shared_ptr<const RealTimeModel>, const Mechanism&,
                                   std::shared_ptr<const RecordedModel> bodies, std::vector<bool> lengths,
                                   const std::vector<LaneKept>&);
}  // namespace mubody
