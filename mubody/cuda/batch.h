#pragma once
// Simulations that are stepped together on a graphics processor.
#include "mubody/device/batch_device.h"

namespace mubody::io {
/// On that one of several.  Throws NoDevice, with the reason.
std::unique_ptr<BatchDevice> cuda_batch(const BatchCode&, int count, int which);
}  // namespace mubody::io
