// Deflections of a bushing.
#include "mubody/forces/bushing.h"

#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
TEST(bushing, carries_a_weight_in_balance) {
  const double m = 3, k = 2e4;
  Model model = in_plane();
  const BodyRef block = model.body("block", {.mass = m, .inertia = 1, .position = {0, -m * g / k}});
  Bushing bush;
  bush.stiffness = {1e3, k, 10};
  model.force("bush", bush, model.ground().at(0, 0), block.at(0, 0));
  // The weight deflects it by m g / k, and there everything rests.
  EXPECT_TRUE(same(Motion(model)("block.ay"), 0));
  EXPECT_TRUE(same(Motion(model)("bush.fy"), -m * g));
}

TEST(bushing, whole_matrix_in_the_plane) {
  const double m = 2, I = 0.5, x = 0.01, y = -0.02, angle = 0.03;
  Model model = in_plane({0, 0});
  const BodyRef block = model.body("block", {.mass = m, .inertia = I, .position = {x, y}, .angle = angle});
  Bushing bush;
  bush.stiffness = {500, 100, 20, 100, 800, 30, 20, 30, 60};
  bush.preload = {1, 2, 3};
  model.force("bush", bush, model.ground().at(0, 0), block.at(0, 0));
  Motion at(model);
  // −(F_0 + K s), s = (x, y, angle) in the axes of the ground.
  EXPECT_TRUE(same(at("block.ax"), -(1 + 500 * x + 100 * y + 20 * angle) / m));
  EXPECT_TRUE(same(at("block.ay"), -(2 + 100 * x + 800 * y + 30 * angle) / m));
  EXPECT_TRUE(same(at("block.alpha"), -(3 + 20 * x + 30 * y + 60 * angle) / I));
}

TEST(bushing, twist_of_any_size_about_one_axis) {
  const double I = 0.5, k = 60, twist = 1.3;
  Model model = in_space({0, 0, 0});
  const BodyRef block =
      model.body("block", {.mass = 1, .inertia = I, .orientation = turn_about(Vec<3>::UnitX(), twist)});
  Bushing bush;
  bush.stiffness = {1, 1, 1, k, 0, 0};
  model.force("bush", bush, model.ground().at(0, 0), block.at(0, 0));
  // About a single axis the twist is the angle itself.
  EXPECT_TRUE(same(Motion(model)("block.alphax"), -k * twist / I));
}
}  // namespace
}  // namespace mubody::testing
