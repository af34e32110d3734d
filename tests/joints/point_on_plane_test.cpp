// A rod whose foot stands on a smooth floor.
#include "mubody/joints/point_on_plane.h"

#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
TEST(point_on_plane, rod_that_slips_on_a_smooth_floor) {
  const double m = 2, L = 1.2, I = m * L * L / 12, slope = 0.9, c = std::cos(slope);
  Model model = in_space();
  const BodyRef rod = model.body("rod", {.mass = m,
                                         .inertia = {0.01, I, I},
                                         .position = {0, 0, L / 2 * std::sin(slope)},
                                         .orientation = turn_about(Vec<3>::UnitY(), -slope)});
  model.joint("floor", PointOnPlane{}, model.ground().at(0, 0), rod.at(-L / 2, 0));
  Motion at(model);
  // N − m g = m (L/2) cos s s̈ and I s̈ = −N (L/2) cos s: N = m g / (1 + 3 cos² s), and no force along the floor.
  const double N = m * g / (1 + 3 * c * c);
  EXPECT_TRUE(same(at("floor.on_rod.fz"), N));
  EXPECT_TRUE(same(at("floor.on_rod.fx"), 0));
  EXPECT_TRUE(same(at("rod.az"), N / m - g));
  EXPECT_TRUE(same(at("rod.alphay"), N * L / 2 * c / I));  // about −y the rod would rise
}
}  // namespace
}  // namespace mubody::testing
