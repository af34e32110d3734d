#pragma once
// One flank of the teeth of a rack and its pinion with backlash: `backlash` of a rack makes two.
//
//   docs/theory/joint-parts.md#backlash
#include "mubody/forces/bases/tooth_flank.h"
#include "mubody/joints/rack.h"

namespace mubody {
struct RackBacklash : ToothFlank<Rack> {
  static constexpr Info info{"rack_backlash", "one flank of the teeth of rack and pinion with play"};

  template <class F, class G, class N, class S>
  void apply(const F& i, const G& j, const N& now, S& sink) const {
    touch(i, j, now, radius, sink);
  }
};
}  // namespace mubody
