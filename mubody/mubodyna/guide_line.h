#pragma once
// The line of a translational joint, which MUBODYNA defines by two points.
#include <optional>

#include "mubody/math/space.h"
#include "mubody/model/marker.h"

namespace mubody::io::mubodyna {
/// The second point Q of the line on body i, whose first point is i.at, chosen so that reading P and Q back
/// gives both markers, to the last bit if there is such a point.  None if marker j is turned against marker i
/// at the start: MUBODYNA has no angle for that.  `body_i` and `body_j` are the angles of the bodies there.
std::optional<Vec<2>> second_point(const Marker& i, const Marker& j, double body_i, double body_j);
}  // namespace mubody::io::mubodyna
