// Springs and motors at joints against the solutions of their equations.
#include "mubody/forces/joint_motor.h"

#include "mubody/forces/joint_spring.h"
#include "mubody/forces/position_motor.h"
#include "mubody/forces/speed_motor.h"
#include "mubody/functions/polynomial.h"
#include "mubody/joints/cylindrical.h"
#include "mubody/joints/revolute.h"
#include "mubody/joints/slot.h"
#include "mubody/joints/translational.h"
#include "mubody/joints/universal.h"
#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
// A rotor on the ground, without weight.
struct Rotor {
  double I = 0.4;
  Model model = in_plane({0, 0});
  BodyRef rotor;
  explicit Rotor(double angle = 0) : rotor(model.body("rotor", {.mass = 1, .inertia = I, .angle = angle})) {
    model.joint("pin", Revolute{}, model.ground().at(0, 0), rotor.at(0, 0));
  }
};
SimulationOptions exactly() { return {.rtol = 1e-11, .atol = 1e-13}; }

TEST(joint_spring, swings_with_its_period) {
  Rotor r(0.5);
  JointSpring spring;
  spring.stiffness = 7, spring.free = 0.1;
  r.model.spring("pin", spring);
  Motion at(r.model, exactly());
  const double w = std::sqrt(spring.stiffness / r.I);
  EXPECT_TRUE(same(at("pin.spring.moment"), -7 * 0.4));
  at.to(2 * std::numbers::pi / w);
  EXPECT_NEAR(at("rotor.angle"), 0.5, 1e-9);
  at.to(3.3);
  EXPECT_NEAR(at("rotor.angle"), 0.1 + 0.4 * std::cos(w * 3.3), 1e-8);
}

TEST(joint_spring, is_at_rest_at_the_start_unless_told_otherwise) {
  Rotor r(0.5);
  JointSpring spring;
  spring.stiffness = 7;
  r.model.spring("pin", spring);
  EXPECT_TRUE(same(Motion(r.model)("pin.spring.moment"), 0));
}

// F = −k (s − s0) − c ṡ for both coordinates of a cylindrical joint, in all formulations.
TEST(joint_spring, acts_on_both_coordinates_of_a_joint) {
  for (const char* formulation : {"body", "cartesian", "joint"}) {
    Model model = in_space({0, 0, 0});
    const double m = 2, I = 0.3;
    const BodyRef sleeve = model.body(
        "sleeve",
        {.mass = m, .inertia = I, .position = {0, 0, 0.2}, .velocity = {0, 0, 3}, .omega = {0, 0, 4}});
    model.joint("axle", Cylindrical{}, model.ground().at(0, 0), sleeve.at(0, 0));
    JointSpring turn, slide;
    turn.stiffness = 5, turn.damping = 0.2, turn.free = 0.3;
    slide.stiffness = 100, slide.damping = 6, slide.free = 0;
    model.spring("axle", turn, "angle");
    model.spring("axle", slide, "slide");
    Motion at(model, {.formulation = formulation});
    EXPECT_NEAR(at("axle.angle.spring.moment"), -5 * (0 - 0.3) - 0.2 * 4, 1e-12);
    EXPECT_NEAR(at("axle.slide.spring.force"), -100 * 0.2 - 6 * 3, 1e-12);
    EXPECT_NEAR(at("sleeve.az"), (-100 * 0.2 - 6 * 3) / m, 1e-11);
    EXPECT_NEAR(at("sleeve.alphaz"), (5 * 0.3 - 0.2 * 4) / I, 1e-11);
  }
}

// The second pin of a cross turns about x.
TEST(joint_spring, acts_on_the_second_pin_of_a_cross) {
  Model model = in_space({0, 0, 0});
  const BodyRef body = model.body("body", {.mass = 1, .inertia = {0.2, 0.5, 0.7}, .omega = {2, 0, 0}});
  model.joint("cross", Universal{}, model.ground().at(0, 0), body.at(0, 0));
  JointSpring spring;
  spring.damping = 3;
  model.spring("cross", spring, "angle_x");
  Motion at(model);
  EXPECT_NEAR(at("cross.angle_x.spring.moment"), -6, 1e-12);
  EXPECT_NEAR(at("body.alphax"), -30, 1e-11);
}

TEST(joint_motor, torque_comes_from_outside) {
  Rotor r;
  const Input torque = r.model.motor("pin");
  Simulation sim(r.model);
  sim[torque] = 3;
  EXPECT_NEAR(sim[sim.output("rotor.alpha")], 3 / r.I, 1e-12);
  EXPECT_EQ(sim.input("pin.motor").index(), torque.index());
  EXPECT_EQ(sim.inputs(), std::vector<std::string>{"pin.motor.torque"});
  ASSERT_TRUE(sim.advance_to(2));
  EXPECT_NEAR(sim[sim.output("pin.motor.power")], 3 * 3 / r.I * 2, 1e-8);
  EXPECT_TRUE(sim.finish().trusted);
}

TEST(joint_motor, force_along_a_slot) {
  Model model = in_plane({0, 0});
  const BodyRef pin = model.body("pin", {.mass = 2, .inertia = 0.1});
  model.joint("slot", Slot{}, model.ground().at(0, 0), pin.at(0, 0));
  JointMotor motor;
  motor.effort = Signal(5);
  model.motor("slot", motor, "slide");
  EXPECT_NEAR(Motion(model)("pin.ax"), 2.5, 1e-12);
}

// I ω̇ = g (v − ω): ω = v (1 − exp(−g t/I)).
TEST(speed_motor, answers_as_a_system_of_first_order) {
  Rotor r;
  SpeedMotor motor;
  motor.speed = Function(6), motor.gain = 0.5;
  r.model.motor("pin", motor);
  Motion at(r.model, exactly());
  at.to(1.3);
  const double w = 6 * (1 - std::exp(-0.5 * 1.3 / r.I));
  EXPECT_NEAR(at("rotor.omega"), w, 1e-9);
  EXPECT_NEAR(at("pin.motor.moment"), 0.5 * (6 - w), 1e-9);
  EXPECT_NEAR(at("pin.motor.error"), 6 - w, 1e-9);
}

// At its limit L the acceleration is L/I, until g (v − ω) = L; from there on the speed closes in exponentially.  The
// corner is located: even steps of a hundredth of a second leave no error of their own there.
TEST(speed_motor, accelerates_evenly_at_its_limit) {
  Rotor r;
  SpeedMotor motor;
  motor.speed = Function(6), motor.gain = 0.5, motor.saturation.limit = 0.8;
  r.model.motor("pin", motor);
  Motion at(r.model, {.integrator = "rk4", .step = 0.01});
  EXPECT_TRUE(same(at("rotor.alpha"), 0.8 / r.I));
  at.to(1);
  EXPECT_NEAR(at("rotor.omega"), 0.8 / r.I, 1e-12);
  const double there = 6 - 0.8 / 0.5, when = there * r.I / 0.8, t = when + 1.234;
  at.to(t);
  EXPECT_NEAR(at("rotor.omega"), 6 - (6 - there) * std::exp(-0.5 * (t - when) / r.I), 1e-9);
  Motion again(r.model, {.integrator = "rk4", .step = 0.01});
  EXPECT_TRUE(same(again("rotor.alpha"), 0.8 / r.I));
}

// A servo that has to follow a ramp: I θ̈ = k (p − θ) + c (ṗ − θ̇), so that e = p − θ swings out from ė = ṗ.
TEST(position_motor, follows_a_ramp) {
  Rotor r;
  PositionMotor servo;
  servo.position = Function(Polynomial{{0.2, 1.5}});
  servo.stiffness = 20, servo.damping = 2;
  r.model.motor("pin", servo);
  Motion at(r.model, exactly());
  const double t = 0.9, decay = servo.damping / (2 * r.I), w = std::sqrt(servo.stiffness / r.I - decay * decay);
  at.to(t);
  const double error =
      std::exp(-decay * t) * (0.2 * std::cos(w * t) + (1.5 + decay * 0.2) / w * std::sin(w * t));
  EXPECT_NEAR(at("pin.motor.error"), error, 1e-9);
  EXPECT_NEAR(at("rotor.angle"), 0.2 + 1.5 * t - error, 1e-9);
}

// A slide in space, all formulations: the force stays at its limit, and its work is what the block has.
TEST(position_motor, has_no_more_than_its_limit) {
  for (const char* formulation : {"body", "cartesian", "joint"}) {
    Model model = in_space({0, 0, 0});
    const BodyRef block = model.body("block", {.mass = 4, .inertia = 1});
    model.joint("rail", Translational{}, model.ground().at(0, 0), block.at(0, 0));
    PositionMotor servo;
    servo.position = Function(10), servo.stiffness = 1000, servo.damping = 1000, servo.saturation.limit = 8;
    model.motor("rail", servo);
    Simulation sim(model, {.formulation = formulation, .record = 0.1});
    ASSERT_TRUE(sim.advance_to(1));
    EXPECT_NEAR(sim[sim.output("block.x")], 1, 1e-9);
    EXPECT_NEAR(sim[sim.output("rail.motor.force")], 8, 1e-12);
    ASSERT_TRUE(sim.advance_to(20));
    EXPECT_NEAR(sim[sim.output("block.x")], 10, 1e-3);
    const Results results = sim.finish();
    EXPECT_TRUE(results.trusted) << results.verdict;
  }
}

TEST(speed_motor, goes_on_from_a_snapshot_at_its_limit) {
  Rotor r;
  SpeedMotor motor;
  motor.speed = Function(6), motor.gain = 0.5, motor.saturation.limit = 0.8;
  r.model.motor("pin", motor);
  Simulation sim(r.model);
  ASSERT_TRUE(sim.advance_to(2));
  const Snapshot at_limit = sim.save();
  ASSERT_TRUE(sim.advance_to(3));
  const double first = sim[sim.output("rotor.omega")];
  sim.restore(at_limit);
  ASSERT_TRUE(sim.advance_to(3));
  EXPECT_EQ(sim[sim.output("rotor.omega")], first);
}

TEST(joint_motor, refuses_what_makes_no_sense) {
  const auto refusal = [](auto motor, std::string_view joint = "pin") -> std::string {
    Rotor r;
    try {
      r.model.motor(std::string(joint), motor);
    } catch (const ModelError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(refusal(SpeedMotor{}), "joint 'pin': motor: gain: must be positive");
  EXPECT_EQ(refusal(PositionMotor{}), "joint 'pin': motor: stiffness: must be positive");
  EXPECT_EQ(refusal(JointMotor{}, "pim"), "motor: there is no joint 'pim'");
  Rotor r;
  r.model.motor("pin", JointMotor{});
  EXPECT_THROW(r.model.motor("pin", JointMotor{}), ModelError);
  EXPECT_EQ(r.model.study().mechanism.forces.size(), 1u);
}
}  // namespace
}  // namespace mubody::testing
