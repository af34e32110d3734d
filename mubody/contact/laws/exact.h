#pragma once
// Damping of a collision that produces the restitution that is asked for.
//
//   docs/theory/contact.md#exact
//
//   F = K δⁿ (1 + c δ̇/δ̇₀),   c(e) is the root of  c − ln(1 + c) = −c e − ln(1 − c e)
//
// Published factors c(e) are guesses at this root; restitution.h derives the relation.  For 0 < e ≤ 1, whatever masses,
// stiffness, exponent and speed are; e = 0.9 has c = 0.1665, e = 0.5 has c = 1.4328, e = 0.1 has c = 9.998.
#include "mubody/contact/laws/hysteresis.h"
#include "mubody/contact/laws/restitution.h"

namespace mubody {
struct Exact : Hysteresis<Exact> {
  static constexpr Info info{"exact", "damping that produces exactly the restitution asked for, above zero"};
  static constexpr bool from_zero = false;  // whether the law allows e = 0
  // Secants of e' − e over 1/c, which is nearly a straight line, from Gonthier's guess.
  static double factor(double e) {
    if (e >= 1) return 0;
    double a = e / (1 - e * e), b = 0.9 * a;
    double missed_a = produced_restitution(1 / a) - e, missed_b = produced_restitution(1 / b) - e;
    for (int k = 0; k < 20 && std::abs(missed_b) > 1e-15 && missed_a != missed_b; ++k) {
      const double next = b - missed_b * (b - a) / (missed_b - missed_a);
      a = b, missed_a = missed_b;
      b = next, missed_b = produced_restitution(1 / b) - e;
    }
    return 1 / b;
  }
};
}  // namespace mubody
