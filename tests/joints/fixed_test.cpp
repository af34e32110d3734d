// A beam that is built in.
#include "mubody/joints/fixed.h"

#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
TEST(fixed, clamp_of_a_beam_in_the_plane) {
  const double m = 4, c = 0.6;
  Model model = in_plane();
  const BodyRef beam = model.body("beam", {.mass = m, .inertia = 0.5, .position = {c, 0}});
  model.joint("clamp", Fixed{}, model.ground().at(0, 0), beam.at(-c, 0));
  Motion at(model);
  // Force m g, and the moment m g c of the weight about the clamp.
  EXPECT_TRUE(same(at("clamp.on_beam.fy"), m * g));
  EXPECT_TRUE(same(at("clamp.on_beam.m"), m * g * c));
  EXPECT_TRUE(same(at("clamp.on_ground.m"), -m * g * c));
}

TEST(fixed, clamp_of_a_beam_in_space) {
  const double m = 4, c = 0.6;
  Model model = in_space();
  const BodyRef beam = model.body("beam", {.mass = m, .inertia = {0.1, 0.5, 0.5}, .position = {c, 0, 0}});
  model.joint("clamp", Fixed{}, model.ground().at(0, 0), beam.at(-c, 0));
  Motion at(model);
  // The weight turns the beam about +y by (c, 0, 0) × (0, 0, −m g); the clamp holds against it.
  EXPECT_TRUE(same(at("clamp.on_beam.fz"), m * g));
  EXPECT_TRUE(same(at("clamp.on_beam.my"), -m * g * c));
  EXPECT_TRUE(same(at("clamp.on_beam.mx"), 0));
}
}  // namespace
}  // namespace mubody::testing
