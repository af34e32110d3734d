// A bob on a massless link.
#include "mubody/joints/distance.h"

#include "mubody/functions/polynomial.h"
#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
TEST(distance, tension_of_a_swinging_link) {
  const double m = 1.5, L = 0.7, tilt = 0.5, v = 2;
  const Vec<2> out(std::sin(tilt), -std::cos(tilt)), ahead(std::cos(tilt), std::sin(tilt));
  Model model = in_plane();
  const BodyRef bob = model.body(
      "bob", {.mass = m, .inertia = 0.1, .position = Vec<2>(L * out), .velocity = Vec<2>(v * ahead)});
  model.joint("link", Distance{}, model.ground().at(0, 0), bob.at(0, 0));
  Motion at(model);
  // Along the link T = m (g cos a + v²/L), across it nothing but gravity.
  const double T = m * (g * std::cos(tilt) + v * v / L);
  EXPECT_TRUE(same(at("link.on_bob.fx"), -T * out.x()));
  EXPECT_TRUE(same(at("link.on_bob.fy"), -T * out.y()));
  EXPECT_TRUE(same(at("bob.ax") * ahead.x() + at("bob.ay") * ahead.y(), -g * std::sin(tilt)));
}

TEST(distance, commanded_length_lifts_a_load) {
  const double m = 1.5, c = 3;
  Model model = in_plane();
  const BodyRef load = model.body("load", {.mass = m, .inertia = 0.1, .position = {0, -2}});
  Distance rope;
  rope.length = Function(Polynomial{{2, 0, -c / 2}});
  model.joint("rope", rope, model.ground().at(0, 0), load.at(0, 0));
  Motion at(model);
  // L = 2 − c t²/2 hauls in with the acceleration c.
  EXPECT_TRUE(same(at("load.ay"), c));
  EXPECT_TRUE(same(at("rope.on_load.fy"), m * (g + c)));
}
}  // namespace
}  // namespace mubody::testing
