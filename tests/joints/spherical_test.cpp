// A conical pendulum.
#include "mubody/joints/spherical.h"

#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
TEST(spherical, rod_as_a_conical_pendulum) {
  const double m = 2, c = 0.4, I1 = 0.02, I2 = 0.15, tilt = 0.7;
  // The rod goes round the vertical as it is if (I_2 + m c² − I_1) w² sin t cos t = m g c sin t.
  const double w = std::sqrt(m * g * c / ((I2 + m * c * c - I1) * std::cos(tilt)));
  const Vec<3> out(std::sin(tilt), 0, -std::cos(tilt));
  const Quaternion turn = turn_about(Vec<3>::UnitY(), pi / 2 - tilt);  // x along the rod, away from the ball
  Model model = in_space();
  const BodyRef rod = model.body("rod", {.mass = m,
                                         .inertia = {I1, I2, I2},
                                         .position = Vec<3>(c * out),
                                         .orientation = turn,
                                         .velocity = {0, w * c * std::sin(tilt), 0},
                                         .omega = Vec<3>(turn.conjugate() * Vec<3>(0, 0, w))});
  model.joint("ball", Spherical{}, model.ground().at(0, 0), rod.at(-c, 0));
  Motion at(model);
  // The centre goes round at the radius c sin t: the ball carries the weight and pulls it inwards.
  EXPECT_TRUE(same(at("rod.az"), 0));
  EXPECT_TRUE(same(at("rod.ax"), -w * w * c * std::sin(tilt)));
  EXPECT_TRUE(same(at("ball.on_rod.fx"), -m * w * w * c * std::sin(tilt)));
  EXPECT_TRUE(same(at("ball.on_rod.fz"), m * g));
}
}  // namespace
}  // namespace mubody::testing
