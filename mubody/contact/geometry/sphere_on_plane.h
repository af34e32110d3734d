#pragma once
// A sphere on a plane in space: the plane is spanned by x and y of marker i, the sphere lies on the side of its z axis.
//
//   docs/theory/contact.md#sphere_on_plane
#include "mubody/contact/geometry/round_on_flat.h"

namespace mubody {
struct SphereOnPlane : RoundOnFlat<3> {
  static constexpr Info info{"sphere_on_plane", "a sphere on a plane"};
  static constexpr int dim = 3;
};
}  // namespace mubody
