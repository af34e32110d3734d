#pragma once
// The slider-crank with equal rods of Roupa, Gonçalves & Silva, written by hand as one equation of motion for its crank
// angle.  The rod always stands at the angle −θ, so that its centre is at (3L/2 cos θ, L/2 sin θ):
//
//   J(θ) = 2 I + m L² (1/4 + 9/4 sin² θ + 1/4 cos² θ),   V(θ) = m g L sin θ,   J θ̈ + ½ J' θ̇² + V' = 0
#include <cmath>

namespace mubody::closed_form {
struct SliderCrank {
  double L = 1, m = 1, w = 0.1, g = 9.81;  // rods: length [m], mass [kg], thickness [m]

  /// θ̈ as a function of θ and θ̇.
  double operator()(double theta, double rate) const {
    const double c = std::cos(theta), s = std::sin(theta), mL2 = m * L * L;
    const double I = (mL2 + m * w * w) / 12;
    const double J = 2 * I + mL2 * (0.25 + 2.25 * s * s + 0.25 * c * c), half_dJ = mL2 * 2 * s * c;
    return -(half_dJ * rate * rate + m * g * L * c) / J;
  }
};
}  // namespace mubody::closed_form
