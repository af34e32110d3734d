#pragma once
// y = x − sin(2πx) / 2π: the acceleration is a whole sine, zero at both ends.
#include <numbers>

#include "mubody/functions/cams/cam_law.h"

namespace mubody {
struct Cycloidal {
  static constexpr Info info{"cycloidal", "acceleration is a sine; zero at both ends"};
  template <class R> JetOf<R> operator()(const R& x) const {
    constexpr double turn = 2 * std::numbers::pi;
    return {x - sin(turn * x) / turn, 1 - cos(turn * x), turn * sin(turn * x)};
  }
};
}  // namespace mubody
