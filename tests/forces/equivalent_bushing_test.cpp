// Two bushings in the place of one.
#include "mubody/forces/equivalent_bushing.h"

#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
TEST(equivalent_bushing, two_bushings_side_by_side) {
  const double a = 0.3, k = 1000, twist = 20;
  BushingPart left, right;
  left.at = {-a, 0, 0}, right.at = {a, 0, 0};
  left.stiffness << k, k, k, twist, twist, twist;
  right.stiffness = left.stiffness;
  const EquivalentBushing e = equivalent_bushing({left, right}, {0, 1, 2, 3, 4, 5});
  // Stiffnesses along an axis add; about y and z the arms ±a add 2 k a² to the two twists, about x nothing.
  EXPECT_TRUE(same(e.K(1, 1), 2 * k));
  EXPECT_TRUE(same(e.K(3, 3), 2 * twist));
  EXPECT_TRUE(same(e.K(4, 4), 2 * twist + 2 * k * a * a));
  EXPECT_TRUE(same(e.K(5, 5), 2 * twist + 2 * k * a * a));
  EXPECT_TRUE(same(e.K(1, 5), 0));
}

TEST(equivalent_bushing, displacement_elsewhere) {
  SixMotions s;
  s << 1, 2, 3, 0.1, 0.2, 0.3;
  const SixMotions there = displaced_at({2, 0, 0}, s);
  // u + w × r with r = (2, 0, 0): w × r = (0, 2 w_z, −2 w_y).
  EXPECT_TRUE(same(there[0], 1));
  EXPECT_TRUE(same(there[1], 2 + 2 * 0.3));
  EXPECT_TRUE(same(there[2], 3 - 2 * 0.2));
  EXPECT_TRUE(same(there[5], 0.3));
}
}  // namespace
}  // namespace mubody::testing
