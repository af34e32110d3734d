// A journal in a film of oil.
#include "mubody/forces/journal_bearing.h"

#include "mubody/contact/laws/hertz.h"
#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
TEST(journal_bearing, centred_journal_in_oil) {
  const double R = 0.02, c = 2e-4, mu = 0.1, L = 0.05, m = 0.8, I = 1e-3, v = 0.01, w = 50;
  Model model = in_plane({0, 0});
  const BodyRef shaft = model.body("shaft", {.mass = m, .inertia = I, .velocity = {v, 0}, .omega = {0, 0, w}});
  JournalBearing bearing;
  bearing.pair.radius_i = R + c, bearing.pair.radius_j = R;
  bearing.lubricant = PinkusSternlicht{.viscosity = mu, .length = L};
  model.force("bearing", bearing, model.ground().at(0, 0), shaft.at(0, 0));
  Motion at(model);
  // In the centre the film squeezes with −6 π μ L (R/c)³ v, and drags by Petroff's moment 2 π μ L R³ w / c; the
  // clearance has lost two digits to the radii.
  EXPECT_TRUE(same(at("shaft.ax"), -6 * pi * mu * L * std::pow(R / c, 3) * v / m, 2000));
  EXPECT_TRUE(same(at("shaft.ay"), 0));
  EXPECT_TRUE(same(at("shaft.alpha"), -2 * pi * mu * L * R * R * R / c * w / I, 2000));
}

TEST(journal_bearing, dry_journal_pressed_against_its_bearing) {
  const double R = 0.02, c = 2e-4, depth = 1e-5, K = 1e9, m = 0.8;
  Model model = in_plane();
  const BodyRef shaft = model.body("shaft", {.mass = m, .inertia = 1e-3, .position = {c + depth, 0}});
  JournalBearing bearing;
  bearing.pair.radius_i = R + c, bearing.pair.radius_j = R;
  bearing.law = ContactLaw(Hertz{K});
  model.force("bearing", bearing, model.ground().at(0, 0), shaft.at(0, 0));
  Motion at(model);
  // K δ^1.5 towards the centre, and an eccentricity of 1 + δ/c.
  EXPECT_TRUE(same(at("shaft.ax"), -K * std::pow(depth, 1.5) / m, 1e4));
  EXPECT_TRUE(same(at("bearing.eccentricity"), 1 + depth / c, 2000));
}
}  // namespace
}  // namespace mubody::testing
