#pragma once
// Sines of two lengths, joined where the acceleration is largest: quarters of a short one at the ends, half a long one
// between them.
//
//   y'' = C sin 4πx  up to x = 1/8,   C sin (4πx + π)/3  up to 7/8,   C sin 4πx  up to 1,     C = 4π² / (4 + π)
#include <cmath>
#include <numbers>

#include "mubody/functions/cams/cam_law.h"

namespace mubody {
struct ModifiedSine {
  static constexpr Info info{"modified-sine", "acceleration of sines of two lengths; the smallest peak torque"};
  Jet operator()(double x) const {
    constexpr double pi = std::numbers::pi, all = 4 + pi, short_wave = 4 * pi, long_wave = short_wave / 3;
    const bool first = x<0.125, last = x> 0.875;
    const double wave = first || last ? short_wave : long_wave;
    const double angle = first || last ? wave * x : wave * x + pi / 3;
    const double base = first ? 0 : last ? 4 : 2, size = short_wave * pi / (wave * wave);
    return {(base + pi * x - size * std::sin(angle)) / all, (pi - size * wave * std::cos(angle)) / all,
            size * wave * wave * std::sin(angle) / all};
  }
};
}  // namespace mubody
