// A rod whose foot keeps its height.
#include "mubody/joints/coordinate.h"

#include "mubody/functions/polynomial.h"
#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
TEST(coordinate, rod_whose_foot_keeps_its_height) {
  const double m = 2, L = 1.2, slope = 0.9, c = std::cos(slope);
  Model model = in_plane();
  const BodyRef rod = model.body(
      "rod", {.mass = m, .inertia = m * L * L / 12, .position = {0, L / 2 * std::sin(slope)}, .angle = slope});
  Coordinate height;
  height.coordinate.index = 1;
  model.joint("floor", height, model.ground().at(0, 0), rod.at(-L / 2, 0));
  Motion at(model);
  // N − m g = m (L/2) cos s s̈ and I s̈ = −N (L/2) cos s: N = m g / (1 + 3 cos² s).
  EXPECT_TRUE(same(at("floor.on_rod.fy"), m * g / (1 + 3 * c * c)));
  EXPECT_TRUE(same(at("floor.on_rod.fx"), 0));
  EXPECT_TRUE(same(at("rod.ax"), 0));
}

TEST(coordinate, given_angle_takes_a_moment_and_no_force) {
  const double I = 0.3, alpha = 4;
  Model model = in_plane();
  const BodyRef disc = model.body("disc", {.mass = 1, .inertia = I});
  Coordinate angle;
  angle.coordinate.index = 3;
  angle.value = Function(Polynomial{{0, 0, alpha / 2}});
  model.joint("turn", angle, model.ground().at(0, 0), disc.at(0, 0));
  Motion at(model);
  // The moment is I α, and the disc falls as if nothing held it.
  EXPECT_TRUE(same(at("turn.on_disc.m"), I * alpha));
  EXPECT_TRUE(same(at("disc.ay"), -g));
}
}  // namespace
}  // namespace mubody::testing
