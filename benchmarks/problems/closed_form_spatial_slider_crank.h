#pragma once
// The spatial slider-crank of Marques, Souto & Flores (2017), Tables 3 and 4, written by hand as one equation of
// motion for its crank angle, the yardstick of the general program.
//
// The crank turns about y, its tip at a (sin θ, 0, cos θ); the slider runs along y at x = 0, z = −h.  The rod is
// held by a ball at the tip and by a universal joint at the slider, whose pin ξ is perpendicular to y and to the
// rod η: the rod turns about y by φ and swings about ξ by ψ, and nothing else.  With r the rod's length as seen
// along y and ' for d/dθ,
//
//   r² = a² + h² + 2 a h cos θ,   y² = b² − r²,   tan φ = a sin θ / (h + a cos θ),   sin ψ = y / b
//   ω = φ' y + ψ' ξ, about the axes of the rod  (ψ', φ' sin ψ, φ' cos ψ)
//
// Only the squares of y' and ψ' = y' / r and half of their derivatives enter, so that no root is taken in
//
//   J(θ) θ̈ + ½ J'(θ) θ̇² + V'(θ) = 0
#include <cmath>

namespace mubody::closed_form {
struct SpatialSliderCrank {
  double a = 0.1, b = 0.29, h = 0.15;                   // crank, rod, slide below the crank's pin [m]
  double m1 = 0.12, m2 = 0.5, m3 = 0.5;                 // [kg]
  double I1 = 1e-4;                                     // crank, about y at its centre of mass [kg m²]
  double I2xi = 0.004, I2eta = 0.0004, I2zeta = 0.004;  // rod, likewise
  double g = 9.81;                                      // along −z

  /// θ̈ as a function of θ and θ̇; centres of mass lie at half the lengths.
  double operator()(double theta, double rate) const {
    const double ct = std::cos(theta), st = std::sin(theta);
    const double yy1 = a * h * st, dyy1 = a * h * ct;  // y y' and its derivative
    const double r2 = a * a + h * h + 2 * dyy1, y2 = b * b - r2;
    const double per_r2 = 1 / r2, per_y2 = 1 / y2;

    // y'² and y' y'', ψ'² and ψ' ψ'', φ' and φ''; r r' = −y y'
    const double slide = yy1 * yy1 * per_y2, half_dslide = yy1 * (dyy1 - slide) * per_y2;
    const double swing = slide * per_r2, half_dswing = (half_dslide + swing * yy1) * per_r2;
    const double turn = (a * a + dyy1) * per_r2, dturn = (a * a - h * h) * yy1 * per_r2 * per_r2;

    // Inertia of the rod about y: I2eta sin²ψ + I2zeta cos²ψ.
    const double change = (I2eta - I2zeta) / (b * b);
    const double I = I2zeta + change * y2, half_dI = change * yy1;

    // The rod's centre moves by half the sum of the motions of tip and slider, which are perpendicular.
    const double J1 = I1 + 0.25 * (m1 + m2) * a * a, mass = 0.25 * m2 + m3;
    const double J = J1 + mass * slide + I2xi * swing + I * turn * turn;
    const double half_dJ = mass * half_dslide + I2xi * half_dswing + turn * (half_dI * turn + I * dturn);
    const double dV = -0.5 * g * (m1 + m2) * a * st;
    return -(half_dJ * rate * rate + dV) / J;
  }
};
}  // namespace mubody::closed_form
