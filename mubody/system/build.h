#pragma once
// From a mechanism to its equations.
#include <memory>

#include "mubody/mechanism/mechanism.h"
#include "mubody/system/system.h"

namespace mubody {
/// The equations of the mechanism in body coordinates.  The mechanism must have been prepared.
std::unique_ptr<System> build_system(const Mechanism&);
}  // namespace mubody
