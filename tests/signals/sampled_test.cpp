// Sampled signals: exact at their instants, held between them.
#include <algorithm>
#include <cmath>

#include "mubody/simulation/model.h"
#include "tests/signals/study.h"

namespace mubody::testing {
namespace {
TEST(sampled_signal, has_the_value_of_its_last_instant) {
  auto m = SignalMotion::of_signals("s = {value = \"= sin(t)\", sample = 0.1}");
  EXPECT_EQ(m("s"), 0);
  EXPECT_EQ(m.to(0.1)("s"), std::sin(0.1));
  EXPECT_EQ(m.to(0.17)("s"), std::sin(0.1));
  for (int k = 2; k < 30; ++k) EXPECT_EQ(m.to(k * 0.1)("s"), std::sin(k * 0.1)) << k;
}

// A lag whose input is held between instants has an exact recurrence, and so has its continuous neighbour.
TEST(sampled_signal, is_exact_for_linear_blocks) {
  auto m = SignalMotion::of_signals(
      "u = {value = \"= cos(2*t)\", sample = 0.1}\n"
      "y = {type = \"lag\", input = \"= cos(2*t)\", time = 0.3, sample = 0.1}\n"
      "z = {type = \"lag\", input = \"= u\", time = 0.3}\n"
      "w = {type = \"second_order_lag\", input = \"= u\", omega = 4, damping = 0.3}\n"
      "v = {type = \"second_order_lag\", input = \"= u\", omega = 4, damping = 0.3, sample = 0.1}\n");
  const double a = std::exp(-0.1 / 0.3);
  double y = 0;
  for (int k = 1; k <= 40; ++k) {
    y = a * y + (1 - a) * std::cos(2 * (k - 1) * 0.1);
    EXPECT_NEAR(m.to(k * 0.1)("y"), y, 1e-13) << k;
    EXPECT_NEAR(m("z"), y, 1e-9) << k;
    EXPECT_NEAR(m("v"), m("w"), 1e-8) << k;
  }
}

TEST(sampled_signal, sees_what_others_find_at_the_same_instant) {
  auto m = SignalMotion::of_signals(
      "b = {value = \"= 2*a + 1\", sample = 0.25}\n"
      "a = {value = \"= t\", sample = 0.25}\n"
      "late = {type = \"delay\", input = \"= a\", time = 0.5, initial = -1, sample = 0.25}\n"
      "sum = {type = \"integrator\", input = \"= a\", sample = 0.25}\n"
      "ramp = {type = \"rate_limiter\", input = \"= 10*a\", rise = 2, sample = 0.25}\n"
      "relay = {type = \"hysteresis\", input = \"= a\", on = 0.6, off = 0.1, sample = 0.25}\n");
  EXPECT_EQ(m("late"), -1);
  EXPECT_EQ(m.to(0.5)("b"), 2);
  EXPECT_EQ(m("late"), 0);
  EXPECT_EQ(m.to(1)("late"), 0.5);
  EXPECT_EQ(m("sum"), 0.25 * (0 + 0.25 + 0.5 + 0.75));
  EXPECT_EQ(m("ramp"), 2);
  EXPECT_EQ(m("relay"), 1);
  EXPECT_EQ(m.to(1.1)("b"), 3);
}

TEST(sampled_signal, keeps_to_instants_that_rows_do_not_share) {
  Study study =
      study_of(lone_body +
               "[signals]\ns = {value = \"= t\", sample = 0.3}\n[analysis]\nend = 2\n[output]\nstep = 0.1\n");
  const Results r = study.analysis.type->run(study, {});
  ASSERT_TRUE(r.outcome) << r.outcome.why;
  for (const Table& table : r.tables) {
    if (table.name != "signals") continue;
    const std::vector<double> times = table.column("time"), s = table.column("s");
    for (std::size_t k = 0; k < times.size(); ++k)
      EXPECT_NEAR(s[k], 0.3 * std::floor(times[k] / 0.3 + 1e-9), 1e-12) << times[k];
  }
}

const std::string cart_pole = R"(
gravity = [0, -9.81]
[bodies]
cart = {mass = 1, inertia = 1}
pole = {mass = 0.2, inertia = 0.02, position = [0, 0.5], omega = 0.3}
[joints]
rail = {type = "translational", bodies = ["ground", "cart"], at = [0, 0], axis = [1, 0]}
pin = {type = "revolute", bodies = ["cart", "pole"], at = [0, 0]}
[forces]
motor = {type = "force", body = "cart", force = ["= push", 0]}
)";

// The controller of the model against the same controller in a program.
class CartPole : public ::testing::TestWithParam<const char*> {};

TEST_P(CartPole, is_balanced_alike_by_the_model_and_by_a_program) {
  const double T = 1e-3, kp = 60, ki = 20, kd = 8, filter = 0.004, most = 2;
  SimulationOptions o{.formulation = GetParam(), .rtol = 1e-11};
  Simulation own(
      study_of(cart_pole +
               "[signals]\n"
               "error = \"= 0.02*cart.x + 0.05*cart.vx - pin.angle\"\n"
               "push = {type = \"pid\", input = \"= error\", kp = 60, ki = 20, kd = 8, filter = 0.004, "
               "low = -2, high = 2, sample = 1e-3, unit = \"N\"}\n"),
      o);
  Simulation outside(study_of(cart_pole + "[inputs]\npush = {value = 0, unit = \"N\"}\n"), o);
  const Input push = outside.input("push");
  const Output x = outside.output("cart.x"), v = outside.output("cart.vx"), angle = outside.output("pin.angle");
  const double gives_way = std::sqrt(ki / kd);
  double integral = 0, filtered = 0, since = 0;
  bool limited = false;
  for (int k = 0; k < 3000; ++k) {
    const double e = 0.02 * outside[x] + 0.05 * outside[v] - outside[angle];
    if (k == 0) filtered = e;
    const double rate = since > 0 ? (e - filtered) / (filter + since) : 0;
    const double wanted = kp * e + integral + since * ki * e + kd * rate, u = std::clamp(wanted, -most, most);
    integral += since * ki * e + T * gives_way / (1 + T * gives_way) * (u - wanted);
    filtered += since > 0 ? since / (filter + since) * (e - filtered) : 0;
    since = T;
    limited = limited || u != wanted;
    outside[push] = u;
    ASSERT_TRUE(outside.advance(T));
    ASSERT_TRUE(own.advance(T));
    for (const char* channel : {"cart.x", "cart.vx", "pin.angle", "pole.omega"})
      ASSERT_NEAR(own[own.output(channel)], outside[outside.output(channel)], 1e-9)
          << channel << " at " << own.time();
  }
  EXPECT_TRUE(limited);
  EXPECT_LT(std::abs(own[own.output("pin.angle")]), 0.05);
  EXPECT_GT(std::abs(own[own.output("cart.x")]), 1e-3);
}
INSTANTIATE_TEST_SUITE_P(all, CartPole, ::testing::Values("body", "cartesian", "joint"));

TEST(signals, go_on_with_equal_bits_after_a_restore) {
  const Study study = study_of(cart_pole + R"([signals]
error = "= 0.02*cart.x + 0.05*cart.vx - pin.angle"
push = {type = "pid", input = "= error", kp = 60, ki = 20, kd = 8, filter = 0.004, low = -2, high = 2}
seen = {value = "= error", sample = 0.01}
late = {type = "delay", input = "= error", time = 0.05}
relay = {type = "hysteresis", input = "= cart.vx", on = 0.01, off = -0.01}
)");
  Simulation sim(study);
  const auto values = [](Simulation& s) {
    std::vector<double> all;
    for (int k = 0; k < int(s.outputs().size()); ++k) all.push_back(s[Output(k)]);
    return all;
  };
  ASSERT_TRUE(sim.advance_to(0.333));
  const Snapshot here = sim.save();
  const std::vector<double> now = values(sim);
  ASSERT_TRUE(sim.advance_to(1));
  const std::vector<double> then = values(sim);
  sim.restore(here);
  EXPECT_EQ(values(sim), now);
  ASSERT_TRUE(sim.advance_to(1));
  EXPECT_EQ(values(sim), then);
  sim.restore(here);
  Simulation other = sim.copy();
  ASSERT_TRUE(other.advance_to(1));
  EXPECT_EQ(values(other), then);
}
}  // namespace
}  // namespace mubody::testing
