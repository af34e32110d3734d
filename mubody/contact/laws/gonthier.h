#pragma once
// Gonthier's damping of a collision.
//
//   docs/theory/contact.md#gonthier
//
//   F = K δⁿ (1 + c δ̇/δ̇₀),   c = (1 − e²)/e        K [N/mⁿ], δ [m], δ̇ and δ̇₀ [m/s], e and c [–]
//
// Source: Gonthier, McPhee, Lange & Piedbœuf (2004); Zhang & Sharf (2004) find the same.  An approximation of the
// exact relation for 0 < e ≤ 1, within 0.033 everywhere: for e = 0.9 it produces 0.876, for 0.5 0.488, for 0.1 0.101.
#include "mubody/contact/laws/hysteresis.h"

namespace mubody {
struct Gonthier : Hysteresis<Gonthier> {
  static constexpr Info info{"gonthier", "damping by Gonthier and others, for all restitutions above zero"};
  static constexpr bool from_zero = false;  // whether the law allows e = 0
  static double factor(double e) { return (1 - e * e) / e; }
};
}  // namespace mubody
