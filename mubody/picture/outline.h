#pragma once
// The outline of a body through its points: on a line, in a plane, or neither.
#include <utility>
#include <vector>

#include "mubody/math/space.h"

namespace mubody::io {
/// The two points that are farthest from each other.
std::pair<std::size_t, std::size_t> farthest_pair(const std::vector<Vec<3>>& points);
/// Whether all points lie on the line through points a and b, up to `tolerance` [m].
bool are_on_line(const std::vector<Vec<3>>& points, std::size_t a, std::size_t b, double tolerance);
/// The normal of the plane through the points; they must not lie on a line.
Vec<3> normal_of(const std::vector<Vec<3>>& points);
bool are_in_plane(const std::vector<Vec<3>>& points, double tolerance);
/// The corners of the smallest convex plate that covers points of a plane, in order around it.
std::vector<Vec<3>> around(const std::vector<Vec<3>>& points);
}  // namespace mubody::io
