#include "mubody/simulation/body_sizes.h"

#include <numbers>

#include <gtest/gtest.h>

#include "mubody/joints/revolute.h"

namespace mubody::testing {
namespace {
// A wheel with pins on its rim, in a plane that lies askew.
Mechanism wheel(int pins) {
  Mechanism m;
  m.dim = 3;
  m.bodies.resize(1);
  const Quaternion askew(Eigen::AngleAxisd(0.7, Vec<3>(1, 2, -1).normalized()));
  for (int k = 0; k < pins; ++k) {
    const double turn = 2 * std::numbers::pi * k / pins;
    const Vec<3> at = askew * Vec<3>(3 * std::cos(turn), 3 * std::sin(turn), 0);
    m.add_joint("pin" + std::to_string(k), Revolute{{ground, at}, {1, at}});
  }
  return m;
}

TEST(body_sizes, radius_of_a_wheel_by_its_pins) {
  const Mechanism few = wheel(20), many = wheel(20000);
  EXPECT_NEAR(BodySizes(few)(1), 3, 1e-12);
  EXPECT_NEAR(BodySizes(many)(1), 3, 0.03);  // one part in a hundred, as promised
}

TEST(body_sizes, particle_has_the_size_of_the_mechanism) {
  Mechanism m;
  m.bodies.resize(3);
  m.bodies[1].start.at = {4, 0, 0};
  m.bodies[2].start.at = {0, 3, 0};
  BodySizes size_of(m);
  EXPECT_NEAR(size_of(1), 2.5, 1e-12);
  m.bodies[0].mass = 2;
  m.bodies[0].inertia(2, 2) = 0.5;
  EXPECT_NEAR(size_of(1), 0.5, 1e-12);
}

TEST(body_sizes, attached_bodies_are_those_with_joints_or_forces) {
  Mechanism m = wheel(2);
  m.bodies.resize(2);
  EXPECT_EQ(attached_bodies(m), (std::vector<bool>{true, true, false}));
}
}  // namespace
}  // namespace mubody::testing
