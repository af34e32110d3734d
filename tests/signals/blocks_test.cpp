// Blocks against their exact responses.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/signals/study.h"

namespace mubody::testing {
namespace {
constexpr double pi = std::numbers::pi;

TEST(lag, answers_a_step_exponentially) {
  auto m = SignalMotion::of_signals("y = {type = \"lag\", input = 2, time = 0.3, gain = 4, initial = 1}");
  for (const double t : {0.1, 0.5, 2.0}) EXPECT_NEAR(m.to(t)("y"), 8 - 7 * std::exp(-t / 0.3), 1e-8) << t;
}

TEST(second_order_lag, answers_a_step_as_an_oscillator_does) {
  auto m = SignalMotion::of_signals("y = {type = \"second_order_lag\", input = 1, omega = 5, damping = 0.2}");
  const double w = 5, z = 0.2, d = w * std::sqrt(1 - z * z);
  for (const double t : {0.2, 1.0, 3.0}) {
    const double exact = 1 - std::exp(-z * w * t) * (std::cos(d * t) + z * w / d * std::sin(d * t));
    EXPECT_NEAR(m.to(t)("y"), exact, 1e-8) << t;
  }
}

// (s + 4)/((s + 1)(s + 2)(s + 5)) by partial fractions; the second one lets a step through at once.
TEST(transfer_function, answers_a_step_by_its_partial_fractions) {
  auto m = SignalMotion::of_signals(
      "y = {type = \"transfer_function\", input = 1, numerator = [1, 4], denominator = [1, 8, 17, 10]}\n"
      "z = {type = \"transfer_function\", input = 1, numerator = [4, 2], denominator = [2, 2]}\n");
  EXPECT_EQ(m("y"), 0);
  EXPECT_EQ(m("z"), 2);
  for (const double t : {0.3, 1.0, 4.0}) {
    const double y = 0.4 - 0.75 * std::exp(-t) + std::exp(-2 * t) / 3 + std::exp(-5 * t) / 60;
    EXPECT_NEAR(m.to(t)("y"), y, 1e-9) << t;
    EXPECT_NEAR(m("z"), 1 + std::exp(-t), 1e-9) << t;
  }
}

TEST(state_space, oscillates_about_its_new_rest) {
  auto m = SignalMotion::of_signals(
      "y = {type = \"state_space\", input = 1, a = [[0, 1], [-4, 0]], b = [0, 1], c = [1, 0], d = 0.5, initial "
      "= [1, 0]}");
  for (const double t : {0.5, 2.0, 5.0})
    EXPECT_NEAR(m.to(t)("y"), 0.5 + std::cos(2 * t) + (1 - std::cos(2 * t)) / 4, 1e-8) << t;
}

// sin t up to its limit at pi/6; it leaves the limit at pi/2, where the input turns negative.
TEST(integrator, stops_at_its_limit_and_leaves_it_when_the_input_turns) {
  auto m = SignalMotion::of_signals("x = {type = \"integrator\", input = \"= cos(t)\", high = 0.5}");
  EXPECT_NEAR(m.to(0.4)("x"), std::sin(0.4), 1e-9);
  EXPECT_NEAR(m.to(1.2)("x"), 0.5, 1e-9);
  EXPECT_NEAR(m.to(3)("x"), 0.5 + std::sin(3.0) - 1, 1e-9);
}

// The relay is on from pi/6 to 7 pi/6, so that its integral over a turn is pi.
TEST(hysteresis, switches_at_its_thresholds) {
  auto m = SignalMotion::of_signals(
      "relay = {type = \"hysteresis\", input = \"= sin(t)\", on = 0.5, off = -0.5}\n"
      "time_on = {type = \"integrator\", input = \"= relay\"}\n");
  EXPECT_EQ(m.to(0.5)("relay"), 0);
  EXPECT_EQ(m.to(2)("relay"), 1);
  EXPECT_EQ(m.to(3.5)("relay"), 1);
  EXPECT_EQ(m.to(2 * pi)("relay"), 0);
  EXPECT_NEAR(m("time_on"), pi, 1e-9);
}

// It rises at its greatest rate until the rest, 1 - y, is rise times the time constant; from there it is a lag.
TEST(rate_limiter, rises_no_faster_than_it_may) {
  auto m =
      SignalMotion::of_signals("y = {type = \"rate_limiter\", input = 1, rise = 2, time = 0.01, initial = 0}");
  EXPECT_NEAR(m.to(0.3)("y"), 0.6, 1e-9);
  EXPECT_NEAR(m.to(0.5)("y"), 1 - 0.02 * std::exp(-(0.5 - 0.49) / 0.01), 1e-8);
}

TEST(delay, shows_its_input_later) {
  auto m = SignalMotion::of_signals(
      "late = {type = \"delay\", input = \"= sin(3*t)\", time = 0.25, initial = 7}\n"
      "one = {type = \"delay\", input = 1, time = 0.25}\n"
      "since = {type = \"integrator\", input = \"= one\"}\n");
  EXPECT_EQ(m.to(0.2)("late"), 7);
  for (const double t : {0.4, 1.0, 2.0}) EXPECT_NEAR(m.to(t)("late"), std::sin(3 * (t - 0.25)), 1e-5) << t;
  EXPECT_NEAR(m("since"), 1.75, 1e-12);
}

TEST(table, is_straight_between_points_and_constant_beyond) {
  auto m = SignalMotion::of_signals(
      "y = {type = \"table\", input = \"= t\", data = [[1, 10], [2, 20], [4, 0]]}\n"
      "z = {type = \"table_2d\", input = \"= t\", across = 1, rows = [0, 1, 3], columns = [0, 2], "
      "values = [[0, 2], [4, 6], [8, 14]]}\n");
  EXPECT_EQ(m("y"), 10);
  EXPECT_NEAR(m.to(0.5)("z"), 3, 1e-12);
  EXPECT_NEAR(m.to(1.5)("y"), 15, 1e-12);
  EXPECT_NEAR(m.to(2)("z"), 8, 1e-12);
  EXPECT_NEAR(m.to(3)("y"), 10, 1e-12);
  EXPECT_NEAR(m.to(5)("y"), 0, 1e-12);
  EXPECT_NEAR(m("z"), 11, 1e-12);
}

// A plant x' = u under a controller with limits, by the classical Runge-Kutta method with small steps.
struct Plant {
  double x, integral;
};
Plant controlled_plant(double until, double kp, double ki, double most, double tracking) {
  const auto rates = [&](const Plant& p) {
    const double e = 1 - p.x, w = kp * e + p.integral, u = std::clamp(w, -most, most);
    return Plant{u, ki * e + tracking * (u - w)};
  };
  const int steps = 200'000;
  const double h = until / steps;
  Plant p{0, 0};
  const auto moved = [](const Plant& a, double by, const Plant& r) {
    return Plant{a.x + by * r.x, a.integral + by * r.integral};
  };
  for (int k = 0; k < steps; ++k) {
    const Plant a = rates(p), b = rates(moved(p, h / 2, a)), c = rates(moved(p, h / 2, b)),
                d = rates(moved(p, h, c));
    p.x += h / 6 * (a.x + 2 * b.x + 2 * c.x + d.x);
    p.integral += h / 6 * (a.integral + 2 * b.integral + 2 * c.integral + d.integral);
  }
  return p;
}

TEST(pid, gives_way_at_its_limit_and_overshoots_less_for_it) {
  const auto model = [](const std::string& tracking) {
    return SignalMotion::of_signals(
        "x = {type = \"integrator\", input = \"= u\"}\n"
        "u = {type = \"pid\", input = \"= 1 - x\", kp = 2, ki = 1, low = -0.1, high = 0.1" +
        tracking + "}\n");
  };
  auto usual = model(""), winds_up = model(", tracking = 0");
  for (const double t : {5.0, 12.0, 20.0}) {
    EXPECT_NEAR(usual.to(t)("x"), controlled_plant(t, 2, 1, 0.1, 0.5).x, 1e-7) << t;
    EXPECT_NEAR(winds_up.to(t)("x"), controlled_plant(t, 2, 1, 0.1, 0).x, 1e-7) << t;
  }
  EXPECT_GT(winds_up("x"), usual("x") + 0.3);
}

// With kd alone and an input that grows evenly, the filtered derivative is a lag towards the slope.
TEST(pid, filters_its_derivative_from_the_start_on) {
  auto m = SignalMotion::of_signals(
      "u = {type = \"pid\", input = \"= 5 + 3*t\", kd = 2, filter = 0.1}\n"
      "v = {type = \"pid\", input = \"= 5 + 3*t\", kd = 2, rate = \"= 3 + 0*t\"}\n");
  EXPECT_NEAR(m("u"), 0, 1e-12);
  EXPECT_NEAR(m.to(0.2)("u"), 6 * (1 - std::exp(-2.0)), 1e-8);
  EXPECT_NEAR(m("v"), 6, 1e-12);
}
}  // namespace
}  // namespace mubody::testing
