// Fiala's tyre against its closed forms.
#include "tests/forces/wheel.h"

namespace mubody::testing {
namespace {
// As Fiala's curves are published: sign(x) f(|x|).
double fiala_x(double C, double mu_N, double kappa) {
  const double S = std::abs(kappa), critical = mu_N / (2 * C);
  return std::copysign(S < critical ? C * S : mu_N - mu_N * mu_N / (4 * C * S), kappa);
}
double fiala_y(double C, double mu_N, double tan_alpha) {
  const double H = 1 - C * std::abs(tan_alpha) / (3 * mu_N);
  return -std::copysign(H > 0 ? mu_N * (1 - H * H * H) : mu_N, tan_alpha);
}
double fiala_moment(double C, double mu_N, double a, double tan_alpha) {
  const double H = 1 - C * std::abs(tan_alpha) / (3 * mu_N);
  return H > 0 ? std::copysign(mu_N * a * (1 - H) * H * H * H, tan_alpha) : 0;
}

TEST(tyre_fiala, pure_slip_is_that_of_the_curves) {
  const TyreFiala t = fiala();
  for (const double N : {1500.0, 4000.0})
    for (const double s : {-1.2, -0.3, -0.05, -0.01, 1e-4, 0.02, 0.04, 0.2, 0.9, 3.0})
      for (const double vx : {20.0, -7.0, 0.2}) {
        const double mu_N = (1 - 0.2 * std::min(1.0, std::abs(s))) * N;
        const Vec<2> along = steady(t, footprint(N, vx, s, 0)), across = steady(t, footprint(N, vx, 0, s));
        EXPECT_NEAR(along[0], fiala_x(9e4, mu_N, s), 1e-12 * N) << s;
        EXPECT_NEAR(across[1], fiala_y(6e4, mu_N, s), 1e-12 * N) << s;
        EXPECT_EQ(along[1], 0);
        EXPECT_EQ(across[0], 0);
        const Footprint<double> at = footprint(N, vx, 0, s);
        EXPECT_NEAR(t.moments(at, 0.0, across[1]).z, std::copysign(1, vx) * fiala_moment(6e4, mu_N, 0.06, s),
                    1e-12 * N);
      }
}

TEST(tyre_fiala, combined_slip_takes_its_share_of_each_curve) {
  const TyreFiala t = fiala();
  for (const double kappa : {-0.9, -0.02, 0.01, 0.3})
    for (const double tan_alpha : {-0.4, -0.01, 0.03, 2.0}) {
      const double N = 3000, S = std::hypot(kappa, tan_alpha), mu_N = (1 - 0.2 * std::min(1.0, S)) * N;
      const Vec<2> F = steady(t, footprint(N, 10, kappa, tan_alpha));
      EXPECT_NEAR(F[0], fiala_x(9e4, mu_N, S) * kappa / S, 1e-12 * N);
      EXPECT_NEAR(F[1], fiala_y(6e4, mu_N, S) * tan_alpha / S, 1e-12 * N);
      EXPECT_LE(F.norm(), mu_N * (1 + 1e-12));
    }
}

// A wheel that goes on long enough has the forces of steady slip; the way is many relaxation lengths.
TEST(tyre_fiala, forces_settle_at_those_of_steady_slip) {
  TyreFiala t = fiala();
  WheelMotion m{.vx = 20, .vy = 0.7};
  m.spin = 1.02 * 20 / (0.31 - 0.02 / 3);
  Motion motion(wheel_on_road(t, m), {.rtol = 1e-10, .atol = 1e-12});
  motion.to(0.5);
  const double N = 2e5 * 0.02, kappa = 0.02, tan_alpha = 0.7 / 20, S = std::hypot(kappa, tan_alpha);
  EXPECT_NEAR(motion("tyre.force"), N, 1e-9 * N);
  EXPECT_NEAR(motion("tyre.slip"), kappa, 1e-12);
  EXPECT_NEAR(motion("tyre.slip_angle"), std::atan(tan_alpha), 1e-12);
  EXPECT_NEAR(motion("tyre.longitudinal"), fiala_x(9e4, (1 - 0.2 * S) * N, S) * kappa / S, 1e-6 * N);
  EXPECT_NEAR(motion("tyre.lateral"), fiala_y(6e4, (1 - 0.2 * S) * N, S) * tan_alpha / S, 1e-6 * N);
}

// At small slip the force grows by 1 − exp(−way/length); the damping of the patch makes the length longer by V τ.
TEST(tyre_fiala, forces_follow_over_the_relaxation_length) {
  TyreFiala t = fiala();
  t.relaxation_y = 0.5, t.still_time = 0;
  Motion motion(wheel_on_road(t, {.vx = 10, .vy = 1e-4, .spin = 10 / (0.31 - 0.02 / 3)}),
                {.rtol = 1e-11, .atol = 1e-15});
  const double full = -6e4 * 1e-5, length = 0.5 + 10 * 1e-3;
  for (const double way : {0.2, 0.5, 1.5}) {
    motion.to(way / 10);
    // F = c z + c τ ż, and z begins at zero.
    const double left = std::exp(-way / length),
                 expected = full * (1 - left) + full * 10 * 1e-3 / length * left;
    EXPECT_NEAR(motion("tyre.lateral"), expected, 2e-4 * std::abs(full)) << way;
  }
}

TEST(tyre_fiala, locked_wheel_slides_with_the_coefficient_of_sliding) {
  const TyreFiala t = fiala();
  for (const double angle : {0.0, 0.4, 1.2, 1.5707963267948966, 3.0}) {
    Motion motion(wheel_on_road(t, {.vx = 8 * std::cos(angle), .vy = 8 * std::sin(angle)}),
                  {.rtol = 1e-10, .atol = 1e-13});
    motion.to(0.5);
    const double N = 2e5 * 0.02;
    // Lengthwise slip alone is 1 at a locked wheel; the curve along the wheel ends at μ N − (μ N)²/(4 C S).
    const double S = 1 / std::max(1e-30, std::abs(std::cos(angle))), left = 0.8 * N / (4 * 9e4 * S);
    EXPECT_NEAR(motion("tyre.fx"), -0.8 * N * (1 - left) * std::cos(angle), 1e-8 * N) << angle;
    EXPECT_NEAR(motion("tyre.fy"), -0.8 * N * std::sin(angle), 1e-8 * N) << angle;
  }
}
}  // namespace
}  // namespace mubody::testing
