// The brush tyre against its closed forms.
#include "tests/forces/wheel.h"

namespace mubody::testing {
namespace {
// The integral over the patch, bristle by bristle, in place of the closed form: each bends by the slip times the way since it
// entered, and slides where that would take more than friction has under a parabola of pressure.
struct Patch {
  double force = 0, moment = 0;  // along the slip; arm times force
};
Patch patch(double c, double a, double mu_N, double slip) {
  // It slides behind the point where c σ (a − x) = 3 μ N (a² − x²)/(4 a³), which is where a + x = 4 a³ c σ/(3 μ N).
  const double border = std::min(a, std::max(-a, 4 * a * a * a * c * slip / (3 * mu_N) - a));
  const auto sticks = [&](double x) { return c * slip * (a - x); };
  const auto slides = [&](double x) { return 3 * mu_N * (a * a - x * x) / (4 * a * a * a); };
  // Simpson's rule is exact for these, also times x.
  const auto integral = [](double from, double to, const auto& f) {
    return (to - from) / 6 * (f(from) + 4 * f((from + to) / 2) + f(to));
  };
  Patch all;
  all.force = integral(border, a, sticks) + integral(-a, border, slides);
  all.moment = integral(border, a, [&](double x) { return x * sticks(x); }) +
               integral(-a, border, [&](double x) { return x * slides(x); });
  return all;
}

TEST(tyre_brush, forces_are_the_sum_over_the_bristles) {
  const TyreBrush t = brush();
  for (const double N : {1000.0, 4000.0})
    for (const double along : {-0.3, -0.02, 0.0, 0.015, 0.06})
      for (const double across : {-0.08, -0.01, 0.0, 0.004, 0.5}) {
        if (along == 0 && across == 0) continue;
        Footprint<double> at = footprint(N, 0, 0, 0);
        const double rolling = 12, slip = std::hypot(along, across);
        at.spin = rolling / at.rolling_radius;
        at.slip = {-along * rolling, -across * rolling};
        at.vx = at.slip[0] + rolling;
        const Patch all = patch(9e6, 0.06, 0.9 * N, slip);
        const Vec<2> F = steady(t, at);
        EXPECT_NEAR(F[0], all.force * along / slip, 1e-12 * N);
        EXPECT_NEAR(F[1], all.force * across / slip, 1e-12 * N);
        EXPECT_NEAR(t.moments(at, F[0], F[1]).z, all.moment * across / slip, 1e-12 * N);
      }
}

TEST(tyre_brush, locked_wheel_slides_with_mu) {
  for (const double angle : {0.0, 0.7, 1.5707963267948966, 2.5}) {
    Motion motion(wheel_on_road(brush(), {.vx = 8 * std::cos(angle), .vy = 8 * std::sin(angle)}),
                  {.rtol = 1e-11, .atol = 1e-14});
    motion.to(0.5);
    const double N = 2e5 * 0.02;
    EXPECT_NEAR(motion("tyre.fx"), -0.9 * N * std::cos(angle), 1e-9 * N) << angle;
    EXPECT_NEAR(motion("tyre.fy"), -0.9 * N * std::sin(angle), 1e-9 * N) << angle;
  }
}
}  // namespace
}  // namespace mubody::testing
