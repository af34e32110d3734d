#pragma once
// Herbert and McWhannell's damping of a collision.
//
//   docs/theory/contact.md#herbert_mcwhannell
//
//   F = K δⁿ (1 + c δ̇/δ̇₀),   c = 6 (1 − e)/((2e − 1)² + 3)        K [N/mⁿ], δ [m], δ̇ and δ̇₀ [m/s], e and c [–]
//
// Source: Herbert & McWhannell (1977).  For e above 0.6 it produces e within a few hundredths (0.9 gives 0.901, 0.7
// gives 0.723), below that too much: 0.5 gives 0.594.
#include "mubody/contact/laws/hysteresis.h"

namespace mubody {
struct HerbertMcwhannell : Hysteresis<HerbertMcwhannell> {
  static constexpr Info info{"herbert_mcwhannell", "damping by Herbert and McWhannell, for high restitutions"};
  static constexpr bool from_zero = true;  // whether the law allows e = 0
  static double factor(double e) { return 6 * (1 - e) / ((2 * e - 1) * (2 * e - 1) + 3); }
};
}  // namespace mubody
