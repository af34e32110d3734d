// A block on a smooth inclined plane.
#include "mubody/joints/planar.h"

#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
TEST(planar, block_slides_and_turns_on_a_smooth_plane) {
  const double m = 3, slope = 0.3, h = 0.2, push = 4, c = 0.1;
  Model model = in_space({g * std::sin(slope), 0, -g * std::cos(slope)});
  const BodyRef block = model.body("block", {.mass = m, .inertia = {0.2, 0.3, 0.4}, .position = {0, 0, h}});
  model.joint("plane", Planar{}, model.ground().at(0, 0), block.at(0, 0, -h));
  model.force("push", block.at(c, 0), [=](double, const State&) { return Components{0, push, 0}; });
  Motion at(model);
  // g sin s downhill, F/m across, c F / I about the normal; the plane carries m g cos s.
  EXPECT_TRUE(same(at("block.ax"), g * std::sin(slope)));
  EXPECT_TRUE(same(at("block.ay"), push / m));
  EXPECT_TRUE(same(at("block.alphaz"), c * push / 0.4));
  EXPECT_TRUE(same(at("plane.on_block.fz"), m * g * std::cos(slope)));
}
}  // namespace
}  // namespace mubody::testing
