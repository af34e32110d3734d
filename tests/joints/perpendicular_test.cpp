// A body one axis of which stays level.
#include "mubody/joints/perpendicular.h"

#include "mubody/forces/torque.h"
#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
TEST(perpendicular, holds_one_turn_of_three) {
  const Vec<3> I(0.2, 0.3, 0.4), T(1, 2, 3);
  Model model = in_space();
  const BodyRef body = model.body("body", {.mass = 1, .inertia = {I.x(), I.y(), I.z()}});
  model.joint("level", Perpendicular{}, model.ground().at(0, 0), body.at(0, 0));
  Torque torque;
  torque.torque = {Signal(T.x()), Signal(T.y()), Signal(T.z())};
  model.force("torque", torque, model.ground().at(0, 0), body.at(0, 0));
  Motion at(model);
  // x of the body stays level: turns about x and z are free, α = T/I, that about y is held.
  EXPECT_TRUE(same(at("body.alphax"), T.x() / I.x()));
  EXPECT_TRUE(same(at("body.alphay"), 0));
  EXPECT_TRUE(same(at("body.alphaz"), T.z() / I.z()));
  EXPECT_TRUE(same(at("level.on_body.my"), -T.y()));
  EXPECT_TRUE(same(at("body.az"), -g));
}
}  // namespace
}  // namespace mubody::testing
