#pragma once
// One flank of the teeth of a gear pair with backlash: `backlash` of a gear makes two.
//
//   docs/theory/joint-parts.md#backlash
#include "mubody/forces/bases/tooth_flank.h"
#include "mubody/joints/gear.h"

namespace mubody {
struct GearBacklash : ToothFlank<Gear> {
  static constexpr Info info{"gear_backlash", "one flank of the teeth of a gear pair that has play"};

  template <class F, class G, class N, class S>
  void apply(const F& i, const G& j, const N& now, S& sink) const {
    touch(i, j, now, has_angle<F> ? radius_j : -sense * radius_j, sink);
  }
};
}  // namespace mubody
