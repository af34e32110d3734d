// A wheel on a road.
#include "mubody/forces/tyre.h"

#include "mubody/functions/polynomial.h"
#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
// The force of a tyre whose centre is at a height, sinking, on a road that rises and runs under it.
double force_of_tyre(double height, double sinking, double rise = 0, double speed = 0) {
  Model model = in_plane();
  const BodyRef wheel =
      model.body("wheel", {.mass = 20, .inertia = 1, .position = {0.5, height}, .velocity = {0, -sinking}});
  Tyre tyre;
  tyre.radius = 0.3, tyre.stiffness = 2e5, tyre.damping = 300, tyre.speed = speed;
  tyre.profile = Function(Polynomial{{0, rise}});
  model.force("tyre", tyre, model.ground().at(0, 0), wheel.at(0, 0));
  return Motion(model)("tyre.force");
}

TEST(tyre, force_of_compression_and_its_rate) {
  // Pressed by 0.02 m and sinking by 0.1 m/s: k c + d ċ.
  EXPECT_TRUE(same(force_of_tyre(0.28, 0.1), 2e5 * 0.02 + 300 * 0.1, 200));
  // A road that rises by 0.1 is 0.05 higher there, and at 2 m/s it lifts by 0.2 m/s.
  EXPECT_TRUE(same(force_of_tyre(0.28, 0, 0.1, 2), 2e5 * 0.07 + 300 * 0.2, 200));
}

TEST(tyre, never_pulls) {
  EXPECT_EQ(force_of_tyre(0.31, 5), 0);     // above the road, though it sinks
  EXPECT_EQ(force_of_tyre(0.2999, -2), 0);  // rebounds faster than the spring: k c = 20 N against d ċ = 600 N
}
}  // namespace
}  // namespace mubody::testing
