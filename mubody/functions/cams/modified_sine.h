#pragma once
// Sines of two lengths, joined where the acceleration is largest: quarters of a short one at the ends, half a long one
// between them.
//
//   y'' = C sin 4πx  up to x = 1/8,   C sin (4πx + π)/3  up to 7/8,   C sin 4πx  up to 1,     C = 4π² / (4 + π)
#include <numbers>

#include "mubody/functions/cams/cam_law.h"

namespace mubody {
struct ModifiedSine {
  static constexpr Info info{"modified-sine", "acceleration of sines of two lengths; the smallest peak torque"};
  template <class R> JetOf<R> operator()(const R& x) const {
    constexpr double pi = std::numbers::pi, all = 4 + pi, short_wave = 4 * pi, long_wave = short_wave / 3;
    const auto first = x<0.125, last = x> 0.875, at_end = first || last;
    const R wave = choose(at_end, short_wave, long_wave);
    const R angle = wave * x + choose(at_end, 0, pi / 3);
    const R base = choose(first, 0, choose(last, 4, 2)), size = short_wave * pi / (wave * wave);
    return {(base + pi * x - size * sin(angle)) / all, (pi - size * wave * cos(angle)) / all,
            size * wave * wave * sin(angle) / all};
  }
};
}  // namespace mubody
