#pragma once
// Two spheres in space that may touch from outside.
//
//   docs/theory/contact.md#sphere_on_sphere
#include "mubody/contact/geometry/round_on_round.h"

namespace mubody {
struct SphereOnSphere : RoundOnRound<3> {
  static constexpr Info info{"sphere_on_sphere", "two spheres side by side"};
  static constexpr int dim = 3;
};
}  // namespace mubody
