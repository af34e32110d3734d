#pragma once
// y = 10x³ − 15x⁴ + 6x⁵: speed and acceleration are zero at both ends.
#include "mubody/functions/cams/cam_law.h"

namespace mubody {
struct Polynomial345 {
  static constexpr Info info{"3-4-5", "a polynomial; acceleration zero at both ends"};
  template <class R> JetOf<R> operator()(const R& x) const {
    const R left = 1 - x;
    return {x * x * x * (10 + x * (6 * x - 15)), 30 * x * x * left * left, 60 * x * left * (1 - 2 * x)};
  }
};
}  // namespace mubody
