// Derivatives while stepping: against closed forms, and against differences of motions.
#include "mubody/code/tangent_simulation.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "mubody/reading/read_model.h"
#include "tests/example.h"

namespace mubody::testing {
namespace {
// A mass on a spring, x = a cos w t + (v0 / w) sin w t with w² = k / m.
const char* const oscillator = R"toml(
[parameters]
k = 50
m = 2
[bodies]
block = {mass = "= m", inertia = 1, position = [0.3, 0], velocity = [0.4, 0]}
[joints]
guide = {type = "translational", bodies = ["ground", "block"], at = [0, 0], axis = [1, 0]}
[forces]
spring = {type = "spring", bodies = ["ground", "block"], i = [-1, 0], j = [0, 0], stiffness = "= k", free_length = 1}
push = {type = "force", body = "block", at = [0, 0], force = [0, 0]}
[analysis]
type = "forward"
end = 3
integrator = "verner"
rtol = 1e-12
)toml";

TEST(tangent_simulation, of_an_oscillator_in_closed_form) {
  TangentSimulation sim(io::read_study_text(oscillator, "test.toml"), {"k", "block.vx", "m"});
  const Output x = sim.output("block.x"), v = sim.output("block.vx");
  const double k = 50, m = 2, w = std::sqrt(k / m), x0 = 0.3, v0 = 0.4;
  for (int n = 1; n <= 30; ++n) {
    ASSERT_TRUE(sim.advance(0.1));
    const double t = sim.time(), c = std::cos(w * t), s = std::sin(w * t);
    EXPECT_EQ(t, n * 0.1);
    EXPECT_NEAR(sim.value(x), x0 * c + v0 / w * s, 1e-10);
    const double by_w = -x0 * t * s - v0 / (w * w) * s + v0 / w * t * c;
    EXPECT_NEAR(sim.slope(x, 0), by_w / (2 * w * m), 1e-10);
    EXPECT_NEAR(sim.slope(x, sim.variable("block.vx")), s / w, 1e-10);
    EXPECT_NEAR(sim.slope(v, sim.variable("block.vx")), c, 1e-10);
    EXPECT_NEAR(sim.slope(x, sim.variable("m")), -by_w * w / (2 * m), 1e-9);
  }
}

// θ̈ = −w² cos θ with w² = m g l / (J + m l²), and its variational equations by θ₀, ω₀ and l, by steps of their own.
using Swing = std::array<double, 8>;
Swing swing_rate(const Swing& y) {
  constexpr double m = 1.5, J = 0.2, l = 1.2, g = 9.81, I = J + m * l * l, w2 = m * g * l / I;
  constexpr double by_l = m * g / I - 2 * m * l * w2 / I;
  const double bend = w2 * std::sin(y[0]);
  return {y[1], -w2 * std::cos(y[0]), y[3], bend * y[2],
          y[5], bend * y[4],          y[7], bend * y[6] - by_l * std::cos(y[0])};
}
TEST(tangent_simulation, of_a_pendulum_as_its_variational_equation) {
  const Study study = io::read_study_text(R"toml(
gravity = [0, -9.81]
[parameters]
l = 1.2
[bodies]
rod = {mass = 1.5, inertia = 0.2, position = ["= l", 0]}
[joints]
pin = {type = "revolute", bodies = ["ground", "rod"], i = [0, 0], j = ["= -l", 0]}
[analysis]
type = "forward"
end = 3
integrator = "verner"
rtol = 1e-12
)toml",
                                          "test.toml");
  TangentSimulation sim(study, {"rod.angle", "rod.omega", "l"});
  const Output angle = sim.output("rod.angle"), omega = sim.output("rod.omega");
  Swing y{0, 0, 1, 0, 0, 1, 0, 0};
  const auto plus = [](Swing x, double h, const Swing& k) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += h * k[i];
    return x;
  };
  for (int second = 1; second <= 3; ++second) {
    for (int n = 0; n < 10000; ++n) {
      constexpr double h = 1e-4;
      const Swing k1 = swing_rate(y), k2 = swing_rate(plus(y, h / 2, k1)), k3 = swing_rate(plus(y, h / 2, k2)),
                  k4 = swing_rate(plus(y, h, k3));
      y = plus(plus(plus(plus(y, h / 6, k1), h / 3, k2), h / 3, k3), h / 6, k4);
    }
    ASSERT_TRUE(sim.advance(1));
    for (int v = 0; v < 3; ++v) {
      EXPECT_NEAR(sim.slope(angle, v), y[std::size_t(2 + 2 * v)], 1e-9) << second << ' ' << v;
      EXPECT_NEAR(sim.slope(omega, v), y[std::size_t(3 + 2 * v)], 1e-9) << second << ' ' << v;
    }
  }
}

// A block on a wheel that turns, on a spring: the numbers of the joint are 1 and -1, and both together have a closed form.
TEST(tangent_simulation, of_bodies_that_are_held_together) {
  const Study study = io::read_study_text(R"toml(
gravity = [0, 0, -9.81]
[parameters]
z = 0.35
[bodies]
block = {mass = 1.5, inertia = [10, 10, 10], position = [0, 0, "= z"]}
wheel = {mass = 0.5, inertia = [0.5, 0.9, 0.5], position = [0, 0, "= z"], omega = [0, 40, 0]}
[joints]
rail = {type = "translational", bodies = ["ground", "block"], at = [0, 0, 0], axis = [0, 0, 1]}
hub = {type = "revolute", bodies = ["block", "wheel"], at = [0, 0, "= z"], axis = [0, 1, 0]}
[forces]
tyre = {type = "tyre", bodies = ["ground", "wheel"], i = [0, 0, 0], j = [0, 0, 0], radius = 0.5, stiffness = 200}
[analysis]
type = "forward"
end = 2
integrator = "verner"
rtol = 1e-12
)toml",
                                          "test.toml");
  TangentSimulation sim(study, {"z", "block.vz"});
  const double w = 10;  // w² = k / m
  for (int n = 1; n <= 20; ++n) {
    ASSERT_TRUE(sim.advance(0.1));
    const double t = sim.time(), c = std::cos(w * t), s = std::sin(w * t);
    for (const std::string body : {"block", "wheel"}) {
      const Output z = sim.output(body + ".z"), a = sim.output(body + ".az");
      EXPECT_NEAR(sim.slope(z, 0), c, 1e-10) << body << t;
      EXPECT_NEAR(sim.slope(z, 1), s / w, 1e-10) << body << t;
      EXPECT_NEAR(sim.slope(a, 0), -w * w * c, 1e-8) << body << t;
      EXPECT_NEAR(sim.slope(a, 1), -w * s, 1e-8) << body << t;
    }
  }
}

// An input is held from when it is set: x goes about F / k, and derivatives by k have that too.
TEST(tangent_simulation, inputs_are_held) {
  TangentOptions o;
  o.inputs = {"push.force.x"};
  TangentSimulation sim(io::read_study_text(oscillator, "test.toml"), {"k", "block.x"}, o);
  const Output x = sim.output("block.x"), v = sim.output("block.vx");
  const Input push = sim.input("push.force.x");
  EXPECT_EQ(sim.value(push), 0);
  ASSERT_TRUE(sim.advance_to(0.5));
  const double k = 50, m = 2, w = std::sqrt(k / m), F = 20, t = 0.7;
  const double x0 = sim.value(x), v0 = sim.value(v);
  const std::array<double, 2> from{sim.slope(x, 0), sim.slope(v, 0)};
  sim.set(push, F);
  EXPECT_EQ(sim.value(push), F);
  ASSERT_TRUE(sim.advance(t));
  const double c = std::cos(w * t), s = std::sin(w * t), a = x0 - F / k;
  EXPECT_NEAR(sim.value(x), F / k + a * c + v0 / w * s, 1e-10);
  const double by_w = -a * t * s - v0 / (w * w) * s + v0 / w * t * c;
  EXPECT_NEAR(sim.slope(x, 0), -F / (k * k) * (1 - c) + from[0] * c + from[1] / w * s + by_w / (2 * w * m),
              1e-10);
  EXPECT_NEAR(sim.slope(x, 1), std::cos(w * 1.2), 1e-10);
}

// An input that is set with a rate is what it has become, also where nothing asks for outputs.
TEST(tangent_simulation, inputs_go_on_with_their_rates) {
  TangentOptions o;
  o.inputs = {"push.force.x"};
  TangentSimulation sim(io::read_study_text(oscillator, "test.toml"), {"block.x"}, o);
  const Input push = sim.input("push.force.x");
  ASSERT_TRUE(sim.advance_to(0.5));
  sim.set(push, Jet{1, 2, 4});
  EXPECT_EQ(sim.value(push), 1);
  ASSERT_TRUE(sim.advance(0.25));
  EXPECT_EQ(sim.value(push), 1 + 2 * 0.25 + 0.5 * 4 * 0.25 * 0.25);
}

// A force of 20 N begins at an instant: v = 10 (t − 1), and steps of the fourth order make no error but round-off.
TEST(tangent_simulation, steps_that_end_at_a_jump_do_not_see_its_other_side) {
  const Study study = io::read_study_text(R"toml(
gravity = [0, 0]
[bodies]
block = {mass = 2, inertia = 1, position = [0, 0], velocity = [0, 0]}
[forces]
push = {type = "force", body = "block", at = [0, 0], force = ["= if(t < 1, 0, 20)", 0]}
[analysis]
type = "forward"
end = 2
integrator = "rk4"
step = 0.01
)toml",
                                          "test.toml");
  // Ways that end at the jump, a little beside it on either side, or nowhere near.
  const std::vector<std::vector<double>> ways{
      {1, 1.5}, {0.995, 1, 1, 1.5}, {std::nextafter(1, 0), 1, std::nextafter(1, 2), 1.5}, {0.5, 1.5}};
  for (const std::vector<double>& way : ways) {
    TangentSimulation sim(study, {"block.vx"});
    Simulation other(study);
    const Output x = sim.output("block.x"), v = sim.output("block.vx");
    for (const double t : way) {
      ASSERT_TRUE(sim.advance_to(t));
      ASSERT_TRUE(other.advance_to(t));
      EXPECT_EQ(sim.time(), t);
      EXPECT_NEAR(sim.value(v), 10 * std::max(0.0, t - 1), 1e-13) << t;
      EXPECT_NEAR(sim.value(v), other.value(other.output("block.vx")), 1e-13) << t;
      EXPECT_NEAR(sim.value(x), 5 * std::pow(std::max(0.0, t - 1), 2), 1e-13) << t;
      EXPECT_NEAR(sim.slope(x, 0), t, 1e-13) << t;
    }
  }
  TangentSimulation sim(study, {"block.vx"});
  const Output v = sim.output("block.vx");
  for (int n = 1; n <= 150; ++n) {
    ASSERT_TRUE(sim.advance(0.01));
    EXPECT_NEAR(sim.value(v), 10 * std::max(0.0, n * 0.01 - 1), 1e-13) << n;
  }
}

// Beyond the end of the study jumps are known too.
TEST(tangent_simulation, jumps_beyond_the_end_are_met) {
  const Study study = io::read_study_text(R"toml(
gravity = [0, 0]
[bodies]
block = {mass = 1, inertia = 1, position = [0, 0]}
[forces]
push = {type = "force", body = "block", at = [0, 0], force = ["= if(t < 3, 0, if(t < 3.5, 4, 0))", 0]}
[analysis]
type = "forward"
end = 0.5
integrator = "rk4"
step = 0.1
)toml",
                                          "test.toml");
  TangentSimulation sim(study, {"block.vx"});
  const Output v = sim.output("block.vx");
  for (int n = 1; n <= 50; ++n) {
    ASSERT_TRUE(sim.advance(0.1));
    EXPECT_NEAR(sim.value(v), 4 * std::clamp(n * 0.1 - 3, 0.0, 0.5), 1e-12) << n;
  }
}

Study tight(Study study) {
  study.analysis.integrator = "verner";
  study.analysis.control = {};
  study.analysis.control.rtol = 1e-13;
  return study;
}
double stepped(const Study& study, double end, const char* channel) {
  Simulation sim(study);
  EXPECT_TRUE(sim.advance_to(end));
  return sim.value(sim.output(channel));
}

// A loop in the plane and one in space: the value as a simulation has it, the derivative as differences of the sixth order.
TEST(tangent_simulation, agrees_with_simulations) {
  struct Case {
    const char *example, *parameter, *channel;
    double end;
  };
  for (const Case& c : {Case{"four_bar", "b", "coupler.x", 0.9}, Case{"four_bar", "a", "A.on_crank.fx", 0.9},
                        Case{"spatial_slider_crank", "speed", "slider.y", 0.5}}) {
    const Study study = tight(example(c.example));
    TangentSimulation sim(study, {c.parameter});
    ASSERT_TRUE(sim.advance_to(0.5 * c.end));
    ASSERT_TRUE(sim.advance_to(c.end));
    const Output y = sim.output(c.channel);
    const double value = study.parameters.at(c.parameter), h = 1e-3 * std::abs(value);
    const auto at = [&](int n) {
      return stepped(tight(study.with(c.parameter, value + n * h)), c.end, c.channel);
    };
    const double slope = (45 * (at(1) - at(-1)) - 9 * (at(2) - at(-2)) + (at(3) - at(-3))) / (60 * h);
    const double size = std::abs(sim.value(y));
    EXPECT_NEAR(sim.value(y), stepped(study, c.end, c.channel), 1e-11 * (1 + size)) << c.channel;
    EXPECT_NEAR(sim.slope(y, 0), slope, 1e-8 * (std::abs(slope) + size / std::abs(value))) << c.channel;
  }
}

TEST(tangent_simulation, refuses_with_the_reason) {
  const Study study = io::read_study_text(oscillator, "test.toml");
  const auto refused = [](const auto& make) -> std::string {
    try {
      make();
    } catch (const ModelError& e) {
      return e.what();
    }
    return {};
  };
  EXPECT_NE(refused([&] { TangentSimulation(study, {}); }).find("no variables"), std::string::npos);
  EXPECT_NE(refused([&] { TangentSimulation(study, {"kk"}); }).find("'kk'"), std::string::npos);
  EXPECT_NE(refused([&] { TangentSimulation(example("bouncing_ball"), {"ball.y"}); }).find("cannot be part"),
            std::string::npos);
  Study in_joints = study;
  in_joints.analysis.formulation.index = 2;
  EXPECT_NE(refused([&] { TangentSimulation(in_joints, {"k"}); }).find("formulation 'joint'"),
            std::string::npos);
  std::string other = oscillator;
  other += "treatment = {type = \"baumgarte\"}\n";
  EXPECT_NE(
      refused([&] { TangentSimulation(io::read_study_text(other, "test.toml"), {"k"}); }).find("'baumgarte'"),
      std::string::npos);
  TangentSimulation sim(study, {"k"});
  EXPECT_NE(refused([&] { sim.advance_to(4); }).find("later 'end'"), std::string::npos);
  EXPECT_NE(refused([&] { sim.advance_to(-1); }).find("forward only"), std::string::npos);
  EXPECT_NE(refused([&] { sim.output("block.xx"); }).find("block.x"), std::string::npos);
  TangentOptions o;
  o.motion.start = 1;
  EXPECT_NE(refused([&] { TangentSimulation(study, {"k"}, o); }).find("'start'"), std::string::npos);
}
}  // namespace
}  // namespace mubody::testing
