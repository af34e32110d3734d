// A bob on a link that has a pin.
#include "mubody/joints/revolute_spherical.h"

#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
TEST(revolute_spherical, link_swings_across_its_pin_only) {
  const double m = 1.5, L = 0.8, tilt = 0.4, push = 3;
  const Vec<3> out(std::sin(tilt), 0, -std::cos(tilt));
  Model model = in_space();
  const BodyRef bob = model.body("bob", {.mass = m, .inertia = 0.1, .position = Vec<3>(L * out)});
  model.joint("link", RevoluteSpherical{}, with_axis(model.ground().at(0, 0), Vec<3>::UnitY()), bob.at(0, 0));
  model.force("push", bob.at(0, 0), [=](double, const State&) { return Components{0, push, 0}; });
  Motion at(model);
  // At rest: −g sin t along the circle, T = m g cos t along the link, and the pin bears the push along it.
  EXPECT_TRUE(same(at("bob.ax"), -g * std::sin(tilt) * std::cos(tilt)));
  EXPECT_TRUE(same(at("bob.ay"), 0));
  EXPECT_TRUE(same(at("bob.az"), -g * std::sin(tilt) * std::sin(tilt)));
  EXPECT_TRUE(same(at("link.on_bob.fx"), -m * g * std::cos(tilt) * out.x()));
  EXPECT_TRUE(same(at("link.on_bob.fy"), -push));
}
}  // namespace
}  // namespace mubody::testing
