#pragma once
// Simulations that are stepped together on the cores of this machine, by the code of graphics processors compiled for it.
#include "mubody/device/batch_device.h"

namespace mubody::io {
/// Throws NoDevice if there is no compiler, with the reason.
std::unique_ptr<BatchDevice> compiled_batch(const BatchCode&, int count);
}  // namespace mubody::io
