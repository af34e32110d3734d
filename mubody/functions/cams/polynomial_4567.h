#pragma once
// y = 35x⁴ − 84x⁵ + 70x⁶ − 20x⁷: speed, acceleration and jerk are zero at both ends.
#include "mubody/functions/cams/cam_law.h"

namespace mubody {
struct Polynomial4567 {
  static constexpr Info info{"4-5-6-7", "a polynomial; acceleration and jerk zero at both ends"};
  template <class R> JetOf<R> operator()(const R& x) const {
    const R left = 1 - x, both = x * left;
    return {x * x * x * x * (35 + x * (-84 + x * (70 - 20 * x))), 140 * both * both * both,
            420 * both * both * (1 - 2 * x)};
  }
};
}  // namespace mubody
