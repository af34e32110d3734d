#pragma once
// An integrator that shares nothing with the library: independent solutions of small equations of motion.
//
// Gragg's extrapolation of the modified midpoint rule, of order 16, in extended precision and steps of one size.
// Hairer, Nørsett & Wanner (1993), sec. II.9.
#include <array>
#include <cmath>
#include <functional>
#include <numbers>

namespace mubody::testing {
using Real = long double;
constexpr Real g_real = 9.81L, pi_real = std::numbers::pi_v<Real>;

template <std::size_t N> using Vector = std::array<Real, N>;
template <std::size_t N> using Equation = std::function<Vector<N>(const Vector<N>&)>;

template <std::size_t N> Vector<N> sum(const Vector<N>& x, Real h, const Vector<N>& k) {
  Vector<N> y;
  for (std::size_t i = 0; i < N; ++i) y[i] = x[i] + h * k[i];
  return y;
}

template <std::size_t N> Vector<N> midpoint(const Equation<N>& f, const Vector<N>& x, Real H, int parts) {
  const Real h = H / parts;
  Vector<N> before = x, now = sum(x, h, f(x));
  for (int k = 1; k < parts; ++k) {
    const Vector<N> next = sum(before, 2 * h, f(now));
    before = now;
    now = next;
  }
  const Vector<N> end = sum(before, h, f(now));
  Vector<N> y;
  for (std::size_t i = 0; i < N; ++i) y[i] = (now[i] + end[i]) / 2;
  return y;
}

/// The state at `end`, from x at zero.
template <std::size_t N> Vector<N> solve_exactly(const Equation<N>& f, Vector<N> x, Real end, int steps) {
  constexpr int columns = 8;
  for (int step = 0; step < steps; ++step) {
    std::array<Vector<N>, columns> T;
    for (int j = 0; j < columns; ++j) {
      T[std::size_t(j)] = midpoint(f, x, end / steps, 2 * (j + 1));
      for (int k = j; k-- > 0;) {
        const Real ratio = Real(j + 1) / Real(k + 1);
        const auto at = std::size_t(k);
        T[at] = sum(T[at + 1], 1 / (ratio * ratio - 1), sum(T[at + 1], -1, T[at]));
      }
    }
    x = T[0];
  }
  return x;
}
}  // namespace mubody::testing
