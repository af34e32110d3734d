// A sphere pressed into a plane.
#include "mubody/forces/plane_contact.h"

#include "mubody/contact/laws/hertz.h"
#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
TEST(plane_contact, sphere_rests_on_a_plane) {
  const double m = 2, K = 1e6, r = 0.1, depth = std::pow(m * g / K, 2. / 3);
  Model model = in_space();
  const BodyRef ball = model.body("ball", {.mass = m, .inertia = 0.01, .position = {0.3, 0.2, r - depth}});
  PlaneContact contact;
  contact.pair.radius = r;
  contact.law = ContactLaw(Hertz{K});
  model.force("floor", contact, model.ground().at(0, 0), ball.at(0, 0));
  Motion at(model);
  // K δ^1.5 = m g: nothing moves; δ has lost three digits to the radius.
  EXPECT_TRUE(same(at("floor.force"), m * g, 1000));
  EXPECT_TRUE(same(at("ball.az"), 0, 1e4));
  EXPECT_TRUE(same(at("ball.alphax"), 0));
}
}  // namespace
}  // namespace mubody::testing
