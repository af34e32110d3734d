// Two pulleys and a belt that stretches.
#include "mubody/forces/belt.h"

#include "mubody/joints/revolute.h"
#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
// The first pulley is turned by an angle against the second before it is let go.
Model pulleys(bool plane, bool crossed, double damping) {
  Model model = plane ? in_plane({0, 0}) : in_space({0, 0, 0});
  const BodyRef one = model.body("one", {.mass = 1, .inertia = 0.02});
  const BodyRef two = model.body(
      "two", {.mass = 4, .inertia = 0.3, .position = plane ? Components{0.5, 0} : Components{0.5, 0, 0}});
  model.joint("left", Revolute{}, model.ground().at(0, 0), one.at(0, 0));
  model.joint("right", Revolute{}, model.ground().at(0.5, 0), two.at(0, 0));
  Belt belt;
  belt.radius_i = 0.1, belt.radius_j = 0.25, belt.crossed = crossed, belt.stiffness = 2e4,
  belt.damping = damping;
  model.force("belt", belt, one.at(0, 0), two.at(0, 0));
  model.torque("motor", model.ground(), one, [](double, const State&) { return 3.0; });
  return model;
}

TEST(belt, passes_on_torques_in_the_ratio_of_the_radii) {
  for (const bool plane : {true, false})
    for (const bool crossed : {false, true}) {
      Motion at(pulleys(plane, crossed, 400), {.rtol = 1e-10, .atol = 1e-12});
      const std::string alpha = plane ? ".alpha" : ".alphaz";
      EXPECT_TRUE(same(at("one" + alpha), 3 / 0.02));
      EXPECT_NEAR(at("two" + alpha), 0, 1e-14);
      at.to(2);  // until the belt swings no more: both turn as if it did not stretch
      const double ratio = (crossed ? -1 : 1) * 0.1 / 0.25, alone = 3 / (0.02 + 0.3 * ratio * ratio);
      EXPECT_NEAR(at("one" + alpha), alone, 1e-6 * alone);
      EXPECT_NEAR(at("two" + alpha), ratio * alone, 1e-6 * alone);
      const double pull = 0.3 * std::abs(ratio) * alone / 0.25;
      EXPECT_NEAR(at("belt.pull"), pull, 1e-5 * pull);
      EXPECT_NEAR(at("belt.stretch"), pull / 2e4, 1e-5 * pull / 2e4);
      EXPECT_GT(at("left.angle"), 50);  // many turns
    }
}

// Without damping the stretch swings with ω² = k (r_1²/I_1 + r_2²/I_2) about its mean.
TEST(belt, swings_with_its_own_frequency) {
  Motion at(pulleys(true, false, 0), {.rtol = 1e-11, .atol = 1e-13});
  const double omega = std::sqrt(2e4 * (0.01 / 0.02 + 0.0625 / 0.3)), push = 0.1 * 3 / 0.02;  // ë = push − ω² e
  for (const double t : {0.01, 0.03, 0.1}) {
    at.to(t);
    EXPECT_NEAR(at("belt.stretch"), push / (omega * omega) * (1 - std::cos(omega * t)), 1e-9);
  }
}
}  // namespace
}  // namespace mubody::testing
