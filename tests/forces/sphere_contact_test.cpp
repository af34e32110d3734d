// Two spheres of steel.
#include "mubody/forces/sphere_contact.h"

#include "mubody/contact/laws/hertz.h"
#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
TEST(sphere_contact, steel_spheres_pressed_together) {
  const double r1 = 0.02, r2 = 0.03, depth = 1e-5, m = 0.5;
  Model model = in_space({0, 0, 0});
  const BodyRef one = model.body("one", {.mass = m, .inertia = 1e-3});
  const BodyRef two = model.body("two", {.mass = m, .inertia = 1e-3, .position = {0, 0, r1 + r2 - depth}});
  SphereContact contact;
  contact.pair.radius_i = r1, contact.pair.radius_j = r2;
  contact.law = ContactLaw(Hertz{});
  contact.materials.i = {reference::young, reference::poisson};
  model.force("contact", contact, one.at(0, 0), two.at(0, 0));
  Motion at(model);
  // Hertz: F = (4/3) √(r_1 r_2 / (r_1 + r_2)) E / (2 (1 − ν²)) δ^1.5; δ has lost four digits to the radii.
  const double E = reference::young / (2 * (1 - reference::poisson * reference::poisson));
  const double F = 4. / 3 * std::sqrt(r1 * r2 / (r1 + r2)) * E * std::pow(depth, 1.5);
  EXPECT_TRUE(same(at("two.az"), F / m, 2e4));
  EXPECT_TRUE(same(at("one.az"), -F / m, 2e4));
}
}  // namespace
}  // namespace mubody::testing
