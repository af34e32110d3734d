#pragma once
// The four-bar of Marques, Souto & Flores (2017), Table 1, written by hand as one equation of motion for its
// crank angle, the yardstick of the general program.
//
// Closure by the intersection of two circles, no angles but the crank's; velocity ratios k2 = ω2/ω1, k3 = ω3/ω1
// from the loop's velocities, their derivatives k' from its accelerations; then
//
//   J(θ) θ̈ + ½ J'(θ) θ̇² + V'(θ) = 0
#include <cmath>

namespace mubody::closed_form {
struct FourBar {
  double a = 2, b = 4, c = 4, d = 2.5;  // crank, coupler, follower, ground [m]
  double m1 = 1, m2 = 2.25, m3 = 2.2;   // [kg]
  double I1 = 0.3, I2 = 2, I3 = 1.35;   // about the centres of mass, at mid length [kg m²]
  double g = 9.81;

  /// θ̈ as a function of θ and θ̇; centres of mass lie at mid length, the coupler's end above the diagonal.
  double operator()(double theta, double rate) const {
    const double ct = std::cos(theta), st = std::sin(theta);
    const double Bx = a * ct, By = a * st;
    const double ex = d - Bx, ey = -By, e2 = ex * ex + ey * ey;  // from B to D
    const double along = 0.5 * (e2 + b * b - c * c) / e2;
    const double across = std::sqrt(b * b / e2 - along * along);
    const double ux = along * ex - across * ey, uy = along * ey + across * ex;  // coupler, B to C
    const double wx = Bx + ux - d, wy = By + uy;                                // follower, D to C

    // ω1 k × B + ω2 k × u = ω3 k × w, for ω1 = 1
    const double det = 1 / (ux * wy - uy * wx);
    const double k2 = (wx * By - wy * Bx) * det, k3 = (ux * By - uy * Bx) * det;
    // the same for accelerations: k2' k × u − k3' k × w = B + k2² u − k3² w
    const double rx = Bx + k2 * k2 * ux - k3 * k3 * wx, ry = By + k2 * k2 * uy - k3 * k3 * wy;
    const double p2 = -(wx * rx + wy * ry) * det, p3 = -(ux * rx + uy * ry) * det;

    // Velocity of the coupler's centre per unit of θ̇, and its derivative.
    const double vx = -By - 0.5 * k2 * uy, vy = Bx + 0.5 * k2 * ux;
    const double ax = -Bx - 0.5 * (k2 * k2 * ux + p2 * uy), ay = -By - 0.5 * (k2 * k2 * uy - p2 * ux);
    const double J1 = I1 + 0.25 * m1 * a * a, J3 = I3 + 0.25 * m3 * c * c;
    const double J = J1 + I2 * k2 * k2 + m2 * (vx * vx + vy * vy) + J3 * k3 * k3;
    const double half_dJ = I2 * k2 * p2 + m2 * (vx * ax + vy * ay) + J3 * k3 * p3;
    const double dV = g * (0.5 * m1 * Bx + m2 * vy + 0.5 * m3 * k3 * wx);
    return -(half_dJ * rate * rate + dV) / J;
  }
};
}  // namespace mubody::closed_form
