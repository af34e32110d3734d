// A moment between two bodies.
#include "mubody/forces/moment.h"

#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
TEST(moment, turns_two_discs_against_each_other) {
  const double M = 3, I1 = 0.2, I2 = 0.5;
  Model model = in_plane({0, 0});
  const BodyRef one = model.body("one", {.mass = 1, .inertia = I1, .angle = 0.4});
  const BodyRef two = model.body("two", {.mass = 1, .inertia = I2, .position = {2, 0}});
  Moment moment;
  moment.moment = M;
  model.force("motor", moment, one.at(0.1, 0), two.at(0, 0.3));
  Motion at(model);
  // M on j, −M on i, wherever it acts, and no force.
  EXPECT_TRUE(same(at("one.alpha"), -M / I1));
  EXPECT_TRUE(same(at("two.alpha"), M / I2));
  EXPECT_TRUE(same(at("two.ax"), 0));
}

TEST(moment, acts_about_an_axis_of_its_body_in_space) {
  const double M = 3;
  Model model = in_space({0, 0, 0});
  const BodyRef body = model.body(
      "body", {.mass = 1, .inertia = {0.2, 0.3, 0.4}, .orientation = turn_about(Vec<3>::UnitZ(), 0.7)});
  Moment moment;
  moment.moment = M;
  model.force("motor", moment, model.ground().at(0, 0), with_axis(body.at(0, 0), Vec<3>::UnitY()));
  // About y of the body, not of the ground.
  EXPECT_TRUE(same(Motion(model)("body.alphay"), M / 0.3));
  EXPECT_TRUE(same(Motion(model)("body.alphax"), 0));
}
}  // namespace
}  // namespace mubody::testing
