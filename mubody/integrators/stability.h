#pragma once
// Linear stability: how an integrator treats a decaying error.
//
//   Hairer & Wanner (1996), secs. IV.2, V.1; Flores & Lankarani (2012), sec. 8    docs/theory/stability.md
//
// With the step h a method turns y' = λ y into a recursion with constant coefficients, whose solutions are ζᵏ.  The ζ
// are the roots of a polynomial that depends on μ = hλ alone:
//
//   π(ζ, μ) = Σ_j p_j(μ) ζ^j = 0
//
// An explicit one-step method has ζ − R(μ), a linear multistep method Σ_j (a_j − μ b_j) ζ^j; predicting and correcting
// brings in μ².
#include <array>
#include <complex>
#include <limits>
#include <vector>

namespace mubody {
using Complex = std::complex<double>;

/// The characteristic polynomial of a method, p[j][k] being the coefficient of ζ^j μ^k.
struct StabilityPolynomial {
  std::vector<std::vector<double>> p;

  /// The polynomial of a one-step method y⁺ = R(μ) y with R(μ) = Σ r[k] μ^k.
  static StabilityPolynomial one_step(std::vector<double> r);
  /// All ζ with π(ζ, μ) = 0.
  std::vector<Complex> roots(Complex mu) const;
};

/// The test equation ë + 2α ė + β² e = 0, an error that Baumgarte's method damps.
struct TestEquation {
  double alpha = 0, beta = 0;  // [1/s]

  /// s with s² + 2αs + β² = 0.
  std::array<Complex, 2> roots() const;
  /// e(t) with e(0) = 0 and ė(0) = 1 [s].  Flores & Lankarani (2012), eqs. 187, 194 and 200.
  double response(double t) const;
};

/// A solution of the test equation, exp(st), and its factor in one step.
struct DiscreteRoot {
  Complex s;  // [1/s]
  Complex z;
};

enum class Decay { stable, marginal, unstable };

/// The behaviour of the test equation under a method and a step.
struct Stability {
  double step = 0;                  // [s]
  std::vector<DiscreteRoot> roots;  // the largest |z| first

  double largest() const;   // |z|
  double angle() const;     // angle of the largest root, from 0 to π [rad]
  bool oscillates() const;  // the largest root is not a positive number
  bool repeated() const;    // the largest root is a double one
  double time_constant()
      const;  // time in which errors decay to 1/e [s]; infinite if they do not, negative if they grow
  Decay decay() const;
};

/// |z| within this distance of 1 counts as on the unit circle, because of rounding.
inline constexpr double on_the_circle = 1e-14;

Stability stability(const StabilityPolynomial&, const TestEquation&, double step);

/// The step up to which no error of the test equation grows [s]: 0 if there is none, infinite if all steps serve.
double largest_step(const StabilityPolynomial&, const TestEquation&);

/// A rectangle in the (αh, β²h²) plane from the origin.
struct Extent {
  double alpha_h = 0, beta2_h2 = 0;
};

/// A rectangle that contains the region of stability, or the part near the origin of an unbounded region.
Extent stability_extent(const StabilityPolynomial&);
}  // namespace mubody
