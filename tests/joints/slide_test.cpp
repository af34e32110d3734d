// A lift.
#include "mubody/joints/slide.h"

#include "mubody/functions/polynomial.h"
#include "mubody/joints/translational.h"
#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
TEST(slide, driven_lift) {
  const double m = 50, a = 1.2;
  Model model = in_plane();
  const BodyRef cabin = model.body("cabin", {.mass = m, .inertia = 5, .angle = pi / 2});
  model.joint("rail", Translational{}, turned(model.ground().at(0, 0), pi / 2), cabin.at(0, 0));
  Slide hoist;
  hoist.value = Function(Polynomial{{0, 0, a / 2}});
  model.joint("hoist", hoist, turned(model.ground().at(0, 0), pi / 2), cabin.at(0, 0));
  Motion at(model);
  // The travel a t²/2 upwards takes the force m (g + a).
  EXPECT_TRUE(same(at("hoist.on_cabin.fy"), m * (g + a)));
  at.to(0.5);
  EXPECT_TRUE(same(at("cabin.y"), a * 0.5 * 0.5 / 2));
  EXPECT_TRUE(same(at("hoist.slide_rate"), a * 0.5));
}
}  // namespace
}  // namespace mubody::testing
