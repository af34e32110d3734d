// A torque on a body in space.
#include "mubody/forces/torque.h"

#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
TEST(torque, in_axes_of_space_and_of_the_body) {
  const double T = 2;
  const Vec<3> I(0.2, 0.3, 0.4);
  for (const bool turns_along : {false, true}) {
    Model model = in_space({0, 0, 0});
    const BodyRef body = model.body(
        "body",
        {.mass = 1, .inertia = {I.x(), I.y(), I.z()}, .orientation = turn_about(Vec<3>::UnitZ(), pi / 2)});
    Torque torque;
    torque.torque = {Signal(T), Signal(0), Signal(0)};
    torque.axes.index = turns_along;
    model.force("torque", torque, model.ground().at(0, 0), body.at(0, 0));
    Motion at(model);
    // After a right angle about z, x of space is −y of the body.
    EXPECT_TRUE(same(at("body.alphax"), turns_along ? T / I.x() : 0));
    EXPECT_TRUE(same(at("body.alphay"), turns_along ? 0 : -T / I.y()));
  }
}
}  // namespace
}  // namespace mubody::testing
