// Dry friction at the turns and slides of joints, against closed forms: it sticks, slips, and comes to rest.
#include "mubody/joints/dry_friction.h"

#include "mubody/joints/angle.h"
#include "mubody/joints/cylindrical.h"
#include "mubody/joints/revolute.h"
#include "mubody/joints/slide.h"
#include "mubody/joints/spherical.h"
#include "mubody/joints/translational.h"
#include "tests/joints/belt.h"

namespace mubody::testing {
namespace {
constexpr const char* all_coordinates[] = {"body", "cartesian", "joint"};

/// A block of 2 kg on a slope that falls to the right; it starts with a speed down the slope.
Model slope(double angle, const DryFriction& friction, double speed = 0) {
  Model m = in_plane();
  const BodyRef block = m.body("block", {.mass = 2,
                                         .inertia = 0.1,
                                         .position = {0, 0},
                                         .velocity = {speed * std::cos(angle), -speed * std::sin(angle)}});
  m.joint("guide", Translational{}, turned(m.ground().at(0, 0), -angle), turned(block.at(0, 0), -angle));
  m.friction(friction);
  return m;
}

/// The same in space, on a slope that falls along x.
Model slope_in_space(double angle, const DryFriction& friction) {
  Model m = in_space();
  const BodyRef block = m.body("block", {.mass = 2, .inertia = 0.1, .position = {0, 0, 0}});
  const Vec<3> down(std::cos(angle), 0, -std::sin(angle));
  m.joint("guide", Translational{}, with_line(m.ground().at(0, 0), down), with_line(block.at(0, 0), down));
  m.friction(friction);
  return m;
}

/// A wheel of 3 kg on a horizontal pin of 20 mm.
Model wheel(const DryFriction& friction, double omega, bool space = false) {
  Model m = space ? in_space({0, -g, 0}) : in_plane();
  BodyOptions o{.mass = 3, .inertia = 0.06, .position = {0, 0}, .omega = {0, 0, omega}};
  if (space) o.position = {0, 0, 0};
  const BodyRef body = m.body("wheel", o);
  m.joint("pin", Revolute{}, m.ground().at(0, 0), body.at(0, 0));
  m.friction(friction);
  return m;
}

std::vector<double> times_of(const Results& r, Event::Kind kind) {
  std::vector<double> all;
  for (const Event& e : r.events)
    if (e.kind == kind) all.push_back(e.t);
  return all;
}

TEST(dry_friction, block_below_the_angle_of_friction_does_not_creep) {
  const double angle = std::atan(0.3) - 1e-3;
  for (const char* formulation : all_coordinates)
    for (const Model& m : {slope(angle, {.coefficient = 0.3}), slope_in_space(angle, {.coefficient = 0.3})}) {
      Simulation sim(m, {.formulation = formulation});
      ASSERT_TRUE(sim.advance_to(1)) << sim.outcome().why;
      const Output slide = sim.output("guide.slide");
      const double before = sim[slide];
      ASSERT_TRUE(sim.advance_to(1000)) << sim.outcome().why;
      EXPECT_LT(std::abs(sim[slide] - before), 1e-9) << formulation;
      EXPECT_EQ(sim[sim.output("guide.sticks")], 1) << formulation;
      EXPECT_NEAR(sim[sim.output("guide.friction")], -2 * g * std::sin(angle), 1e-12) << formulation;
      const Results r = sim.finish();
      EXPECT_LT(r.statistics.steps, 100) << formulation;
      EXPECT_TRUE(r.events.empty()) << formulation;
    }
}

TEST(dry_friction, block_above_the_angle_of_friction_slides_with_the_exact_acceleration) {
  const double angle = 0.5, a = g * (std::sin(angle) - 0.3 * std::cos(angle));
  for (const char* formulation : all_coordinates)
    for (const Model& m : {slope(angle, {.at_rest = 0.4, .kinetic = 0.3}),
                           slope_in_space(angle, {.at_rest = 0.4, .kinetic = 0.3})}) {
      Simulation sim(m, {.formulation = formulation});
      ASSERT_TRUE(sim.advance_to(2)) << sim.outcome().why;
      EXPECT_NEAR(sim[sim.output("guide.slide_acceleration")], a, 1e-12) << formulation;
      EXPECT_NEAR(sim[sim.output("guide.slide")], 2 * a, 1e-9) << formulation;
      EXPECT_NEAR(sim[sim.output("guide.friction")], -0.3 * 2 * g * std::cos(angle), 1e-12) << formulation;
      EXPECT_LT(sim.finish().statistics.steps, 40) << formulation;
    }
}

TEST(dry_friction, block_that_slides_up_stops_and_stays) {
  const double angle = std::atan(0.2), speed = 3, down = g * (std::sin(angle) + 0.3 * std::cos(angle));
  for (const char* formulation : all_coordinates) {
    Simulation sim(slope(angle, {.coefficient = 0.3}, -speed), {.formulation = formulation});
    ASSERT_TRUE(sim.advance_to(100)) << sim.outcome().why;
    EXPECT_NEAR(sim[sim.output("guide.slide")], -speed * speed / (2 * down), 1e-9) << formulation;
    const Results r = sim.finish();
    ASSERT_EQ(times_of(r, Event::stick).size(), 1U) << formulation;
    EXPECT_NEAR(times_of(r, Event::stick)[0], speed / down, 1e-9) << formulation;
    EXPECT_TRUE(times_of(r, Event::slip).empty()) << formulation;
    EXPECT_LT(r.statistics.steps, 60) << formulation;
    EXPECT_LT(r.statistics.energy_residual, 1e-9 * r.statistics.energy_scale) << formulation;
  }
}

TEST(dry_friction, block_that_slides_up_a_steep_slope_comes_back) {
  const double angle = 0.6, speed = 3, s = g * std::sin(angle), c = 0.3 * g * std::cos(angle);
  const double top = speed / (s + c), way = speed * speed / (2 * (s + c)), t = 2;
  Motion at(slope(angle, {.coefficient = 0.3}, -speed));
  at.to(t);
  EXPECT_NEAR(at("guide.slide"), -way + (s - c) * (t - top) * (t - top) / 2, 1e-9);
  EXPECT_EQ(at("guide.sticks"), 0);
}

TEST(dry_friction, pin_comes_to_rest_at_the_closed_form_time) {
  const double w = 4, torque = 0.25 * 0.02 * (3 * g + 50), stop = w * 0.06 / torque;
  const DryFriction friction{.coefficient = 0.25, .radius = 0.02, .preload = 50};
  for (const char* formulation : all_coordinates)
    for (const bool space : {false, true}) {
      Simulation sim(wheel(friction, w, space), {.formulation = formulation});
      ASSERT_TRUE(sim.advance_to(stop / 2)) << sim.outcome().why;
      EXPECT_NEAR(sim[sim.output("pin.friction")], -torque, 1e-12) << formulation;
      ASSERT_TRUE(sim.advance_to(2 * stop)) << sim.outcome().why;
      EXPECT_NEAR(sim[sim.output("pin.angle")], w * stop / 2, 1e-7) << formulation;
      const Results r = sim.finish();
      ASSERT_EQ(times_of(r, Event::stick).size(), 1U) << formulation;
      EXPECT_NEAR(times_of(r, Event::stick)[0], stop, 1e-8 * stop) << formulation;
      EXPECT_LT(r.statistics.steps, 400) << formulation;
      EXPECT_LT(r.statistics.energy_residual, 1e-8 * r.statistics.energy_scale) << formulation;
    }
}

TEST(dry_friction, viscous_part_shortens_the_time) {
  // I ω̇ = −T − c ω, so that ω vanishes at I/c ln(1 + c ω₀/T).
  const double w = 40, c = 0.01, torque = 0.25 * 0.02 * 3 * g, stop = 0.06 / c * std::log1p(c * w / torque);
  Simulation sim(wheel({.coefficient = 0.25, .viscous = c, .radius = 0.02}, w));
  ASSERT_TRUE(sim.advance_to(2 * stop));
  const std::vector<double> stops = times_of(sim.finish(), Event::stick);
  ASSERT_EQ(stops.size(), 1U);
  EXPECT_NEAR(stops[0], stop, 1e-7 * stop);
}

TEST(dry_friction, preload_alone_is_a_brake) {
  const double w = 10, torque = 0.5 * 0.02 * 80;
  Simulation sim(wheel({.coefficient = 0.5, .radius = 0.02, .preload = 80, .reaction = false}, w));
  ASSERT_TRUE(sim.advance_to(0.1));
  EXPECT_NEAR(sim[sim.output("wheel.omega")], w - 0.1 * torque / 0.06, 1e-9);
}

TEST(dry_friction, stick_slip_follows_its_piecewise_solution) {
  const Belt belt;
  for (const char* formulation : all_coordinates) {
    Simulation sim(belt.model(), {.formulation = formulation});
    const Output x = sim.output("block.x"), v = sim.output("block.vx");
    for (int k = 1; k <= 100; ++k) {
      ASSERT_TRUE(sim.advance_to(0.05 * k)) << sim.outcome().why;
      EXPECT_NEAR(sim[x], belt.position(0.05 * k), 1e-6) << formulation << " at " << 0.05 * k;
      EXPECT_NEAR(sim[v], belt.speed(0.05 * k), 1e-6) << formulation << " at " << 0.05 * k;
    }
    const Results r = sim.finish();
    const int cycles = belt.cycles(5);
    EXPECT_GE(cycles, 5);
    EXPECT_EQ(int(times_of(r, Event::slip).size()), cycles) << formulation;
    EXPECT_LT(r.statistics.steps, 60 * cycles + 300) << formulation;
    EXPECT_LT(r.statistics.energy_residual, 1e-6 * r.statistics.energy_scale) << formulation;
  }
}

TEST(dry_friction, stribeck_slips_in_less_than_its_speed) {
  // In steady sliding at a speed the drive bears the friction of that speed.
  const DryFriction law{.at_rest = 0.5, .kinetic = 0.2, .stribeck = 0.1};
  for (const double speed : {0.01, 0.1, 0.3}) {
    Model m = in_plane();
    const BodyRef block = m.body("block", {.mass = 2, .inertia = 1, .velocity = {speed, 0}});
    m.joint("guide", Translational{}, m.ground().at(0, 0), block.at(0, 0));
    m.friction(law);
    Slide drive;
    drive.value = growing(speed);
    m.joint("drive", drive, m.ground().at(0, 0), block.at(0, 0));
    const double mu = 0.2 + 0.3 * std::exp(-std::pow(speed / 0.1, 2));
    Motion at(m);
    EXPECT_NEAR(at("guide.friction"), -mu * 2 * g, 1e-10);
    EXPECT_NEAR(at("drive.on_block.fx"), mu * 2 * g, 1e-10);
  }
}

TEST(dry_friction, cylindrical_turn_and_slide_rub_both) {
  const double mu = 0.2, r = 0.03;
  for (const char* formulation : all_coordinates) {
    Model m = in_space();
    const BodyRef shaft =
        m.body("shaft",
               {.mass = 4, .inertia = 0.01, .position = {0, 0, 0}, .velocity = {1, 0, 0}, .omega = {30, 0, 0}});
    m.joint("bearing", Cylindrical{}, with_axis(m.ground().at(0, 0), {1, 0, 0}),
            with_axis(shaft.at(0, 0), {1, 0, 0}));
    m.friction({.coefficient = mu, .radius = r});
    Simulation sim(m, {.formulation = formulation});
    ASSERT_TRUE(sim.advance_to(0.2)) << sim.outcome().why;
    EXPECT_NEAR(sim[sim.output("shaft.vx")], 1 - 0.2 * mu * g, 1e-9) << formulation;
    EXPECT_NEAR(sim[sim.output("shaft.wx")], 30 - 0.2 * mu * 4 * g * r / 0.01, 1e-8) << formulation;
    EXPECT_NEAR(sim[sim.output("bearing.slide_friction")], -mu * 4 * g, 1e-10) << formulation;
  }
}

TEST(dry_friction, collar_rubs_under_the_load_along_the_axis) {
  Model m = in_space();
  const BodyRef table = m.body("table", {.mass = 5, .inertia = 0.2, .position = {0, 0, 0}, .omega = {0, 0, 2}});
  m.joint("pin", Revolute{}, m.ground().at(0, 0), table.at(0, 0));
  m.friction({.coefficient = 0.1, .radius = 0.01, .collar = 0.05});
  EXPECT_NEAR(Motion(m)("pin.friction"), -0.1 * 0.05 * 5 * g, 1e-12);
}

TEST(dry_friction, drive_bears_what_a_pin_rubs) {
  for (const char* formulation : all_coordinates) {
    Model m = wheel({.coefficient = 0.25, .radius = 0.02}, 5);
    Angle motor;
    motor.value = growing(5);
    m.joint("motor", motor, m.ground().at(0, 0), BodyRef(1).at(0, 0));
    Simulation sim(m, {.formulation = formulation});
    ASSERT_TRUE(sim.advance_to(0.1)) << sim.outcome().why;
    EXPECT_NEAR(sim[sim.output("motor.on_wheel.m")], 0.25 * 0.02 * 3 * g, 1e-10) << formulation;
    EXPECT_NEAR(sim[sim.output("pin.friction")], -0.25 * 0.02 * 3 * g, 1e-10) << formulation;
  }
}

TEST(dry_friction, of_a_model_is_checked) {
  Model m = wheel({.coefficient = 0.25, .radius = 0.02}, 5);
  EXPECT_THROW(m.friction({.coefficient = 0.25}), ModelError);
  EXPECT_THROW(m.friction({.at_rest = 0.2, .kinetic = 0.3, .radius = 0.01}), ModelError);
  EXPECT_THROW(m.friction({.coefficient = 0.2, .kinetic = 0.3, .radius = 0.01}), ModelError);
  EXPECT_THROW(m.friction({.coefficient = 0.2, .stribeck = 0.1, .radius = 0.01}), ModelError);
  EXPECT_THROW(m.friction({.coefficient = 0.2, .radius = 0.01, .collar = 0.1}), ModelError);
  EXPECT_THROW(m.friction({.coefficient = 0.2, .radius = 0.01, .reaction = false}), ModelError);
  Model ball = in_space();
  const BodyRef body = ball.body("body", {.mass = 1, .inertia = 1, .position = {0, 0, 0}});
  ball.joint("ball", Spherical{}, ball.ground().at(0, 0), body.at(0, 0));
  EXPECT_THROW(ball.friction({.coefficient = 0.2}), ModelError);
}
}  // namespace
}  // namespace mubody::testing
