// A motor that turns a rod.
#include "mubody/joints/angle.h"

#include "mubody/functions/polynomial.h"
#include "mubody/joints/revolute.h"
#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
TEST(angle, motor_torque_on_a_horizontal_rod) {
  const double m = 2, c = 0.5, I = 0.2, alpha = 3;
  Model model = in_plane();
  const BodyRef rod = model.body("rod", {.mass = m, .inertia = I, .position = {c, 0}});
  model.joint("pin", Revolute{}, model.ground().at(0, 0), rod.at(-c, 0));
  Angle motor;
  motor.value = Function(Polynomial{{0, 0, alpha / 2}});
  model.joint("motor", motor, model.ground().at(0, 0), rod.at(-c, 0));
  Motion at(model);
  // T = (I + m c²) α + m g c cos φ.
  EXPECT_TRUE(same(at("motor.on_rod.m"), (I + m * c * c) * alpha + m * g * c));
  at.to(2);
  // After two seconds the angle is 2 α: nearly a whole turn, counted on; and T as above at that angle.
  EXPECT_TRUE(same(at("motor.angle"), 2 * alpha));
  EXPECT_TRUE(same(at("motor.on_rod.m"), (I + m * c * c) * alpha + m * g * c * std::cos(2 * alpha)));
}
}  // namespace
}  // namespace mubody::testing
