// A pinion on a rack.
#include "mubody/joints/rack.h"

#include "mubody/joints/slot.h"
#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
TEST(rack, pinion_rolls_down_a_rack) {
  const double m = 2, I = 0.03, r = 0.15, slope = 0.3;
  Model model = in_plane({g * std::sin(slope), -g * std::cos(slope)});
  const BodyRef pinion = model.body("pinion", {.mass = m, .inertia = I, .position = {0, r}});
  model.joint("axle", Slot{}, model.ground().at(0, r), pinion.at(0, 0));
  Rack rack;
  rack.radius = r;
  model.joint("teeth", rack, model.ground().at(0, 0), pinion.at(0, 0));
  Motion at(model);
  // (m + I/r²) a = m g sin s, clockwise; the teeth turn the pinion with the force I a / r².
  const double a = g * std::sin(slope) / (1 + I / (m * r * r));
  EXPECT_TRUE(same(at("pinion.ax"), a));
  EXPECT_TRUE(same(at("pinion.alpha"), -a / r));
  EXPECT_TRUE(same(at("teeth.on_pinion.fx"), -I * a / (r * r)));
  EXPECT_TRUE(same(at("axle.on_pinion.fy"), m * g * std::cos(slope)));
}
}  // namespace
}  // namespace mubody::testing
