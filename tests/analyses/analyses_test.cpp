// Assembly, degrees of freedom, kinematic and forward analysis on small mechanisms with known answers.
#include <gtest/gtest.h>

#include "mubody/analyses/run.h"
#include "mubody/forces/laws/expression_law.h"
#include "mubody/forces/laws/polynomial_law.h"
#include "mubody/forces/moment.h"
#include "mubody/forces/spring.h"
#include "mubody/forces/torsion_spring.h"
#include "mubody/functions/polynomial.h"
#include "mubody/joints/angle.h"
#include "mubody/joints/coordinate.h"
#include "mubody/joints/fixed.h"
#include "mubody/joints/gear.h"
#include "mubody/joints/rack.h"
#include "mubody/joints/slide.h"
#include "mubody/joints/translational.h"
#include "tests/models.h"

namespace mubody::testing {
namespace {
constexpr double pi = std::numbers::pi;

Study study(Mechanism m, double end = 1) {
  Study s;
  s.mechanism = std::move(m);
  s.analysis.end = end;
  return s;
}

Angle motor(int i, int j, Function value) {
  Angle a;
  a.i = marker(i, 0, 0), a.j = marker(j, 0, 0);
  a.value = std::move(value);
  return a;
}
Function polynomial(std::vector<double> c) {
  Polynomial p;
  p.coefficients = std::move(c);
  return Function(p);
}

// Assembly -------------------------------------------------------------------------------------------------

TEST(assembly, a_rough_four_bar_closes_and_says_what_moved) {
  Mechanism m = four_bar();
  m.bodies[1].start.at += Vec<3>(0.05, -0.03, 0);
  m.bodies[2].start = {m.bodies[2].start.at, turn_about_z(1.05), 1.05};
  Study s = study(m);
  s.analysis.assembly.hold = {"crank.angle"};
  const Results r = run_assembly(s);
  EXPECT_TRUE(r.outcome) << r.outcome.why;
  EXPECT_LT(r.assembly.violation_after, 1e-12);
  EXPECT_GT(r.assembly.violation_before, 0.01);
  EXPECT_NEAR(r.column("crank.angle")[0], pi / 3, 1e-15);
  EXPECT_NEAR(r.column("coupler.angle")[0], 0.423245598298523, 1e-11);  // same branch
  EXPECT_FALSE(r.assembly.positions.empty());
}

TEST(assembly, a_held_velocity_is_kept_and_the_others_follow) {
  Mechanism m = four_bar();
  m.bodies[0].omega.z() = 2;
  Study s = study(m);
  s.analysis.assembly.hold = {"crank.omega"};
  const Results r = run_assembly(s);
  EXPECT_TRUE(r.outcome) << r.outcome.why;
  EXPECT_EQ(r.column("crank.omega")[0], 2);
  EXPECT_LT(r.assembly.rate_after, 1e-13);
  EXPECT_GT(r.assembly.rate_before, 1);
}

TEST(assembly, what_cannot_close_names_the_joint_that_gapes) {
  Mechanism m = four_bar();
  m.joints[3].what->i().at.x() = 11;  // longer than all links together
  const Results r = run_forward(study(m));
  EXPECT_EQ(r.outcome.kind, Outcome::not_assembled);
  EXPECT_NE(r.outcome.why.find("cannot be assembled"), std::string::npos);
  EXPECT_NE(r.outcome.why.find("gapes by"), std::string::npos);
  EXPECT_FALSE(r.trusted);
}

// Freedom --------------------------------------------------------------------------------------------------

TEST(freedom, a_four_bar_has_one) {
  const Freedom f = run_assembly(study(four_bar())).freedom;
  EXPECT_EQ(f.counted, 1);
  EXPECT_EQ(f.actual, 1);
  EXPECT_TRUE(f.redundant.empty());
}

Mechanism parallelogram_with_three_cranks() {
  Mechanism m;
  m.gravity = {0, -9.81, 0};
  const double angle = 1;
  for (int k = 0; k < 3; ++k)
    m.bodies.push_back(
        body("crank" + std::to_string(k), 1, 0.1, k + 0.5 * std::cos(angle), 0.5 * std::sin(angle), angle));
  m.bodies.push_back(body("bar", 2, 1, 1 + std::cos(angle), std::sin(angle), 0));
  for (int k = 0; k < 3; ++k) {
    m.add_joint("foot" + std::to_string(k), revolute(marker(ground, k, 0), marker(1 + k, -0.5, 0)));
    m.add_joint("top" + std::to_string(k), revolute(marker(1 + k, 0.5, 0), marker(4, k - 1, 0)));
  }
  m.prepare();
  return m;
}

TEST(freedom, a_third_crank_is_redundant_and_the_motion_is_found_all_the_same) {
  const Results r = run_forward(study(parallelogram_with_three_cranks()));
  EXPECT_EQ(r.freedom.counted, 0);
  EXPECT_EQ(r.freedom.actual, 1);
  ASSERT_EQ(r.freedom.redundant.size(), 1u);
  EXPECT_NE(r.freedom.redundant[0].reason.find("parallelogram"), std::string::npos)
      << r.freedom.redundant[0].reason;
  EXPECT_TRUE(r.trusted) << r.verdict;

  // The same as one freedom: (3 (I + m l²) + 4 M l²) θ̈ = −(3 m l + 2 M l) g cos θ, l to the crank's centre.
  const double J = 3 * (0.1 + 0.25) + 2 * 1.0, torque = (3 * 0.5 + 2) * 9.81;
  EXPECT_NEAR(r.column("crank0.alpha")[0], -torque * std::cos(1) / J, 1e-10);
}

TEST(freedom, a_position_that_is_singular_only_now_is_told_from_a_redundancy) {
  Mechanism m;
  m.bodies = {body("left", 1, 0.1, 0.5, 0, 0), body("bar", 1, 0.1, 1, 0, 0), body("right", 1, 0.1, 1.5, 0, 0)};
  m.add_joint("A", revolute(marker(ground, 0, 0), marker(1, -0.5, 0)));
  m.add_joint("B", revolute(marker(1, 0.5, 0), marker(2, 0, 0)));
  m.add_joint("C", revolute(marker(2, 1, 0), marker(3, 0.5, 0)));
  m.add_joint("D", revolute(marker(ground, 1, 0), marker(3, -0.5, 0)));
  m.prepare();
  const Freedom f = run_assembly(study(m)).freedom;  // a flat parallelogram
  ASSERT_EQ(f.redundant.size(), 1u);
  EXPECT_NE(f.redundant[0].reason.find("only in this position"), std::string::npos);
}

TEST(freedom, two_welds_on_one_body_are_an_error_that_names_one) {
  Mechanism m;
  m.bodies = {body("block", 1, 1, 0, 0, 0)};
  for (const char* name : {"W1", "W2"}) {
    Fixed f;
    f.i = marker(ground, 0, 0), f.j = marker(1, 0, 0);
    m.add_joint(name, f);
  }
  m.prepare();
  try {
    run_forward(study(m));
    FAIL() << "no error";
  } catch (const ModelError& e) {
    EXPECT_NE(std::string(e.what()).find("more constraints than coordinates: 6 equations for 3 coordinates"),
              std::string::npos)
        << e.what();
  }
}

TEST(freedom, a_free_body_without_inertia_is_not_determined) {
  Mechanism m;
  m.bodies = {body("stone", 1, 0, 0, 0, 0)};
  m.prepare();
  try {
    run_forward(study(m));
    FAIL() << "no error";
  } catch (const ModelError& e) {
    EXPECT_NE(std::string(e.what()).find("body 'stone' has no inertia"), std::string::npos) << e.what();
  }
}

// Kinematic ------------------------------------------------------------------------------------------------

Mechanism driven_slider_crank(bool crank_driven) {
  const double crank = 1, rod = 3, theta = 0.5, phi = -std::asin(crank * std::sin(theta) / rod);
  Mechanism m;
  m.bodies = {
      body("crank", 1, 0.1, 0.5 * std::cos(theta), 0.5 * std::sin(theta), theta),
      body("rod", 2, 1.5, std::cos(theta) + 1.5 * std::cos(phi), std::sin(theta) + 1.5 * std::sin(phi), phi),
      body("slider", 3, 1, std::cos(theta) + 3 * std::cos(phi), 0, 0)};
  m.add_joint("A", revolute(marker(ground, 0, 0), marker(1, -0.5, 0)));
  m.add_joint("B", revolute(marker(1, 0.5, 0), marker(2, -1.5, 0)));
  m.add_joint("C", revolute(marker(2, 1.5, 0), marker(3, 0, 0)));
  Translational guide;
  guide.i = marker(ground, 0, 0), guide.j = marker(3, 0, 0);
  m.add_joint("guide", guide);
  if (crank_driven) {
    m.add_joint("motor", motor(ground, 1, polynomial({theta, 4})));
  } else {
    Slide push;
    push.i = marker(ground, 0, 0), push.j = marker(3, 0, 0);
    const double start = m.bodies[2].start.at.x();
    push.value = polynomial({start, 0.5});  // towards the dead point at x = 4
    m.add_joint("push", push);
  }
  m.prepare();
  return m;
}

TEST(kinematic, slider_crank_agrees_with_its_closed_form) {
  Study s = study(driven_slider_crank(true), 3);
  s.analysis.type.index = 1;
  const Results r = run(s);
  ASSERT_TRUE(r.outcome) << r.outcome.why;
  EXPECT_TRUE(r.trusted);
  const auto t = r.times(), x = r.column("slider.x"), v = r.column("slider.vx"), a = r.column("slider.ax"),
             torque = r.column("motor.on_crank.m"), alpha = r.column("rod.alpha");
  for (std::size_t k = 0; k < t.size(); ++k) {
    const double th = 0.5 + 4 * t[k], w = 4, st = std::sin(th), ct = std::cos(th);
    const double sp = -st / 3, cp = std::sqrt(1 - sp * sp);
    const double wp = -w * ct / (3 * cp), ap = (w * w * st / 3 + wp * wp * sp) / cp;
    EXPECT_NEAR(x[k], ct + 3 * cp, 1e-12);
    EXPECT_NEAR(v[k], -w * st - 3 * wp * sp, 1e-11);
    const double acc = -w * w * ct - 3 * (ap * sp + wp * wp * cp);
    EXPECT_NEAR(a[k], acc, 1e-10);
    EXPECT_NEAR(alpha[k], ap, 1e-10);
    // Power of the motor: the kinetic energy of rod and slider changes, that of the crank does not.
    const double rx = -w * st - 1.5 * wp * sp, ry = w * ct + 1.5 * wp * cp;
    const double rax = -w * w * ct - 1.5 * (ap * sp + wp * wp * cp),
                 ray = -w * w * st + 1.5 * (ap * cp - wp * wp * sp);
    const double power = 2 * (rx * rax + ry * ray) + 1.5 * wp * ap + 3 * v[k] * acc;
    EXPECT_NEAR(torque[k] * w, power, 1e-9);
  }
}

TEST(kinematic, a_dead_point_is_located_and_reported) {
  Study s = study(driven_slider_crank(false), 3);
  s.analysis.type.index = 1;
  const Results r = run(s);
  EXPECT_EQ(r.outcome.kind, Outcome::singular);
  EXPECT_NE(r.outcome.why.find("dead point"), std::string::npos);
  const double start = std::cos(0.5) + 3 * std::sqrt(1 - std::pow(std::sin(0.5) / 3, 2));
  EXPECT_NEAR(r.outcome.at, (4 - start) / 0.5, 1e-6);  // where the slider is fully out
  EXPECT_FALSE(r.trusted);
}

TEST(kinematic, without_enough_drivers_is_an_error) {
  Study s = study(four_bar());
  s.analysis.type.index = 1;
  EXPECT_THROW(run(s), ModelError);
}

// Forward --------------------------------------------------------------------------------------------------

TEST(forward, a_motor_and_a_damper_close_the_energy_balance) {
  Mechanism m = four_bar();
  m.add_joint("motor", motor(ground, 1, polynomial({pi / 3, 0.5, 1})));
  Spring s;
  s.i = marker(1, 0, 0), s.j = marker(3, 0.5, 0);
  s.stiffness = 50, s.damping = 5;
  m.add_force("spring", s);
  Moment wind;
  wind.j = marker(3, 0, 0);
  wind.moment = Signal(polynomial({1, 2}));
  m.add_force("wind", wind);
  m.bodies[0].omega.z() = 0.5;
  m.prepare();
  const Results r = run_forward(study(m, 2));
  ASSERT_TRUE(r.outcome) << r.outcome.why;
  EXPECT_TRUE(r.trusted) << r.verdict;
  EXPECT_LT(r.statistics.energy_residual, 1e-6);
  EXPECT_GT(std::abs(r.column("driver_work").back()), 1);
  EXPECT_GT(r.column("dissipated").back(), 0.1);
  EXPECT_GT(std::abs(r.column("applied_work").back()), 0.1);
  EXPECT_NEAR(r.column("crank.angle").back(), pi / 3 + 0.5 * 2 + 4, 1e-12);
}

TEST(forward, a_torsion_spring_swings_as_its_closed_form_says) {
  Mechanism m;
  m.bodies = {body("wheel", 1, 2, 0, 0, 0)};
  m.add_joint("pin", revolute(marker(ground, 0, 0), marker(1, 0, 0)));
  TorsionSpring s;
  s.i = marker(ground, 0, 0), s.j = marker(1, 0, 0);
  s.stiffness = 8, s.free_angle = 1;
  m.add_force("spring", s);
  m.prepare();
  const Results r = run_forward(study(m, pi));  // θ = 1 − cos(2 t)
  EXPECT_TRUE(r.trusted) << r.verdict;
  EXPECT_NEAR(r.column("wheel.angle").back(), 0, 1e-8);
  const std::vector<double> angle = r.column("wheel.angle"), t = r.times();
  for (std::size_t k = 0; k < t.size(); ++k) EXPECT_NEAR(angle[k], 1 - std::cos(2 * t[k]), 1e-7);
}

TEST(forward, laws_close_the_energy_balance_whether_they_store_energy_or_not) {
  PolynomialLaw hard;
  hard.coefficients = {20, 0, 30};
  ExpressionLaw rubber;
  rubber.text = "20*deflection + 30*deflection^3 + 2*rate";
  for (const Law& law : {Law(hard), Law(rubber)}) {
    Mechanism m = four_bar();
    Spring s;
    s.i = marker(1, 0, 0), s.j = marker(3, 0.5, 0);
    s.law = law;
    m.add_force("spring", s);
    m.prepare();
    const Results r = run_forward(study(m, 2));
    EXPECT_TRUE(r.trusted) << r.verdict;
    EXPECT_LT(r.statistics.energy_residual, 1e-6);
    EXPECT_EQ(r.column("applied_work").back() == 0, law.stores_energy());
  }
}

// A rolling cylinder on an incline: a = 2/3 g sin α.
TEST(forward, a_pinion_rolls_down_a_rack) {
  const double slope = 0.3, radius = 0.5;
  Mechanism m;
  m.gravity = {9.81 * std::sin(slope), -9.81 * std::cos(slope), 0};
  m.bodies = {body("cylinder", 2, 0.5 * 2 * radius * radius, 0, radius, 0)};
  Slot height;
  height.i = marker(ground, 0, radius), height.j = marker(1, 0, 0);
  m.add_joint("height", height);
  Rack rack;
  rack.i = marker(ground, 0, 0), rack.j = marker(1, 0, 0);
  rack.radius = radius;
  m.add_joint("roll", rack);
  m.prepare();
  const Results r = run_forward(study(m, 2));
  const double travel = 0.5 * (2.0 / 3) * 9.81 * std::sin(slope) * 4;
  EXPECT_NEAR(r.column("cylinder.x").back(), travel, 1e-8);
  EXPECT_NEAR(r.column("cylinder.angle").back(), -travel / radius, 1e-8);
  EXPECT_NEAR(r.column("height.on_cylinder.fy").back(), 2 * 9.81 * std::cos(slope), 1e-8);
  EXPECT_NEAR(r.column("roll.on_cylinder.fx").back(), -2 * 9.81 * std::sin(slope) / 3, 1e-8);
}

// A planet between a fixed sun and a turning carrier: ω_p = (1 + r_s / r_p) ω_c, over several turns.
TEST(forward, a_planet_gear_counts_turns) {
  Mechanism m;
  m.bodies = {body("carrier", 1, 0.5, 0, 0, 0), body("planet", 0.5, 0.01, 1.5, 0, 0)};
  m.add_joint("axle", revolute(marker(ground, 0, 0), marker(1, 0, 0)));
  m.add_joint("pin", revolute(marker(1, 1.5, 0), marker(2, 0, 0)));
  Gear g;
  g.i = marker(ground, 0, 0), g.j = marker(2, 0, 0);
  g.radius_i = 1, g.radius_j = 0.5;
  m.add_joint("mesh", g);
  m.add_joint("motor", motor(ground, 1, polynomial({0, 5})));
  m.bodies[0].omega.z() = 5;
  m.prepare();
  Study s = study(m, 4);
  s.analysis.assembly.hold = {"carrier.omega"};
  const Results r = run_forward(s);
  EXPECT_TRUE(r.trusted) << r.verdict;
  EXPECT_NEAR(r.column("carrier.angle").back(), 20, 1e-10);
  EXPECT_NEAR(r.column("planet.angle").back(), 60, 1e-9);
}

TEST(forward, stops_when_asked_and_keeps_what_it_has) {
  Study s = study(four_bar(), 10);
  s.output.step = 0.1;
  const Results r = run_forward(s, [](double share) { return share < 0.3; });
  EXPECT_EQ(r.outcome.kind, Outcome::interrupted);
  EXPECT_GE(r.times().size(), 29u);
  EXPECT_LT(r.times().size(), 40u);
}

TEST(forward, euler_with_a_large_step_is_not_trusted) {
  Study s = study(four_bar(), 2);
  s.analysis.integrator = "euler";
  s.analysis.control.step = 0.01;
  const Results r = run_forward(s);
  EXPECT_FALSE(r.trusted);
  EXPECT_NE(r.verdict.find("energy"), std::string::npos) << r.verdict;
}

// θ̈ = κ sin θ, κ = 3 g (3 N + 1) / (2 (4 N + 1)), θ from the vertical.
TEST(forward, a_ladder_of_four_bars_follows_its_exact_equation) {
  const int windows = 20;
  Mechanism m = ladder(windows);
  for (int k = 0; k <= windows; ++k) {
    m.bodies[std::size_t(k)].omega.z() = -1;
    m.bodies[std::size_t(k)].velocity = {0.5, 0, 0};
  }
  for (int k = 0; k < windows; ++k) m.bodies[std::size_t(windows + 1 + k)].velocity = {1, 0, 0};
  const Results r = run_forward(study(m, 0.5));
  EXPECT_TRUE(r.trusted) << r.verdict;
  const double kappa = 3 * 9.81 * (3 * windows + 1) / (2 * (4 * windows + 1));
  double theta = 0, rate = 1;  // by small steps of the exact equation
  const double h = 1e-4;
  for (int k = 0; k < 5000; ++k) {
    const auto f = [&](double x) { return kappa * std::sin(x); };
    const double k1 = rate, l1 = f(theta), k2 = rate + h / 2 * l1, l2 = f(theta + h / 2 * k1),
                 k3 = rate + h / 2 * l2, l3 = f(theta + h / 2 * k2), k4 = rate + h * l3, l4 = f(theta + h * k3);
    theta += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    rate += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
  }
  EXPECT_NEAR(r.column("up0.angle").back(), pi / 2 - theta, 1e-8);
  EXPECT_NEAR(r.column("up20.angle").back(), pi / 2 - theta, 1e-8);
}
}  // namespace
}  // namespace mubody::testing
