// A disc that rolls down a slope.
#include "mubody/joints/rolling.h"

#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
TEST(rolling, disc_rolls_down_a_slope) {
  const double m = 2, r = 0.3, slope = 0.35;
  Model model = in_space({g * std::sin(slope), 0, -g * std::cos(slope)});
  const BodyRef disc = model.body(
      "disc", {.mass = m, .inertia = {m * r * r / 4, m * r * r / 2, m * r * r / 4}, .position = {0, 0, r}});
  Rolling rolling;
  rolling.radius = r;
  model.joint("road", rolling, model.ground().at(0, 0), with_axis(disc.at(0, 0), Vec<3>::UnitY()));
  Motion at(model);
  // (m + m/2) a = m g sin s, as I = m r²/2; friction is a third of the downhill force, the road carries m g cos s.
  EXPECT_TRUE(same(at("disc.ax"), 2. / 3 * g * std::sin(slope)));
  EXPECT_TRUE(same(at("disc.alphay"), 2. / 3 * g * std::sin(slope) / r));
  EXPECT_TRUE(same(at("road.on_disc.fx"), -m * g * std::sin(slope) / 3));
  EXPECT_TRUE(same(at("road.on_disc.fz"), m * g * std::cos(slope)));
}
}  // namespace
}  // namespace mubody::testing
