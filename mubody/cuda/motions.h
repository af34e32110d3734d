#pragma once
// Motions on graphics processors of NVIDIA's: one mechanism for each thread.                            docs/theory/gpu.md
#include <optional>

#include "mubody/device/motion_device.h"

namespace mubody::io {
/// How many processors this machine has.
int cuda_processors();
/// Processors of this machine: the one of that number, else all.  Throws NoDevice, with the reason.
std::unique_ptr<MotionDevice> cuda_motions(const MotionCode&, std::optional<int> which);
}  // namespace mubody::io
