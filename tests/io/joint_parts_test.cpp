// Keys of joints for limits, motors, springs and backlash: which forces they make, and that these act.
#include <gtest/gtest.h>

#include "mubody/forces/joint_spring.h"
#include "mubody/forces/joint_stop.h"
#include "mubody/forces/position_motor.h"
#include "mubody/forces/speed_motor.h"
#include "mubody/reading/read_model.h"
#include "mubody/simulation/simulation.h"

namespace mubody::testing {
namespace {
const std::string rod_on_pin = R"(
gravity = [0, -9.81]
[bodies]
rod = {mass = 2, inertia = 0.5, position = [0.5, 0], angle = 0}
[joints]
pin = {type = "revolute", bodies = ["ground", "rod"], at = [0, 0], )";
const std::string sleeve_on_axle = R"(
gravity = [0, 0, 0]
[bodies]
sleeve = {mass = 2, inertia = [0.5, 0.5, 0.5], position = [0, 0, 0]}
[joints]
axle = {type = "cylindrical", bodies = ["ground", "sleeve"], at = [0, 0, 0], axis = [0, 0, 1], )";

std::vector<std::string> forces_of(const Mechanism& m) {
  std::vector<std::string> names;
  for (const auto& f : m.forces) names.push_back(f.name + " (" + std::string(f.what->info().name) + ")");
  return names;
}
using Names = std::vector<std::string>;

template <class F> const F& force(const Mechanism& m, std::size_t k) {
  return dynamic_cast<const ForceOf<F>&>(*m.forces.at(k).what).force;
}

TEST(joint_parts, limits_are_an_array_or_a_table) {
  const Study array = io::read_study_text(rod_on_pin + R"(limits = ["-30 deg", "90 deg"]})", "a.toml");
  EXPECT_EQ(forces_of(array.mechanism), (Names{"pin.limits.low (joint_stop)", "pin.limits.high (joint_stop)"}));
  EXPECT_NEAR(force<JointStop>(array.mechanism, 0).limit, -std::numbers::pi / 6, 1e-15);
  // Without a stiffness the rod swings on its stop at 100 Hz about the pin.
  EXPECT_NEAR(force<JointStop>(array.mechanism, 0).stiffness(), std::pow(200 * std::numbers::pi, 2), 1e-6);
  const Study table = io::read_study_text(
      rod_on_pin + R"(limits = {high = 1, stiffness = "2 kN m/rad", damping = 3}})", "a.toml");
  EXPECT_EQ(forces_of(table.mechanism), Names{"pin.limits.high (joint_stop)"});
  EXPECT_EQ(force<JointStop>(table.mechanism, 0).stiffness(), 2000);
  EXPECT_EQ(force<JointStop>(table.mechanism, 0).law->info().name, "kelvin_voigt");
}

TEST(joint_parts, every_key_makes_its_force) {
  const Study s = io::read_study_text(
      rod_on_pin +
          R"(stiffness = 5, damping = 0.2, free = "10 deg", motor = {speed = "60 rpm", gain = 2, limit = "8 N m"}})",
      "a.toml");
  EXPECT_EQ(forces_of(s.mechanism), (Names{"pin.motor (speed_motor)", "pin.spring (joint_spring)"}));
  EXPECT_EQ(force<SpeedMotor>(s.mechanism, 0).saturation.limit, 8);
  EXPECT_NEAR(*force<JointSpring>(s.mechanism, 1).free, std::numbers::pi / 18, 1e-15);
  Simulation sim(s);
  const double moment = 8 + 5 * std::numbers::pi / 18 - 2 * 9.81 * 0.5;
  EXPECT_NEAR(sim.value(sim.output("rod.alpha")), moment / (0.5 + 2 * 0.25), 1e-9);
}

TEST(joint_parts, torque_is_a_formula_of_the_state_or_an_input) {
  const Study s = io::read_study_text(rod_on_pin + R"(motor = {torque = "= 3 + 2*rod.x"}})", "a.toml");
  Simulation sim(s);
  EXPECT_NEAR(sim.value(sim.output("pin.motor.moment")), 4, 1e-12);
  sim.set(sim.input("pin.motor"), 7);
  EXPECT_NEAR(sim.value(sim.output("pin.motor.moment")), 7, 1e-12);
}

TEST(joint_parts, joints_with_several_coordinates_name_them) {
  const Study s = io::read_study_text(
      sleeve_on_axle +
          R"(limits = {angle = [-1, 1], slide = {high = "0.2 m"}}, stiffness = {slide = 100}, damping = {slide = 3, angle = 0.1}, motor = {slide = {position = "= 0.1*t", stiffness = 50}}})",
      "a.toml");
  EXPECT_EQ(forces_of(s.mechanism),
            (Names{"axle.angle.limits.low (joint_stop)", "axle.angle.limits.high (joint_stop)",
                   "axle.slide.limits.high (joint_stop)", "axle.slide.motor (position_motor)",
                   "axle.angle.spring (joint_spring)", "axle.slide.spring (joint_spring)"}));
  EXPECT_EQ(force<JointStop>(s.mechanism, 2).coordinate(), slide_z);
  EXPECT_EQ(force<JointSpring>(s.mechanism, 5).stiffness, 100);
  Simulation sim(s);
  EXPECT_TRUE(sim.advance_to(0.5)) << sim.outcome().why;
}

TEST(joint_parts, one_coordinate_may_be_named_too) {
  const Study s = io::read_study_text(rod_on_pin + "stiffness = {angle = 4}}", "a.toml");
  EXPECT_EQ(force<JointSpring>(s.mechanism, 0).stiffness, 4);
}

// A joint that gives way, or that rattles in its bearing, has an angle as others do.
TEST(joint_parts, go_with_compliance_and_clearance) {
  const Study soft =
      io::read_study_text(rod_on_pin + "damping = 2, compliance = {x = {stiffness = 1e6}}}", "a.toml");
  EXPECT_EQ(forces_of(soft.mechanism), (Names{"pin (joint_compliance)", "pin.spring (joint_spring)"}));
  const Study loose = io::read_study_text(
      rod_on_pin +
          R"(limits = {low = "-20 deg"}, clearance = {bearing_radius = "10 mm", journal_radius = "9.5 mm"}})",
      "a.toml");
  EXPECT_EQ(forces_of(loose.mechanism), (Names{"pin (journal_bearing)", "pin.limits.low (joint_stop)"}));
}

TEST(joint_parts, backlash_takes_the_place_of_the_equation) {
  const Study s = io::read_study_text(R"(
gravity = [0, 0]
[bodies]
one = {mass = 1, inertia = 0.1, position = [0, 0]}
two = {mass = 1, inertia = 0.1, position = [0.3, 0]}
[joints]
left = {type = "revolute", bodies = ["ground", "one"], at = [0, 0]}
right = {type = "revolute", bodies = ["ground", "two"], at = [0.3, 0]}
teeth = {type = "gear", bodies = ["one", "two"], i = [0, 0], j = [0, 0], radius_i = 0.1, radius_j = 0.2, backlash = {gap = "0.1 mm", stiffness = 1e6}}
)",
                                      "a.toml");
  EXPECT_EQ(s.mechanism.joints.size(), 2u);
  EXPECT_EQ(forces_of(s.mechanism),
            (Names{"teeth.backlash.low (gear_backlash)", "teeth.backlash.high (gear_backlash)"}));
}

// Standing by themselves, the forces take the markers of a joint, or their own.
TEST(joint_parts, are_forces_of_their_own) {
  const Study s = io::read_study_text(rod_on_pin + R"(damping = 0}
[forces]
wind = {type = "joint_motor", joint = "pin", effort = 2}
rubber = {type = "joint_stop", joint = "pin", side = "low", limit = -0.1, law = {type = "exact", stiffness = 100, exponent = 1}}
)",
                                      "a.toml");
  Simulation sim(s);
  EXPECT_NEAR(sim.value(sim.output("wind.moment")), 2, 1e-12);
  EXPECT_NEAR(sim.value(sim.output("rubber.gap")), 0.1, 1e-12);
}
}  // namespace
}  // namespace mubody::testing
