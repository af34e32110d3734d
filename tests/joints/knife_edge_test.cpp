// Chaplygin's sleigh.
#include "mubody/joints/knife_edge.h"

#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
TEST(knife_edge, sleigh_of_chaplygin) {
  const double m = 2, I = 0.4, a = 0.3, v = 1.5, w = 2;
  Model model = in_plane({0, 0});
  const BodyRef sleigh = model.body(
      "sleigh", {.mass = m, .inertia = I, .position = {a, 0}, .velocity = {v, a * w}, .omega = {0, 0, w}});
  model.joint("blade", KnifeEdge{}, model.ground().at(0, 0), sleigh.at(-a, 0));
  Motion at(model);
  // Chaplygin (1911): (I + m a²) ω̇ = −m a v ω; nothing pushes along the blade, and across it m (a ω̇ + v ω) does.
  const double alpha = -m * a * v * w / (I + m * a * a);
  EXPECT_TRUE(same(at("sleigh.alpha"), alpha));
  EXPECT_TRUE(same(at("sleigh.ax"), 0));
  EXPECT_TRUE(same(at("blade.on_sleigh.fy"), m * (a * alpha + v * w)));
}
}  // namespace
}  // namespace mubody::testing
