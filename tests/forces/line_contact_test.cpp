// A disc pressed into a line.
#include "mubody/forces/line_contact.h"

#include "mubody/contact/laws/hertz.h"
#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
TEST(line_contact, disc_on_an_incline_without_friction) {
  const double m = 2, K = 1e6, r = 0.1, depth = 1e-3, slope = 0.3;
  const Vec<2> normal(-std::sin(slope), std::cos(slope));
  Model model = in_plane();
  const BodyRef disc =
      model.body("disc", {.mass = m, .inertia = 0.01, .position = Vec<2>((r - depth) * normal)});
  LineContact contact;
  contact.pair.radius = r;
  contact.law = ContactLaw(Hertz{K});
  model.force("contact", contact, turned(model.ground().at(0, 0), slope), disc.at(0, 0));
  Motion at(model);
  // F = K δ^1.5 along the normal.
  const double F = K * std::pow(depth, 1.5);
  EXPECT_TRUE(same(at("contact.force"), F, 1000));  // δ is a difference of numbers a hundred times its size
  EXPECT_TRUE(same(at("disc.ax"), F * normal.x() / m, 1000));
  EXPECT_TRUE(same(at("disc.ay"), F * normal.y() / m - g, 1000));
  EXPECT_TRUE(same(at("disc.alpha"), 0));
}
}  // namespace
}  // namespace mubody::testing
