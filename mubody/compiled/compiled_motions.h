#pragma once
// Motions on the cores of this machine, by the code of graphics processors compiled for it.             docs/theory/gpu.md
#include "mubody/device/motion_device.h"

namespace mubody::io {
/// Throws NoDevice if there is no compiler, with the reason.
std::unique_ptr<MotionDevice> compiled_motions(const MotionCode&);
}  // namespace mubody::io
