#pragma once
// Lee and Wang's damping of a collision.
//
//   docs/theory/contact.md#lee_wang
//
//   F = K δⁿ (1 + c δ̇/δ̇₀),   c = 3 (1 − e)/4        K [N/mⁿ], δ [m], δ̇ and δ̇₀ [m/s], e and c [–]
//
// Source: Lee & Wang (1983).  It damps half as much as Hunt and Crossley's law and therefore produces about (1 + e)/2
// for e near 1: for e = 0.9 it produces 0.952, for e = 0.5 0.799.
#include "mubody/contact/laws/hysteresis.h"

namespace mubody {
struct LeeWang : Hysteresis<LeeWang> {
  static constexpr Info info{"lee_wang", "damping by Lee and Wang, half that of Hunt and Crossley"};
  static constexpr bool from_zero = true;  // whether the law allows e = 0
  static double factor(double e) { return 3 * (1 - e) / 4; }
};
}  // namespace mubody
