#pragma once
// Hunt and Crossley's damping of a collision.
//
//   docs/theory/contact.md#hunt_crossley
//
//   F = K δⁿ (1 + c δ̇/δ̇₀),   c = 3 (1 − e)/2        K [N/mⁿ], δ [m], δ̇ and δ̇₀ [m/s], e and c [–]
//
// Source: Hunt & Crossley (1975).  The loss is taken from an elastic collision, so it is meant for e near 1: for
// e = 0.9 it produces 0.909, for e = 0.5 already 0.663.
#include "mubody/contact/laws/hysteresis.h"

namespace mubody {
struct HuntCrossley : Hysteresis<HuntCrossley> {
  static constexpr Info info{"hunt_crossley", "damping by Hunt and Crossley, for restitutions near one"};
  static constexpr bool from_zero = true;  // whether the law allows e = 0
  static double factor(double e) { return 3 * (1 - e) / 2; }
};
}  // namespace mubody
