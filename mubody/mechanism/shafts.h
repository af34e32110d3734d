#pragma once
// Gears turn about their shafts.                                                     docs/theory/joints.md#gear
#include "mubody/mechanism/mechanism.h"

namespace mubody {
/// Throws ModelError if the axis of a gear is not that of any pin which holds its body.  Such teeth would be dragged along
/// their flanks, and the equation of the joint, which has one axis, would not know.
void refuse_gears_across_shafts(const Mechanism&);
}  // namespace mubody
