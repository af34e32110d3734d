#pragma once
// One flank of the teeth of a gear pair with backlash: `backlash` of a gear makes two.
//
//   docs/theory/joint-parts.md#backlash
#include "mubody/forces/bases/tooth_flank.h"
#include "mubody/joints/gear.h"

namespace mubody {
struct GearBacklash : ToothFlank<Gear> {
  static constexpr Info info{"gear_backlash", "one flank of the teeth of a gear pair that has play"};

  /// Each flank presses at its own angle, so that both push the axes of two wheels apart.
  void take(const Gear& gear, const Flank& flank) {
    ToothFlank<Gear>::take(gear, flank);
    // The first gear drives counter-clockwise towards larger Φ in the plane, towards smaller Φ in space.
    const bool forward = (flank.high == (flank.dim == 2)) == (radius_i > 0);
    pressure_angle = forward ? std::abs(pressure_angle) : -std::abs(pressure_angle);
  }
  template <class F, class G, class N, class S>
  void apply(const F& i, const G& j, const N& now, S& sink) const {
    touch(i, j, now, has_angle<F> ? radius_j : -sense * radius_j, sink);
  }
};
}  // namespace mubody
