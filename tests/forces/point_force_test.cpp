// A force at an arm.
#include "mubody/forces/point_force.h"

#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
TEST(point_force, pushes_and_turns) {
  const double m = 2, I = 0.3, angle = 0.6;
  const Vec<2> arm(0.4, -0.1), F(3, 5);
  for (const bool turns_along : {false, true}) {
    Model model = in_plane({0, 0});
    const BodyRef body = model.body("body", {.mass = m, .inertia = I, .angle = angle});
    PointForce force;
    force.force = {Signal(F.x()), Signal(F.y())};
    force.axes.index = turns_along;
    model.force("push", force, model.ground().at(0, 0), body.at(arm.x(), arm.y()));
    Motion at(model);
    // a = F/m and α = s × F / I with arm and force in the same axes; one of the two turns by the angle of the body.
    const Eigen::Rotation2Dd R(angle);
    const Vec<2> global = turns_along ? Vec<2>(R * F) : F, s = R * arm;
    EXPECT_TRUE(same(at("body.ax"), global.x() / m));
    EXPECT_TRUE(same(at("body.ay"), global.y() / m));
    EXPECT_TRUE(same(at("body.alpha"), (s.x() * global.y() - s.y() * global.x()) / I));
  }
}
}  // namespace
}  // namespace mubody::testing
