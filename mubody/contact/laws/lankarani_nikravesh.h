#pragma once
// Lankarani and Nikravesh's damping of a collision, the law most used in multibody dynamics.
//
//   docs/theory/contact.md#lankarani_nikravesh
//
//   F = K δⁿ (1 + c δ̇/δ̇₀),   c = 3 (1 − e²)/4        K [N/mⁿ], δ [m], δ̇ and δ̇₀ [m/s], e and c [–]
//
// Source: Lankarani & Nikravesh (1990).  The energy lost is set equal to that of a small loss, so it is meant for e
// near 1: for e = 0.9 it produces 0.913, for e = 0.5 already 0.725, and never less than 0.66.  No material yields
// while δ̇₀ stays below about 1e-5 √(E/ρ), 0.05 m/s for steel.
#include "mubody/contact/laws/hysteresis.h"

namespace mubody {
struct LankaraniNikravesh : Hysteresis<LankaraniNikravesh> {
  static constexpr Info info{"lankarani_nikravesh",
                             "damping by Lankarani and Nikravesh, for restitutions near one"};
  static constexpr bool from_zero = true;  // whether the law allows e = 0
  static double factor(double e) { return 3 * (1 - e * e) / 4; }
};
}  // namespace mubody
