// A motion with a hand in it, against closed forms.
#include "mubody/hand/handled_motion.h"

#include <gtest/gtest.h>

#include "tests/models.h"

namespace mubody::testing {
namespace {
Study one_body() {
  Study study;
  study.mechanism.bodies = {body("block", 2, 0.5, 0, 0, 0)};
  study.mechanism.prepare();
  return study;
}
}  // namespace

TEST(handled_motion, a_free_body_swings_on_the_hand) {
  HandledMotion motion(one_body());
  constexpr double k = 8, time = 1.3;
  motion.take({.body = 1, .target = {0.1, -0.2, 0}, .stiffness = k, .damping = 0});
  ASSERT_TRUE(motion.simulation().advance(time));
  const double share = 1 - std::cos(std::sqrt(k / 2) * time);
  const std::vector<double> at = motion.positions();
  EXPECT_NEAR(at[0], 0.1 * share, 1e-7);
  EXPECT_NEAR(at[1], -0.2 * share, 1e-7);
  EXPECT_NEAR(at[2], 0, 1e-12);
  EXPECT_NEAR(motion.force().x(), k * 0.1 * (1 - share), 1e-6);
}

TEST(handled_motion, a_hand_beside_the_centre_turns_the_body) {
  HandledMotion motion(one_body());
  motion.take({.body = 1, .at = {0.5, 0, 0}, .target = {0.5, 0.4, 0}, .stiffness = 1e-3, .damping = 0});
  ASSERT_TRUE(motion.simulation().advance(0.01));
  // α = r F / I for a force that has hardly moved anything.
  EXPECT_NEAR(motion.positions()[2], 0.5 * 4e-4 / 0.5 * 0.5 * 1e-4, 1e-14);
}

TEST(handled_motion, without_a_hand_it_is_the_motion_of_the_model) {
  Study study;
  study.mechanism = four_bar();
  HandledMotion motion(study);
  Simulation alone(study);
  ASSERT_TRUE(motion.simulation().advance(0.5));
  ASSERT_TRUE(alone.advance(0.5));
  EXPECT_NEAR(motion.positions()[2], alone.value(alone.output("crank.angle")), 1e-8);
  motion.take({.body = 1, .at = {1, 0, 0}, .target = {0, 2, 0}});
  ASSERT_TRUE(motion.simulation().advance(0.5));
  motion.let_go();
  motion.reset();
  EXPECT_EQ(motion.simulation().time(), 0);
  ASSERT_TRUE(motion.simulation().advance(0.5));
  EXPECT_NEAR(motion.positions()[2], alone.value(alone.output("crank.angle")), 1e-8);
  EXPECT_THROW(motion.take({.body = 4}), ModelError);
}

TEST(handled_motion, a_hand_that_stays_holds_the_mechanism) {
  Study study;
  study.mechanism = four_bar();
  HandledMotion motion(study);
  motion.take({.body = 1, .at = {1, 0, 0}, .target = {1, std::sqrt(3), 0}});
  for (int k = 0; k < 60 * 6; ++k) ASSERT_TRUE(motion.simulation().advance(1.0 / 60));
  const double angle = motion.positions()[2];
  ASSERT_TRUE(motion.simulation().advance(1));
  EXPECT_NEAR(motion.positions()[2], angle, 1e-3);
  EXPECT_GT(motion.force().y(), 1) << "it carries weight";
}
}  // namespace mubody::testing
