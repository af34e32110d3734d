// Drivers and contacts: applied at run time.
#include "tests/precompute/models.h"

namespace mubody::testing {
namespace {
TEST(driven_tables, follow_a_motor) {
  const Study study = example("slider_crank_driven");
  PrecomputeOptions o;
  o.bound = 1e-10;
  const Precomputed made = precompute(study, o);
  ASSERT_EQ(made.model.n(), 1);
  EXPECT_EQ(made.model.regions[0].variables[0].name, "motor");
  EXPECT_TRUE(made.model.regions[0].variables[0].periodic);
  const Results fast = run_real_time(made.model, study), full = run(study);
  ASSERT_TRUE(fast.outcome) << fast.outcome.why;
  for (const char* column : {"slider.x", "slider.vx", "slider.ax", "rod.angle", "crank.angle"})
    EXPECT_LT(apart(fast, full, column), 1e-7) << column;
  EXPECT_LT(apart(fast, full, "motor.on_crank.m"), 1e-6);  // the torque of the motor, a reaction
  EXPECT_LT(apart(fast, full, "guide.on_slider.fy"), 1e-6);
}

// A trolley on rails that a driver shakes, with a pendulum that swings freely below it.
constexpr const char* trolley = R"toml(
gravity = [0, -9.81]
[bodies]
trolley = {mass = 5, inertia = 1, position = [0, 0]}
bob     = {mass = 1, inertia = 0.01, position = [0, -1], omega = 1}
[joints]
rails = {type = "translational", bodies = ["ground", "trolley"], i = {at = [0, 0], axis = [1, 0]}, j = [0, 0]}
pin   = {type = "revolute", bodies = ["trolley", "bob"], at = [0, 0]}
[drivers]
shaker = {type = "slide", joint = "rails", value = "= 0.2*sin(3*t)"}
[forces]
damper = {type = "torsion_spring", bodies = ["trolley", "bob"], damping = 0.3}
[analysis]
end = 6
rtol = 1e-11
[output]
step = 0.05
)toml";

TEST(driven_tables, leave_other_variables_free) {
  const Study study = io::read_study_text(trolley, "trolley.toml");
  PrecomputeOptions o;
  o.bound = 1e-7;
  const Precomputed made = precompute(study, o);
  ASSERT_EQ(made.model.n(), 2);
  // Nothing depends on where the trolley is, so that it is cyclic, and comes last.
  EXPECT_EQ(made.model.regions[0].variables[0].name, "pin.angle");
  EXPECT_EQ(made.model.regions[0].variables[1].name, "shaker");
  const Results fast = run_real_time(made.model, study), full = mubody::run(study);
  ASSERT_TRUE(fast.outcome) << fast.outcome.why;
  for (const char* column : {"bob.angle", "bob.x", "trolley.x"})
    EXPECT_LT(apart(fast, full, column), 1e-6) << column;
  EXPECT_LT(apart(fast, full, "shaker.on_trolley.fx"), 1e-4);
  // The work of the driver is counted, so that the balance closes.
  EXPECT_LT(fast.statistics.energy_residual, 1e-5);
  EXPECT_LT(apart(fast, full, "driver_work"), 1e-5);
  // The same with fixed steps.
  RealTime run(made.model, study.mechanism);
  RealTime::State s = run.start();
  for (int k = 0; k < 6000; ++k) ASSERT_TRUE(run.step(s, 1e-3));
  VecX q(6);
  run.positions(s, q);
  EXPECT_NEAR(q[0], 0.2 * std::sin(18), 1e-7);
  EXPECT_NEAR(q[5], full.column("bob.angle").back(), 1e-6);
}

// A pendulum that swings into a wall and bounces off it.
constexpr const char* bell = R"(
gravity = [0, -9.81]
[bodies]
clapper = {mass = 1, inertia = 0.05, position = [0.8, 0]}
[joints]
pin = {type = "revolute", bodies = ["ground", "clapper"], at = [0, 0]}
[forces]
rim = {type = "line_contact", bodies = ["ground", "clapper"], i = {at = [-0.3, 0], axis = [0, -1]}, j = [0, 0], radius = 0.05, law = {type = "hunt_crossley", stiffness = 1e5, restitution = 0.7}}
[analysis]
end = 3
rtol = 1e-10
[output]
step = 0.01
)";

TEST(contacts_of_tables, bounce_as_those_of_the_model) {
  const Study study = io::read_study_text(bell, "bell.toml");
  const Precomputed made = precompute(study, {});
  EXPECT_EQ(made.run_time, std::vector<std::string>{"rim"});
  const Results fast = run_real_time(made.model, study), full = run(study);
  ASSERT_TRUE(fast.outcome) << fast.outcome.why;
  ASSERT_GE(full.contacts.size(), 2u);
  ASSERT_EQ(fast.contacts.size(), full.contacts.size());
  for (std::size_t k = 0; k < full.contacts.size(); ++k) {
    EXPECT_NEAR(fast.contacts[k].onset, full.contacts[k].onset, 1e-6);
    EXPECT_NEAR(fast.contacts[k].speed_in, full.contacts[k].speed_in, 1e-5);
    EXPECT_NEAR(fast.contacts[k].peak_force / full.contacts[k].peak_force, 1, 1e-3);
  }
  EXPECT_LT(apart(fast, full, "clapper.angle"), 1e-5);
}

TEST(contacts_of_tables, bounce_in_fixed_steps) {
  const Study study = io::read_study_text(bell, "bell.toml");
  const Precomputed made = precompute(study, {});
  RealTime run(made.model, study.mechanism);
  RealTime::State s = run.start();
  const int steps = 60000;
  for (int k = 0; k < steps; ++k) ASSERT_TRUE(run.step(s, 3.0 / steps));
  VecX q(3);
  run.positions(s, q);
  // The instant of contact is known to a step only: 5e-5 s at 3 m/s.
  EXPECT_NEAR(q[2], mubody::run(study).column("clapper.angle").back(), 2e-2);
}
}  // namespace
}  // namespace mubody::testing
