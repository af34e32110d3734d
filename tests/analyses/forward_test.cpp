// Forward dynamics of small mechanisms with known answers.
#include "mubody/forces/laws/expression_law.h"
#include "mubody/forces/laws/polynomial_law.h"
#include "mubody/forces/moment.h"
#include "mubody/forces/point_force.h"
#include "mubody/forces/spring.h"
#include "mubody/forces/torsion_spring.h"
#include "mubody/functions/formula.h"
#include "mubody/joints/fixed.h"
#include "mubody/joints/gear.h"
#include "mubody/joints/rack.h"
#include "tests/analyses/study.h"

namespace mubody::testing {
namespace {
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
  m.gravity = {g * std::sin(slope), -g * std::cos(slope), 0};
  m.bodies = {body("cylinder", 2, 0.5 * 2 * radius * radius, 0, radius, 0.2)};
  Slot height;
  height.i = marker(ground, 0, radius), height.j = marker(1, 0, 0);
  m.add_joint("height", height);
  Rack rack;
  rack.i = marker(ground, 0, 0), rack.j = marker(1, 0, 0);
  rack.radius = radius;
  m.add_joint("roll", rack);
  m.prepare();
  const Results r = run_forward(study(m, 2));
  const double travel = 0.5 * (2.0 / 3) * g * std::sin(slope) * 4;
  EXPECT_NEAR(r.column("cylinder.x").back(), travel, 1e-8);
  EXPECT_NEAR(r.column("cylinder.angle").back(), 0.2 - travel / radius, 1e-8);
  EXPECT_NEAR(r.column("height.on_cylinder.fy").back(), 2 * g * std::cos(slope), 1e-8);
  EXPECT_NEAR(r.column("roll.on_cylinder.fx").back(), -2 * g * std::sin(slope) / 3, 1e-8);
}

// A planet between a fixed sun and a turning carrier: ω_p = (1 + r_s / r_p) ω_c, over several turns.
TEST(forward, a_planet_gear_counts_turns) {
  Mechanism m;
  m.bodies = {body("carrier", 1, 0.5, 0, 0, 0), body("planet", 0.5, 0.01, 1.5, 0, 0.3)};
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
  EXPECT_NEAR(r.column("planet.angle").back(), 60.3, 1e-9);
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
  const double kappa = 3 * g * (3 * windows + 1) / (2 * (4 * windows + 1));
  double theta = 0, rate = 1;  // integrated in small steps of the exact equation
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

TEST(forward, controlled_steps_cross_the_flat_positions_of_a_parallelogram_at_any_tolerance) {
  // Each of the 19 crossings is damped, which may cost 1e-8 rad however small the steps are.
  constexpr double crossings = 2e-7;
  for (double digits = 6; digits < 12.6; digits += 0.25) {
    const double rtol = std::pow(10, -digits);
    Study s = study(parallelogram(), 20);
    s.analysis.assembly.hold = {"left.omega"};
    s.analysis.control.rtol = rtol;
    const Results r = run_forward(s);
    EXPECT_TRUE(r.trusted) << r.verdict << " at rtol " << rtol;
    EXPECT_NEAR(r.column("left.angle").back(), pi / 2 + 60, 1e3 * rtol + crossings);
    EXPECT_NEAR(r.column("bar.angle").back(), 0, 1e-7);
  }
}

TEST(forward, a_structure_at_rest_is_trusted) {
  Mechanism m;
  m.gravity = {0, -g, 0};
  m.bodies = {body("beam", 1, 1, 1, 0, 0)};
  Fixed weld;
  weld.i = marker(ground, 0, 0), weld.j = marker(1, -1, 0);
  m.add_joint("weld", weld);
  PointForce push;
  push.j = marker(1, 0, 1);
  push.force = {Signal(polynomial({0, 2, -3})), Signal(0.0)};
  m.add_force("push", push);
  m.prepare();
  const Results r = run_forward(study(m, 5));
  EXPECT_TRUE(r.trusted) << r.verdict;
  EXPECT_NEAR(r.column("weld.on_beam.fy").back(), g, 1e-12);
}

TEST(forward, a_short_pulse_is_not_stepped_over) {
  Mechanism m;
  m.bodies = {body("block", 1, 1, 0, 0, 0)};
  PointForce pulse;
  pulse.j = marker(1, 0, 0);
  Formula f;
  f.text = "if(t > 4.2 and t < 4.3, 100, 0)";
  pulse.force = {Signal(Function(f)), Signal(0.0)};
  m.add_force("pulse", pulse);
  m.prepare();
  const Results r = run_forward(study(m, 10));
  EXPECT_NEAR(r.column("block.vx").back(), 10, 1e-5);
}

TEST(forward, drivers_that_contradict_each_other_later_stop_the_run) {
  Mechanism m;
  m.bodies = {body("wheel", 1, 1, 0, 0, 0)};
  m.add_joint("pin", revolute(marker(ground, 0, 0), marker(1, 0, 0)));
  m.add_joint("one", motor(ground, 1, polynomial({0, 1})));
  Formula f;
  f.text = "t + if(t > 0.5, (t - 0.5)^3, 0)";
  m.add_joint("two", motor(ground, 1, Function(f)));
  m.bodies[0].omega.z() = 1;
  m.prepare();
  const Results r = run_forward(study(m, 2));
  EXPECT_EQ(r.outcome.kind, Outcome::singular) << r.verdict;
  EXPECT_NE(r.outcome.why.find("driver '"), std::string::npos) << r.outcome.why;
  EXPECT_LT(r.outcome.at, 0.7);
}

TEST(forward, a_point_mass_swings_the_same_on_any_scale) {
  for (const double L : {1e3, 1.0, 1e-3, 1e-5}) {
    Mechanism m;
    m.gravity = {0, -g * L, 0};  // the same period for every length
    m.bodies = {body("bob", 1, 0, L, 0, 0)};
    m.add_joint("pin", revolute(marker(ground, 0, 0), marker(1, -L, 0)));
    m.prepare();
    const Results r = run_forward(study(m, 1));
    EXPECT_NEAR(r.column("bob.x").back() / L, -0.9862917511318753, 1e-6) << "L = " << L;
  }
}
}  // namespace
}  // namespace mubody::testing
