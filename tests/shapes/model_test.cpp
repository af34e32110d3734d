// Bodies of shapes in programs.
#include "mubody/mubody.h"
#include "mubody/shapes/figure.h"
#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
TEST(model_of_shapes, has_their_mass_and_inertia) {
  Model m = in_space();
  m.body("wheel", Cylinder{.radius = 0.3, .width = 0.2}, {.position = {1, 2, 3}, .density = 900});
  m.body("cone", Cone{.radius = 1, .width = 4}, {.mass = 2});
  const RigidBody &wheel = m.study().mechanism.bodies[0], &cone = m.study().mechanism.bodies[1];
  const MassProperties closed = Cylinder{0.3, 0.2}.unit().scaled(900);
  EXPECT_TRUE(same(wheel.mass, closed.mass));
  EXPECT_LT((wheel.inertia - closed.inertia).norm(), 1e-12);
  EXPECT_TRUE(same(wheel.start.at, {1, 2, 3}));
  EXPECT_EQ(cone.mass, 2);
  EXPECT_TRUE(same(cone.inertia(2, 2), 0.3 * 2));
  double low = 0;
  for (const Vec<3>& p : m.study().looks.at("cone").figure->surfaces.at(0).points) low = std::min(low, p.z());
  EXPECT_TRUE(same(low, -1));
}

TEST(model_of_shapes, swings_as_a_rod_does) {
  Model m = in_plane();
  const BodyRef rod = m.body("rod", Rod{.length = 1}, {.mass = 3, .position = {0.5, 0}});
  m.joint("pin", Revolute{}, m.ground().at(0, 0), rod.at(-0.5, 0));
  EXPECT_TRUE(same(m.study().mechanism.bodies[0].inertia(2, 2), 3 / 12.0));
  EXPECT_TRUE(same(Motion(m)("rod.alpha"), -1.5 * g, 100));
}

TEST(model_of_shapes, keeps_an_inertia_that_is_given) {
  Model m = in_plane();
  m.body("bar", Bar{.width = 0.1, .thickness = 0.2, .length = 2}, {.mass = 3});
  m.body("other", Bar{.width = 0.1, .thickness = 0.2, .length = 2}, {.mass = 3, .inertia = 7});
  EXPECT_TRUE(same(m.study().mechanism.bodies[0].inertia(2, 2), 3 * (4 + 0.01) / 12));
  EXPECT_EQ(m.study().mechanism.bodies[1].inertia(2, 2), 7);
}

TEST(model_of_shapes, refuses_what_cannot_be) {
  Model m = in_plane();
  EXPECT_THROW(m.body("a", Cylinder{.radius = -1, .width = 1}, {.mass = 1}), ModelError);
  EXPECT_THROW(m.body("b", Rod{.length = 1}, {.density = 1}), ModelError);
  EXPECT_THROW(m.body("c", Rod{}, {.mass = 1}), ModelError);
  EXPECT_THROW(m.body("d", Sphere{1}, {.mass = 1, .density = 1}), ModelError);
  EXPECT_THROW(m.body("e", Plate{}, {.mass = 1}), ModelError);
  EXPECT_THROW(m.body("f", {.mass = 1, .density = 1}), ModelError);
}
}  // namespace
}  // namespace mubody::testing
