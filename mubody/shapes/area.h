#pragma once
// An area of the plane in triangles: holes are connected with the outline by bridges, and ears are cut off the outline
// until nothing is left.
//
// D. Eberly: Triangulation by ear clipping.  Geometric Tools, 2002.
#include <array>
#include <cstdint>
#include <vector>

#include "mubody/math/space.h"

namespace mubody {
/// Triangles over the points of an outline, which go counter-clockwise, and of holes, which go clockwise.  The lists name
/// points.
std::vector<std::array<std::uint32_t, 3>> triangles_over(const std::vector<Vec<2>>& points,
                                                         std::vector<std::uint32_t> outline,
                                                         std::vector<std::vector<std::uint32_t>> holes);
}  // namespace mubody
