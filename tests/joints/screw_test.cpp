// A nut that sinks on a vertical screw.
#include "mubody/joints/screw.h"

#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
TEST(screw, sinking_nut_carries_its_own_inertia_along) {
  const double m = 2, J = 0.003, pitch = 0.05, lead = pitch / (2 * pi);
  Model model = in_space();
  const BodyRef nut = model.body("nut", {.mass = m, .inertia = {0.01, 0.01, J}});
  Screw screw;
  screw.pitch = pitch;
  model.joint("thread", screw, model.ground().at(0, 0), nut.at(0, 0));
  Motion at(model, {.rtol = 1e-12, .atol = 1e-14});
  // m z̈ + J θ̈ / l = −m g with z = l θ: the turning makes the nut heavier by J/l².
  const double fall = -g / (1 + J / (m * lead * lead));
  EXPECT_TRUE(same(at("nut.az"), fall));
  EXPECT_TRUE(same(at("nut.alphaz"), fall / lead));
  at.to(0.3);
  // z = z̈ t²/2 up to the error of the steps, and exactly one pitch in every turn.
  EXPECT_NEAR(at("nut.z"), fall * 0.3 * 0.3 / 2, 1e-11);
  EXPECT_TRUE(same(at("thread.angle"), 2 * pi * at("nut.z") / pitch, 200));
}
}  // namespace
}  // namespace mubody::testing
