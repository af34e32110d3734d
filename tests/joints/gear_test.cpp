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
  GearPair(double first, double second, double pressure_angle = 0) : r1(first), r2(second) {
    const BodyRef one = model.body("one", {.mass = 1, .inertia = I1});
    const BodyRef two = model.body("two", {.mass = 4, .inertia = I2, .position = {r1 + r2, 0}});
    model.joint("left", Revolute{}, model.ground().at(0, 0), one.at(0, 0));
    model.joint("right", Revolute{}, model.ground().at(r1 + r2, 0), two.at(0, 0));
    Gear gear;
    gear.radius_i = r1, gear.radius_j = r2, gear.pressure_angle = pressure_angle;
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

// The force on the driving wheel leans from the tangent towards its own centre, on that flank which it drives with; on the
// other flank the same equation pulls.  A ring pulls its pinion inwards.
TEST(gear, teeth_push_the_axes_apart_by_the_pressure_angle) {
  const double angle = 20 * pi / 180;
  for (const double r2 : {0.25, -0.4})
    for (const double flank : {angle, -angle}) {
      GearPair p(0.1, r2, flank), straight(0.1, r2);
      Motion at(p.model), without(straight.model);
      EXPECT_TRUE(same(at("one.alpha"), without("one.alpha"), 50));
      EXPECT_TRUE(same(at("two.alpha"), without("two.alpha"), 50));
      EXPECT_TRUE(same(at("teeth.on_one.fy"), without("teeth.on_one.fy"), 50));
      EXPECT_LT(at("teeth.on_one.fy"), 0);
      EXPECT_TRUE(same(at("teeth.on_one.fx"), std::tan(flank) * at("teeth.on_one.fy"), 50));
      EXPECT_TRUE(same(at("teeth.on_two.fx"), -at("teeth.on_one.fx"), 50));
    }
}

// Two wheels on upright axes, the first at the origin; it drives counter-clockwise.
struct HelicalPair {
  double r1 = 0.1, r2 = 0.25, helix = 0.4, pressure = 0.35;
  Model model = in_space({0, 0, 0});
  HelicalPair() {
    const BodyRef one = model.body("one", {.mass = 1, .inertia = {0.02, 0.02, 0.02}});
    const BodyRef two = model.body("two", {.mass = 4, .inertia = {0.3, 0.3, 0.3}, .position = {r1 + r2, 0, 0}});
    model.joint("left", Revolute{}, model.ground().at(0, 0), one.at(0, 0));
    model.joint("right", Revolute{}, model.ground().at(r1 + r2, 0), two.at(0, 0));
    Gear gear;
    gear.radius_i = r1, gear.radius_j = r2, gear.helix_angle = helix, gear.pressure_angle = pressure;
    model.joint("teeth", gear, one.at(0, 0), two.at(0, 0));
    model.torque("motor", model.ground(), one, [](double, const State&) { return 5.0; });
  }
};

// A right-handed wheel that drives is pushed along its axis as a screw is, by F_t tan β at its rim.
TEST(gear, helical_teeth_push_along_the_axes) {
  const HelicalPair p;
  Motion at(p.model);
  const double alpha = 5 / (0.02 + 0.3 * std::pow(p.r1 / p.r2, 2)),
               tangential = 0.3 * alpha * p.r1 / p.r2 / p.r2;
  const double thrust = tangential * std::tan(p.helix), apart = tangential * std::tan(p.pressure);
  EXPECT_TRUE(same(at("one.alphaz"), alpha, 50));
  EXPECT_TRUE(same(at("two.alphaz"), -alpha * p.r1 / p.r2, 50));
  EXPECT_TRUE(same(at("teeth.on_one.fx"), -apart, 50));
  EXPECT_TRUE(same(at("teeth.on_one.fy"), -tangential, 50));
  EXPECT_TRUE(same(at("teeth.on_one.fz"), thrust, 50));
  EXPECT_TRUE(same(at("teeth.on_two.fz"), -thrust, 50));
  // The bearings take the moment of the thrust at the rims.
  EXPECT_TRUE(same(at("left.on_one.my"), p.r1 * thrust, 50));
  EXPECT_TRUE(same(at("right.on_two.my"), p.r2 * thrust, 50));
  at.to(0.5);
  EXPECT_NEAR(at("left.angle") * p.r1, -at("right.angle") * p.r2, 1e-9);
}
}  // namespace
}  // namespace mubody::testing
