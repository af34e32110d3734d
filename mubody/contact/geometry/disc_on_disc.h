#pragma once
// Two discs in the plane that may touch from outside: cams, rollers, friction wheels.
//
//   docs/theory/contact.md#disc_on_disc
#include "mubody/contact/geometry/round_on_round.h"

namespace mubody {
struct DiscOnDisc : RoundOnRound<2> {
  static constexpr Info info{"disc_on_disc", "two discs side by side"};
  static constexpr int dim = 2;
};
}  // namespace mubody
