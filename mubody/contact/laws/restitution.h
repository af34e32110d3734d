#pragma once
// The restitution that a collision of two free bodies under F = K δⁿ (1 + c δ̇/δ̇₀) really has.
//
//   docs/theory/contact.md#restitution
//
// With u = δ̇/δ̇₀ and m the reduced mass, m δ̈ = −F has the first integral
//
//   K δⁿ⁺¹ / ((n + 1) m δ̇₀²) = (1 − u)/c − ln((1 + c)/(1 + c u))/c²,
//
// so that the bodies part at u = −e' where c − ln(1 + c) = −c e' − ln(1 − c e'), whatever m, K, n and δ̇₀ are,
// and are deepest at u = 0.  Series take over where the differences would lose digits.
#include <cmath>

namespace mubody {
/// (c − ln(1 + c))/c² for c > −1; 1/2 at c = 0.
inline double hysteresis_loss(double c) {
  if (std::abs(c) > 1e-2) return (c - std::log1p(c)) / (c * c);
  double sum = 0;
  for (int k = 9; k >= 2; --k) sum = 1.0 / k - sum * c;
  return sum;
}

/// e' of the factor c ≥ 0: Newton's method for y = −ln(1 − c e') in y + exp(−y) − 1 = c − ln(1 + c).
inline double produced_restitution(double c) {
  if (c < 1e-9) return 1 - 2 * c / 3;
  const auto rest = [](double y) {
    if (y > 1e-2) return y + std::expm1(-y);
    double sum = 0;
    for (int k = 9; k >= 2; --k) sum = (1 - sum) * y / k;
    return sum * y;
  };
  const double loss = hysteresis_loss(c) * c * c;
  double y = loss + std::sqrt(2 * loss);  // to the right of the root, from where convex functions converge
  for (int k = 0; k < 50; ++k) {
    const double step = (rest(y) - loss) / -std::expm1(-y);
    y -= step;
    if (std::abs(step) <= 1e-16 * y) break;
  }
  return -std::expm1(-y) / c;
}

/// Greatest depth [m] for stiffness K [N/mⁿ], exponent n, reduced mass m [kg] and first speed [m/s].
inline double deepest(double c, double K, double n, double m, double first_speed) {
  return std::pow((n + 1) * m * first_speed * first_speed * hysteresis_loss(c) / K, 1 / (n + 1));
}
}  // namespace mubody
