// Two discs pressed together.
#include "mubody/forces/disc_contact.h"

#include "mubody/contact/laws/hertz.h"
#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
TEST(disc_contact, pushes_two_discs_apart) {
  const double K = 1e6, r1 = 0.1, r2 = 0.2, depth = 1e-3, m1 = 1, m2 = 3;
  const Vec<2> way(0.6, 0.8);
  Model model = in_plane({0, 0});
  const BodyRef one = model.body("one", {.mass = m1, .inertia = 0.01});
  const BodyRef two =
      model.body("two", {.mass = m2, .inertia = 0.05, .position = Vec<2>((r1 + r2 - depth) * way)});
  DiscContact contact;
  contact.pair.radius_i = r1, contact.pair.radius_j = r2;
  contact.law = ContactLaw(Hertz{K});
  model.force("contact", contact, one.at(0, 0), two.at(0, 0));
  Motion at(model);
  // K δ^1.5 along the line of centres on j, and its opposite on i.
  const double F = K * std::pow(depth, 1.5);
  EXPECT_TRUE(same(at("two.ax"), F * way.x() / m2, 2000));
  EXPECT_TRUE(same(at("two.ay"), F * way.y() / m2, 2000));
  EXPECT_TRUE(same(at("one.ay"), -F * way.y() / m1, 2000));
}
}  // namespace
}  // namespace mubody::testing
