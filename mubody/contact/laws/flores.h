#pragma once
// Damping of a collision by Flores and others.
//
//   docs/theory/contact.md#flores
//
//   F = K δⁿ (1 + c δ̇/δ̇₀),   c = 8 (1 − e)/(5 e)        K [N/mⁿ], δ [m], δ̇ and δ̇₀ [m/s], e and c [–]
//
// Source: Flores, Machado, Silva & Martins (2011).  For 0 < e ≤ 1, soft bodies included; within 0.046 everywhere: for
// e = 0.9 it produces 0.894, for 0.5 0.470, for 0.1 0.069.
#include "mubody/contact/laws/hysteresis.h"

namespace mubody {
struct Flores : Hysteresis<Flores> {
  static constexpr Info info{"flores", "damping by Flores and others, for all restitutions above zero"};
  static constexpr bool from_zero = false;  // whether the law allows e = 0
  static double factor(double e) { return 8 * (1 - e) / (5 * e); }
};
}  // namespace mubody
