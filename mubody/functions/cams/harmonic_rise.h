#pragma once
// y = (1 − cos πx) / 2: the acceleration is half a cosine and jumps at both ends.
#include <numbers>

#include "mubody/functions/cams/cam_law.h"

namespace mubody {
struct HarmonicRise {
  static constexpr Info info{"harmonic", "acceleration is half a cosine; it jumps at both ends"};
  template <class R> JetOf<R> operator()(const R& x) const {
    constexpr double half = std::numbers::pi;
    return {0.5 * (1 - cos(half * x)), 0.5 * half * sin(half * x), 0.5 * half * half * cos(half * x)};
  }
};
}  // namespace mubody
