// The promises of the program in figures: accuracy of known motions, and honest reports where a method fails.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "tests/examples/example.h"

namespace mubody::testing {
namespace {
struct At {
  double t, value;
};

// The four-bar of Marques, Souto and Flores (2017), Table 1 with the coupler at 0.4232 rad: the crank's angle from
// the equation of motion of its one freedom, to more than twelve digits.
constexpr std::array crank_of_four_bar{At{1, 0.05723334669417119}, At{2, -1.485158890344739},
                                       At{5, 0.08503375633267901}, At{10, -0.48089787952216956}};

TEST(four_bar, with_runge_kutta) {
  const Results r = run_example("four_bar", {"analysis.integrator='rk4'", "analysis.step=1e-3"});
  EXPECT_EQ(r.treatment, "projection");
  EXPECT_TRUE(r.trusted) << r.verdict;
  for (const At& at : crank_of_four_bar)
    EXPECT_NEAR(value_at(r, "crank.angle", at.t), at.value, 1e-8) << at.t << " s";
  EXPECT_LT(r.statistics.largest_violation, 1e-12);
  EXPECT_LT(r.statistics.largest_rate, 1e-11);
  EXPECT_LT(r.statistics.energy_residual, 1e-6);
}

TEST(four_bar, with_step_control) {
  const Results r = run_example("four_bar", {"analysis.integrator='dormand-prince'", "analysis.rtol=1e-10"});
  EXPECT_TRUE(r.trusted) << r.verdict;
  for (const At& at : crank_of_four_bar)
    EXPECT_NEAR(value_at(r, "crank.angle", at.t), at.value, 1e-9) << at.t << " s";
}

// Equal rods go through eleven singular positions in 10 s.  The crank's angle at the end is that of the equation
// of motion of its one freedom, which has no singular position, to more than ten digits.
constexpr double end_angle = 35.56632537254203;

double error_at_the_end(const Results& r) { return std::abs(value_at(r, "crank.angle", 10) - end_angle); }

// The equal-rod slider-crank with that treatment and a fixed step.
Results fixed_step(const std::string& treatment, double step) {
  return run_example(
      "slider_crank_singular",
      {"analysis.integrator='rk4'", fmt::format("analysis.step={}", step), "analysis.treatment=" + treatment});
}

class EqualRods : public ::testing::TestWithParam<double> {};

TEST(equal_rods_adaptive, pass_singular_positions_by_default) {
  const Results r = run_example("slider_crank_singular");
  EXPECT_EQ(r.integrator, "auto");
  EXPECT_EQ(r.treatment, "projection");
  EXPECT_TRUE(r.trusted) << r.verdict;
  EXPECT_LT(error_at_the_end(r), 1e-6);
}

TEST_P(EqualRods, pass_singular_positions_with_runge_kutta) {
  const Results r = fixed_step("'projection'", GetParam());
  EXPECT_TRUE(r.trusted) << r.verdict;
  EXPECT_LT(error_at_the_end(r), 1e-6);
}

TEST_P(EqualRods, say_that_standard_multipliers_fail) {
  const Results r = fixed_step("'standard'", GetParam());
  EXPECT_FALSE(r.trusted);
  EXPECT_TRUE(r.verdict.starts_with("do not trust this: ")) << r.verdict;
}

TEST_P(EqualRods, never_trust_a_wrong_motion_with_baumgarte) {
  const Results r = fixed_step("{type='baumgarte', alpha=5, beta=5}", GetParam());
  if (r.trusted) {
    EXPECT_LT(error_at_the_end(r), 1e-4);
  } else {
    EXPECT_TRUE(r.verdict.starts_with("do not trust this: ")) << r.verdict;
  }
}

std::vector<double> ten_steps() {
  std::vector<double> steps;
  for (int k = 0; k < 10; ++k) steps.push_back(0.83e-3 + k * (1.41e-3 - 0.83e-3) / 9);
  return steps;
}
INSTANTIATE_TEST_SUITE_P(step, EqualRods, ::testing::ValuesIn(ten_steps()),
                         [](const auto& test) { return fmt::format("{:.0f}ns", 1e9 * test.param); });

TEST(equal_rods_adaptive, say_that_standard_multipliers_fail) {
  for (const char* rtol : {"1e-6", "1e-8", "1e-10"}) {
    const Results r = run_example("slider_crank_singular",
                                  {"analysis.treatment='standard'", std::string("analysis.rtol=") + rtol});
    EXPECT_FALSE(r.trusted) << rtol;
    EXPECT_TRUE(r.verdict.starts_with("do not trust this: ")) << rtol << ": " << r.verdict;
  }
}

// Hairer and Wanner's seven angles, and their six multipliers, which are the forces on K3, K4 and K6 at E; computed
// in those angles to more than sixteen digits.  The Test Set for IVP Solvers publishes the same to 3e-10.
TEST(andrews, seven_angles_and_reactions) {
  const Results r = run_example("andrews");
  EXPECT_TRUE(r.trusted) << r.verdict;
  const auto angle = [&](const char* body) { return value_at(r, std::string(body) + ".angle", 0.03); };
  struct Angle {
    const char* name;
    double computed, reference;
  };
  const Angle angles[] = {
      {"beta", angle("K1"), 15.810771195153707},  {"Theta", angle("K2") - angle("K1"), -15.756371058411839},
      {"gamma", angle("K3"), 0.0408222401196458}, {"Phi", angle("K4") - angle("K5"), -0.5347301163420796},
      {"delta", angle("K5"), 0.524409965879954},  {"Omega", angle("K6") - angle("K7"), 0.5347301163420796},
      {"epsilon", angle("K7"), 1.048080741041938}};
  for (const Angle& a : angles) EXPECT_NEAR(a.computed, a.reference, 1e-8 * std::abs(a.reference)) << a.name;

  const std::pair<const char*, double> forces[] = {{"E23.on_K3.fx", 98.56687039624109},
                                                   {"E23.on_K3.fy", -6.122688344255662},
                                                   {"E24.on_K4.fx", 0},
                                                   {"E24.on_K4.fy", 0},
                                                   {"E26.on_K6.fx", 0},
                                                   {"E26.on_K6.fy", 0}};
  for (const auto& [channel, force] : forces) EXPECT_NEAR(value_at(r, channel, 0), force, 1e-9) << channel;
}

// Benchmark A01: 845 swings.  The closed form has elliptic functions.
TEST(pendulum, after_two_thousand_seconds) {
  const Results r = run_example("pendulum", {"analysis.end=2000", "analysis.rtol=1e-11", "output.step=100"});
  EXPECT_TRUE(static_cast<bool>(r.outcome)) << r.outcome.why;
  EXPECT_TRUE(r.trusted) << r.verdict;
  EXPECT_NEAR(value_at(r, "bob.x", 2000), 0.814603068589032, 1e-4);
  EXPECT_NEAR(value_at(r, "bob.y", 2000), -0.580018827836935, 1e-4);
}

// Closed form of the driven slider-crank at one angle of the crank; the numbers are those of its model file.
struct SliderCrank {
  static constexpr double r = 0.1, l = 0.3, w = 10;
  static constexpr double m1 = 0.8, m2 = 0.6, I2 = 5e-3, m3 = 1.5, load = -50;
  double psi, dpsi, ddpsi;  // rod
  double x, dx, ddx;        // slider
  double torque;

  explicit SliderCrank(double theta) {
    const double s = std::sin(theta), c = std::cos(theta);
    psi = -std::asin(r * s / l);
    const double S = std::sin(psi), C = std::cos(psi);
    dpsi = -r * c * w / (l * C);
    ddpsi = (r * s * w * w + l * S * dpsi * dpsi) / (l * C);
    const double along = -S * ddpsi - C * dpsi * dpsi, across = C * ddpsi - S * dpsi * dpsi;
    x = r * c + l * C;
    dx = -r * s * w - l * S * dpsi;
    ddx = -r * c * w * w + l * along;
    // The rod's centre of mass, and the power that changes the energy of crank, rod and slider.
    const double vx = -r * s * w - l / 2 * S * dpsi, vy = r * c * w + l / 2 * C * dpsi;
    const double ax = -r * c * w * w + l / 2 * along, ay = -r * s * w * w + l / 2 * across;
    const double power = m2 * (vx * ax + vy * ay) + I2 * dpsi * ddpsi + m3 * dx * ddx +
                         g * (m1 * r / 2 * c * w + m2 * vy) - load * dx;
    torque = power / w;
  }
};

TEST(driven_slider_crank, agrees_with_the_closed_form) {
  const Results r = run_example("slider_crank_driven");
  EXPECT_TRUE(r.trusted) << r.verdict;
  ASSERT_EQ(r.times().size(), 64U);
  for (const double t : r.times()) {
    const SliderCrank exact(SliderCrank::w * t);
    const std::pair<const char*, double> channels[] = {{"slider.x", exact.x},
                                                       {"slider.vx", exact.dx},
                                                       {"slider.ax", exact.ddx},
                                                       {"rod.angle", exact.psi},
                                                       {"rod.omega", exact.dpsi},
                                                       {"rod.alpha", exact.ddpsi},
                                                       {"motor.on_crank.m", exact.torque}};
    for (const auto& [channel, value] : channels)
      EXPECT_NEAR(value_at(r, channel, t), value, 1e-12 * std::max(1.0, std::abs(value)))
          << channel << " at " << t;
  }
}
}  // namespace
}  // namespace mubody::testing
