// A disc within a circle.
#include "mubody/forces/circle_contact.h"

#include "mubody/contact/laws/hertz.h"
#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
TEST(circle_contact, stiffness_of_a_disc_in_a_hollow) {
  const double R = 0.2, r = 0.15, depth = 1e-5, m = 2;
  Model model = in_plane();
  const BodyRef disc = model.body("disc", {.mass = m, .inertia = 0.01, .position = {0, -(R - r) - depth}});
  CircleContact contact;
  contact.pair.radius_i = R, contact.pair.radius_j = r;
  contact.law = ContactLaw(Hertz{});
  contact.materials.i = {reference::young, reference::poisson};
  model.force("contact", contact, model.ground().at(0, 0), disc.at(0, 0));
  Motion at(model);
  // Hertz: K = (4/3) √(R r / (R − r)) E / (2 (1 − ν²)), up from the bottom; δ has lost four digits to the radii.
  const double E = reference::young / (2 * (1 - reference::poisson * reference::poisson));
  const double F = 4. / 3 * std::sqrt(R * r / (R - r)) * E * std::pow(depth, 1.5);
  EXPECT_TRUE(same(at("contact.force"), F, 2e4));
  EXPECT_TRUE(same(at("disc.ay"), F / m - g, 2e4));
}
}  // namespace
}  // namespace mubody::testing
