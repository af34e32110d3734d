// Two bent shafts that turn alike.
#include "mubody/joints/constant_velocity.h"

#include "mubody/forces/moment.h"
#include "mubody/joints/parallel.h"
#include "mubody/joints/revolute.h"
#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
TEST(constant_velocity, bent_shafts_turn_as_one) {
  const double bend = 0.6, I1 = 0.1, I2 = 0.3, T = 2, speed = 4;
  const Vec<3> x = Vec<3>::UnitX(), axis(std::cos(bend), std::sin(bend), 0);
  Model model = in_space();
  const BodyRef one = model.body("one", {.mass = 1, .inertia = I1, .omega = {speed, 0, 0}});
  const BodyRef two = model.body("two", {.mass = 1, .inertia = I2, .omega = Vec<3>(speed * axis)});
  model.joint("bearing", Revolute{}, with_axis(model.ground().at(0, 0), x), with_axis(one.at(0, 0), x));
  model.joint("hold", Parallel{}, with_axis(model.ground().at(0, 0), axis), with_axis(two.at(0, 0), axis));
  model.joint("joint", ConstantVelocity{}, with_axis(one.at(0, 0), x), with_axis(two.at(0, 0), axis));
  Moment motor;
  motor.moment = T;
  model.force("motor", motor, with_axis(model.ground().at(0, 0), x), with_axis(one.at(0, 0), x));
  Motion at(model);
  // α = T / (I_1 + I_2), whatever the bend and wherever the shafts are.
  for (const double t : {0., 0.2}) {
    at.to(t);
    EXPECT_TRUE(same(at("one.alphax"), T / (I1 + I2), 1000));
    EXPECT_TRUE(same(at("two.alphax") * axis.x() + at("two.alphay") * axis.y(), T / (I1 + I2), 1000));
    EXPECT_TRUE(same(at("two.wx") * axis.x() + at("two.wy") * axis.y(), at("one.wx"), 100));
  }
}
}  // namespace
}  // namespace mubody::testing
