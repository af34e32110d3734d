// A block on an incline.
#include "mubody/joints/translational.h"

#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
TEST(translational, block_slides_down_an_incline) {
  const double m = 3, slope = 0.4, c = 0.2;
  Model model = in_plane();
  const BodyRef block = model.body("block", {.mass = m, .inertia = 0.1, .position = {0, 0}, .angle = slope});
  const Vec<3> foot(c * std::cos(slope), c * std::sin(slope), 0);
  model.joint("guide", Translational{}, model.ground().at(foot, turn_about_z(slope)), block.at(c, 0));
  Motion at(model);
  // Along the guide −g sin a; across it the guide carries N = m g cos a.
  const double along = -g * std::sin(slope), N = m * g * std::cos(slope);
  EXPECT_TRUE(same(at("block.ax"), along * std::cos(slope)));
  EXPECT_TRUE(same(at("block.ay"), along * std::sin(slope)));
  EXPECT_TRUE(same(at("guide.on_block.fx"), -N * std::sin(slope)));
  EXPECT_TRUE(same(at("guide.on_block.fy"), N * std::cos(slope)));
  // N acts c ahead of the centre, and the block must not turn: the guide adds −N c.
  EXPECT_TRUE(same(at("guide.on_block.m"), -N * c));
}
}  // namespace
}  // namespace mubody::testing
