// A brake: it rubs, holds and lets go.
#include "mubody/forces/brake.h"

#include "mubody/functions/formula.h"
#include "mubody/joints/revolute.h"
#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
// A wheel on an axle, with a brake whose torque follows a formula.
Model braked_wheel(const char* torque, double spin, double stiffness = 1e5, double load = 0) {
  Model model = in_plane({0, 0});
  const BodyRef wheel = model.body("wheel", {.mass = 1, .inertia = 2, .omega = {0, 0, spin}});
  model.joint("axle", Revolute{}, model.ground().at(0, 0), wheel.at(0, 0));
  Formula formula;
  formula.text = torque;
  Brake brake;
  brake.effort = Signal(Function(formula));
  brake.stiffness = stiffness;
  model.force("brake", brake, model.ground().at(0, 0), wheel.at(0, 0));
  JointMotor motor;
  motor.effort = Signal(load);
  model.motor("axle", motor);
  return model;
}

TEST(brake, slows_down_with_its_torque_and_locks) {
  Simulation s(braked_wheel("50", 10), {.rtol = 1e-9, .atol = 1e-12});
  ASSERT_TRUE(s.advance_to(0.3));
  EXPECT_NEAR(s[s.output("brake.moment")], -50, 1e-6);
  EXPECT_NEAR(s[s.output("wheel.omega")], 10 - 50 / 2.0 * 0.3, 2e-2);
  ASSERT_TRUE(s.advance_to(2));
  const double angle = s[s.output("wheel.angle")];
  EXPECT_NEAR(angle, 10 * 10 * 2 / (2 * 50.0), 5e-3);  // ω² I/(2 T)
  ASSERT_TRUE(s.advance_to(100));
  EXPECT_NEAR(s[s.output("wheel.omega")], 0, 1e-10);
  EXPECT_NEAR(s[s.output("wheel.angle")], angle, 1e-4);
  const Results r = s.finish();
  EXPECT_LT(r.statistics.energy_residual, 1e-6 * r.statistics.energy_scale);
}

// What holds a torque below its own does not creep; when it has less it lets go.
TEST(brake, holds_and_lets_go) {
  Motion motion(braked_wheel("if(t < 50, 50, 10)", 0, 1e5, 20), {.rtol = 1e-9, .atol = 1e-13});
  motion.to(10);
  EXPECT_NEAR(motion("brake.moment"), -20, 1e-6);
  EXPECT_NEAR(motion("wheel.angle"), 20 / 1e5, 2e-4);
  const double angle = motion("wheel.angle");
  motion.to(49);
  EXPECT_NEAR(motion("wheel.angle"), angle, 1e-11);
  motion.to(52);
  EXPECT_NEAR(motion("brake.moment"), -10, 1e-6);
  EXPECT_NEAR(motion("wheel.alpha"), (20 - 10) / 2.0, 1e-5);
}
}  // namespace
}  // namespace mubody::testing
