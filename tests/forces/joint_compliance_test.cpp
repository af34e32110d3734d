// A pin that gives way.
#include "mubody/forces/joint_compliance.h"

#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
TEST(joint_compliance, elastic_pin_turns_freely) {
  const double m = 2, k = 4e3, z = 1e-3, turn = 2;
  Model model = in_space({0, 0, 0});
  const BodyRef wheel = model.body("wheel", {.mass = m,
                                             .inertia = {0.1, 0.1, 0.2},
                                             .position = {0, 0, z},
                                             .orientation = turn_about(Vec<3>::UnitZ(), turn)});
  JointCompliance pin;
  pin.stiffness = {1e5, 1e5, k, 50, 50, 70};
  pin.pin = true;
  model.force("pin", pin, model.ground().at(0, 0), wheel.at(0, 0));
  Motion at(model);
  // Along the axis −k z; the turn about it is free and counted.
  EXPECT_TRUE(same(at("wheel.az"), -k * z / m));
  EXPECT_TRUE(same(at("wheel.alphaz"), 0));
  EXPECT_TRUE(same(at("pin.angle"), turn));
}

TEST(joint_compliance, tilt_of_the_axis_is_held_whatever_the_free_turn) {
  const double I = 0.1, k = 50, tilt = 0.02, turn = 2;
  const Quaternion stand = turn_about(Vec<3>::UnitX(), tilt) * turn_about(Vec<3>::UnitZ(), turn);
  Model model = in_space({0, 0, 0});
  const BodyRef wheel = model.body("wheel", {.mass = 1, .inertia = {I, I, 0.2}, .orientation = stand});
  JointCompliance pin;
  pin.stiffness = {1, 1, 1, k, k, 0};
  pin.pin = true;
  model.force("pin", pin, model.ground().at(0, 0), wheel.at(0, 0));
  Motion at(model);
  // −k tilt about x of the ground, which in axes of the wheel has turned back by the free turn.
  EXPECT_TRUE(same(at("wheel.alphax"), -k * tilt / I * std::cos(turn)));
  EXPECT_TRUE(same(at("wheel.alphay"), k * tilt / I * std::sin(turn)));
}
}  // namespace
}  // namespace mubody::testing
