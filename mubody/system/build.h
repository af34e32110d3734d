#pragma once
// From a mechanism to its equations.
#include <memory>

#include "mubody/mechanism/mechanism.h"
#include "mubody/system/system.h"

namespace mubody {
/// The coordinates that describe the motion; see formulations/.
enum class Coordinates { body, cartesian, joint };

/// The equations of the mechanism in these coordinates.  The mechanism must have been prepared.  `chords` are
/// joints that joint coordinates close by equations.
std::unique_ptr<System> build_system(const Mechanism&, Coordinates = Coordinates::body,
                                     const std::vector<std::string>& chords = {});
/// The same for a mechanism that is held in common and does not change: there is no copy of it, which counts where it is large.
std::unique_ptr<System> build_system(std::shared_ptr<const Mechanism>, Coordinates = Coordinates::body,
                                     const std::vector<std::string>& chords = {});
}  // namespace mubody
