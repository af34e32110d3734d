// A Scotch yoke.
#include "mubody/joints/slot.h"

#include "mubody/functions/polynomial.h"
#include "mubody/joints/angle.h"
#include "mubody/joints/revolute.h"
#include "mubody/joints/translational.h"
#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
TEST(slot, scotch_yoke) {
  const double r = 0.2, w = 5, m = 3;
  Model model = in_plane({0, 0});
  const BodyRef crank = model.body("crank", {.mass = 1, .inertia = 0.1});
  const BodyRef yoke = model.body("yoke", {.mass = m, .inertia = 1, .position = {r, 0}});
  model.joint("axle", Revolute{}, model.ground().at(0, 0), crank.at(0, 0));
  model.joint("guide", Translational{}, model.ground().at(0, 0), yoke.at(0, 0));
  model.joint("pin", Slot{}, turned(yoke.at(0, 0), pi / 2), crank.at(r, 0));
  Angle motor;
  motor.value = Function(Polynomial{{0, w}});
  model.joint("motor", motor, model.ground().at(0, 0), crank.at(0, 0));
  Motion at(model);
  // The pin at r (cos w t, sin w t) gives the yoke x = r cos w t, and pushes it with m ẍ across the slot.
  for (const double t : {0., 0.15}) {
    at.to(t);
    EXPECT_TRUE(same(at("yoke.x"), r * std::cos(w * t)));
    EXPECT_TRUE(same(at("yoke.ax"), -r * w * w * std::cos(w * t)));
    EXPECT_TRUE(same(at("pin.on_yoke.fx"), -m * r * w * w * std::cos(w * t)));
    EXPECT_TRUE(same(at("pin.on_yoke.fy"), 0, 50));
  }
}
}  // namespace
}  // namespace mubody::testing
