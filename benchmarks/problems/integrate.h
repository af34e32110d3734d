#pragma once
// θ̈ = f(θ, θ̇) by the classical Runge-Kutta method in steps so small that they leave nothing but round-off.

namespace mubody::bench {
template <class F> double integrate(F&& f, double theta, double rate, double end) {
  constexpr long steps = 400000;
  const double h = end / double(steps);
  for (long k = 0; k < steps; ++k) {
    const double k1 = rate, l1 = f(theta, rate);
    const double k2 = rate + h / 2 * l1, l2 = f(theta + h / 2 * k1, k2);
    const double k3 = rate + h / 2 * l2, l3 = f(theta + h / 2 * k2, k3);
    const double k4 = rate + h * l3, l4 = f(theta + h * k3, k4);
    theta += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    rate += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
  }
  return theta;
}
}  // namespace mubody::bench
