// Two wheels on fixed axes.
#include "mubody/joints/gear.h"

#include "mubody/joints/revolute.h"
#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
// A wheel of radius r_1 on the left, driven by a torque T; another of radius r_2 to its right.
struct GearPair {
  double r1, r2, I1 = 0.02, I2 = 0.3, T = 5;
  Model model = in_plane();
  GearPair(double first, double second) : r1(first), r2(second) {
    const BodyRef one = model.body("one", {.mass = 1, .inertia = I1});
    const BodyRef two = model.body("two", {.mass = 4, .inertia = I2, .position = {r1 + r2, 0}});
    model.joint("left", Revolute{}, model.ground().at(0, 0), one.at(0, 0));
    model.joint("right", Revolute{}, model.ground().at(r1 + r2, 0), two.at(0, 0));
    Gear gear;
    gear.radius_i = r1, gear.radius_j = r2;
    model.joint("teeth", gear, one.at(0, 0), two.at(0, 0));
    model.torque("motor", model.ground(), one, [T = T](double, const State&) { return T; });
  }
};

TEST(gear, ratio_of_turns_and_of_torques) {
  GearPair p(0.1, 0.25);
  Motion at(p.model);
  // r_1 α_1 = −r_2 α_2, and at the first axis the second wheel weighs I_2 (r_1/r_2)².
  const double alpha = p.T / (p.I1 + p.I2 * std::pow(p.r1 / p.r2, 2));
  EXPECT_TRUE(same(at("one.alpha"), alpha));
  EXPECT_TRUE(same(at("two.alpha"), -alpha * p.r1 / p.r2));
  // The tooth force at the arm r_1 takes up what the torque does not spend on the first wheel.
  EXPECT_TRUE(same(at("teeth.on_one.fy"), (p.I1 * alpha - p.T) / p.r1));
  EXPECT_TRUE(same(at("teeth.on_one.m"), p.I1 * alpha - p.T));
}

TEST(gear, ring_turns_the_same_way_as_its_pinion) {
  GearPair p(0.1, -0.4);
  Motion at(p.model);
  // A hollow wheel has a negative radius: r_1 α_1 = |r_2| α_2.
  EXPECT_TRUE(same(at("two.alpha"), at("one.alpha") / 4));
  EXPECT_TRUE(same(at("one.alpha"), p.T / (p.I1 + p.I2 / 16)));
}
}  // namespace
}  // namespace mubody::testing
