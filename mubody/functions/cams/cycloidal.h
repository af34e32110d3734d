#pragma once
// y = x − sin(2πx) / 2π: the acceleration is a whole sine, zero at both ends.
#include <cmath>
#include <numbers>

#include "mubody/functions/cams/cam_law.h"

namespace mubody {
struct Cycloidal {
  static constexpr Info info{"cycloidal", "acceleration is a sine; zero at both ends"};
  Jet operator()(double x) const {
    constexpr double turn = 2 * std::numbers::pi;
    return {x - std::sin(turn * x) / turn, 1 - std::cos(turn * x), turn * std::sin(turn * x)};
  }
};
}  // namespace mubody
