#pragma once
// Equations with known solutions, for the tests of integrators.
#include <cmath>

#include "mubody/integrators/integrator.h"
#include "tests/reference.h"

namespace mubody::testing {
/// An oscillator pushed at its own frequency: y1' = y2, y2' = −y1 + 2 cos t has y1 = t sin t, y2 = sin t + t cos t.
struct Resonance final : Ode {
  void rates(double t, const In& y, Out dy) override { dy << y[1], -y[0] + 2 * std::cos(t); }
  bool after_step(double, Out) override { return false; }
  static VecX exact(double t) { return Vec<2>(t * std::sin(t), std::sin(t) + t * std::cos(t)); }
};

/// y' = −y + Y + Y' with Y = exp(−(t − 6)²), which is 0 in all digits at t = 0, so that the way in which a
/// method begins leaves no error behind.
struct Hill final : Ode {
  void rates(double t, const In& y, Out dy) override { dy[0] = -y[0] + exact(t)[0] * (1 - 2 * (t - 6)); }
  bool after_step(double, Out) override { return false; }
  static VecX exact(double t) { return VecX::Constant(1, std::exp(-(t - 6) * (t - 6))); }
};

/// The pendulum x² + y² = 1 as a particle with a tension, whose state (x, y, u, v) is put back on the circle after
/// every step, as projection does with mechanisms.
struct Pendulum final : Ode {
  void rates(double, const In& y, Out dy) override {
    const double tension = (y[2] * y[2] + y[3] * y[3] - g * y[1]) / (y[0] * y[0] + y[1] * y[1]);
    dy << y[2], y[3], -tension * y[0], -tension * y[1] - g;
  }
  bool after_step(double, Out y) override {
    y.head(2) /= y.head(2).norm();
    y.tail(2) -= y.head(2).dot(y.tail(2)) * y.head(2);
    return true;
  }
  static VecX start() { return Eigen::Vector4d(1, 0, 0, 0); }
  static double energy(const In& y) { return 0.5 * (y[2] * y[2] + y[3] * y[3]) + g * y[1]; }
};

/// Steps of size h, accepted whatever their error.
inline StepControl steps_of(double h) {
  StepControl c;
  c.step = c.max_step = h;
  c.rtol = 0.99;
  c.atol = 1e3;
  return c;
}
}  // namespace mubody::testing
