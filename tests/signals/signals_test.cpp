// Formulas with names: what they read, in which order, and who reads them.
#include <cmath>

#include "mubody/analyses/run.h"
#include "mubody/system/build.h"
#include "tests/signals/study.h"

namespace mubody::testing {
namespace {
const std::string pendulum = R"(
gravity = [0, -9.81]
[bodies]
rod = {mass = 1, inertia = 0.1, position = [0.5, 0]}
[joints]
pin = {type = "revolute", bodies = ["ground", "rod"], at = [0, 0]}
)";
const std::string in_space = R"(
gravity = [0, 0, -9.81]
[bodies]
rod = {mass = 1, inertia = [0.1, 0.2, 0.3], position = [0.5, 0, 0], omega = [0, 40, 0]}
[joints]
pin = {type = "revolute", bodies = ["ground", "rod"], at = [0, 0, 0], axis = [0, 1, 0]}
)";

TEST(joint_coordinate, is_what_the_channel_of_the_joint_shows) {
  const std::string law = "motor = {type = \"moment\", body = \"rod\", moment = \"= -3*";
  SignalMotion by_joint(pendulum + "[forces]\n" + law + "pin.angle - 0.5*pin.angle_rate\"}\n"),
      by_body(pendulum + "[forces]\n" + law + "rod.angle - 0.5*rod.omega\"}\n");
  for (const double t : {0.5, 1.0, 3.0}) {
    by_joint.to(t), by_body.to(t);
    EXPECT_NEAR(by_joint("rod.angle"), by_body("rod.angle"), 1e-10) << t;
    EXPECT_NEAR(by_joint("motor.moment"), -3 * by_joint("pin.angle") - 0.5 * by_joint("pin.angle_rate"), 1e-12);
  }
}

// In space an angle is no coordinate, and its turns are counted.
TEST(joint_coordinate, counts_turns_in_every_formulation) {
  for (const char* formulation : {"body", "cartesian", "joint"}) {
    SignalMotion m(in_space + "[signals]\na = \"= pin.angle\"\nw = \"= pin.angle_rate\"\n",
                   {.formulation = formulation, .rtol = 1e-9});
    m.to(1);
    EXPECT_GT(std::abs(m("a")), 30) << formulation;
    EXPECT_EQ(m("a"), m("pin.angle")) << formulation;
    EXPECT_EQ(m("w"), m("pin.angle_rate")) << formulation;
  }
}

TEST(signals, read_each_other_in_any_order) {
  SignalMotion m(pendulum + R"([forces]
spring = {type = "spring", bodies = ["ground", "rod"], i = [1, 1], j = [0.5, 0], stiffness = 30, free_length = 0.5}
[points]
tip = {body = "rod", at = [0.5, 0]}
[signals]
third = "= 2*second + tip.y"
second = "= first*first"
first = "= spring.force + pin.angle"
)");
  m.to(0.7);
  const double first = m("spring.force") + m("pin.angle");
  EXPECT_NEAR(m("first"), first, 1e-12 * std::abs(first));
  EXPECT_NEAR(m("third"), 2 * first * first + m("tip.y"), 1e-9 * std::abs(m("third")));
}

TEST(signals, may_go_round_through_a_state) {
  auto m = SignalMotion::of_signals(
      "x = {type = \"integrator\", input = \"= v\", initial = 1}\n"
      "v = {type = \"integrator\", input = \"= a\"}\n"
      "a = \"= -4*x\"\n");
  EXPECT_NEAR(m.to(3)("x"), std::cos(6.0), 1e-8);
}

TEST(signals, are_followed_by_forces_and_by_drivers) {
  SignalMotion m(R"toml(
[bodies]
a = {mass = 2, inertia = 1}
b = {mass = 1, inertia = 1, position = [0, 1]}
[joints]
rail = {type = "translational", bodies = ["ground", "a"], at = [0, 0], axis = [1, 0]}
other = {type = "translational", bodies = ["ground", "b"], at = [0, 1], axis = [1, 0]}
[drivers]
way = {type = "coordinate", body = "b", coordinate = "x", value = "= 2*wave"}
[forces]
push = {type = "force", body = "a", force = ["= strength", 0]}
[signals]
wave = "= sin(3*t)"
strength = {type = "lag", input = "= wave", time = 0.1, gain = 4}
)toml");
  m.to(1);
  EXPECT_NEAR(m("b.x"), 2 * std::sin(3.0), 1e-12);
  EXPECT_NEAR(m("b.vx"), 6 * std::cos(3.0), 1e-9);
  EXPECT_NEAR(2 * m("a.ax"), m("strength"), 1e-9);
}

TEST(signals, take_inputs_and_show_outputs) {
  SignalMotion m(pendulum + R"([forces]
motor = {type = "moment", body = "rod", moment = "= drive"}
[inputs]
torque = {value = 4, unit = "N m"}
[signals]
drive = {value = "= 0.5*torque", unit = "N m"}
[outputs]
load = "pin.on_rod.fy"
turned = "= pin.angle - 1"
)");
  EXPECT_EQ(m("motor.moment"), 2);
  EXPECT_EQ(m("load"), m("pin.on_rod.fy"));
  EXPECT_EQ(m("turned"), m("pin.angle") - 1);
  Simulation& sim = m.simulation();
  const Input torque = sim.input("torque");
  EXPECT_EQ(sim[torque], 4);
  sim[torque] = 10;
  EXPECT_EQ(m("drive"), 5);
  m.to(0.1);
  EXPECT_EQ(m("motor.moment"), 5);
  for (const Column& c : sim.outputs())
    if (c.name == "drive") EXPECT_EQ(c.unit, "N m");
}

TEST(signals, that_switch_are_located) {
  auto m = SignalMotion::of_signals(
      "gate = \"= if(phase > 0.3, 1, 0)\"\n"
      "phase = {type = \"integrator\", input = \"= 0.5 + 0*t\"}\n"
      "sum = {type = \"integrator\", input = \"= gate\"}\n");
  EXPECT_NEAR(m.to(1)("sum"), 0.4, 1e-10);
}

TEST(signals, that_remember_are_for_motions_only) {
  const Study study = study_of(
      pendulum + "[signals]\ns = {type = \"lag\", input = 1, time = 1}\n[analysis]\ntype = \"equilibrium\"\n");
  try {
    study.analysis.type->run(study, {});
    FAIL();
  } catch (const ModelError& e) {
    EXPECT_STREQ(e.what(),
                 "model.toml:8:1: signal 's': is of type 'lag', which remembers: only a motion that is "
                 "integrated over time can "
                 "follow it, and this analysis integrates none");
  }
}

// A motor's formula reads joints as signals do.
TEST(signals, formulas_of_motors_read_joints) {
  const Results r = run(study_of(R"toml(gravity = [0, 0]
[bodies]
w = {mass = 1, inertia = 2, omega = 1}
[joints]
pin = {type = "revolute", bodies = ["ground", "w"], at = [0, 0], motor = {torque = "= -8 * pin.angle - 0 * pin.angle_rate"}}
[analysis]
end = 1
rtol = 1e-10)toml"));
  ASSERT_TRUE(r.trusted) << r.verdict;
  EXPECT_NEAR(r.column("w.angle").back(), std::sin(2.0) / 2, 1e-8);
}

// A block that begins with its input sees what a sampled signal finds at its first instant.
TEST(signals, blocks_begin_with_the_first_sample) {
  const Results r = run(study_of(R"toml(gravity = [0, 0]
[bodies]
w = {mass = 1, inertia = 2, position = [3, 0]}
[signals]
held = {value = "= w.x", sample = 0.1}
limited = {type = "rate_limiter", input = "= held", rise = 1, fall = 1}
[analysis]
end = 0.05)toml"));
  EXPECT_NEAR(r.column("limited").front(), 3, 1e-12);
  EXPECT_NEAR(r.column("limited").back(), 3, 1e-12);
}
}  // namespace
}  // namespace mubody::testing
