// A rod on a pin.
#include "mubody/joints/revolute.h"

#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
TEST(revolute, rod_let_go_from_the_horizontal) {
  const double m = 2, L = 0.8;
  Model model = in_plane();
  const BodyRef rod = model.body("rod", {.mass = m, .inertia = m * L * L / 12, .position = {L / 2, 0}});
  model.joint("pin", Revolute{}, model.ground().at(0, 0), rod.at(-L / 2, 0));
  Motion at(model);
  // Moments about the pin: m L²/3 α = −m g L/2; the pin carries m g − m (3/4) g.
  EXPECT_TRUE(same(at("rod.alpha"), -1.5 * g / L));
  EXPECT_TRUE(same(at("pin.on_rod.fy"), m * g / 4));
  EXPECT_TRUE(same(at("pin.on_rod.fx"), 0));
}

TEST(revolute, hanging_rod_that_swings_through) {
  const double m = 2, L = 0.8, w = 3;
  Model model = in_plane();
  const BodyRef rod = model.body("rod", {.mass = m,
                                         .inertia = m * L * L / 12,
                                         .position = {0, -L / 2},
                                         .angle = -pi / 2,
                                         .velocity = {w * L / 2, 0},
                                         .omega = {0, 0, w}});
  model.joint("pin", Revolute{}, model.ground().at(0, 0), rod.at(-L / 2, 0));
  // The pin carries the weight and turns the centre, L/2 away, towards itself.
  EXPECT_TRUE(same(Motion(model)("pin.on_rod.fy"), m * (g + w * w * L / 2)));
}
}  // namespace
}  // namespace mubody::testing
