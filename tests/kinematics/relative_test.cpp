// Relative coordinates of two frames.
#include "mubody/kinematics/relative.h"

#include "mubody/formulations/body.h"
#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
// A body in space against the ground, with frames at their origins.
struct Against {
  Body<3>::BodyState body;
  Mount<3> mount_i, mount_j;
  Turns turns;
  GroundFrame<Body<3>> i{mount_i.at, mount_i, turns};
  Frame<Body<3>, Side::j> j{body, mount_j, turns};

  Against(const Vec<3>& at, const Quaternion& p, const Vec<3>& v = Vec<3>::Zero(),
          const Vec<3>& w = Vec<3>::Zero()) {
    const double q[] = {at.x(), at.y(), at.z(), p.w(), p.x(), p.y(), p.z()};
    const double u[] = {v.x(), v.y(), v.z(), w.x(), w.y(), w.z()};
    Body<3>::unpack(q, u, body);
  }
};

TEST(relative, three_angles_of_the_chain) {
  const double a = 0.7, b = -0.4, c = 1.2;
  const Quaternion p =
      turn_about(Vec<3>::UnitZ(), a) * turn_about(Vec<3>::UnitY(), b) * turn_about(Vec<3>::UnitX(), c);
  const Against s({1, 2, 3}, p, {4, 5, 6});
  // The chain z, y, x is taken apart into the angles that it was made of; slides are along the axes of i.
  EXPECT_TRUE(same(coordinate(turn_z, s.i, s.j).x, a));
  EXPECT_TRUE(same(coordinate(turn_y, s.i, s.j).x, b));
  EXPECT_TRUE(same(coordinate(turn_x, s.i, s.j).x, c));
  EXPECT_TRUE(same(coordinate(slide_y, s.i, s.j).x, 2));
  EXPECT_TRUE(same(coordinate(slide_z, s.i, s.j).v, 6));
}

TEST(relative, angular_velocity_about_the_last_axis_changes_its_angle_alone) {
  const double a = 0.7, b = -0.4, c = 1.2, w = 3;
  const Quaternion p =
      turn_about(Vec<3>::UnitZ(), a) * turn_about(Vec<3>::UnitY(), b) * turn_about(Vec<3>::UnitX(), c);
  const Against s(Vec<3>::Zero(), p, Vec<3>::Zero(), {w, 0, 0});
  // The turn about x comes last, about x of the body itself.
  EXPECT_TRUE(same(coordinate(turn_x, s.i, s.j).v, w));
  EXPECT_TRUE(same(coordinate(turn_y, s.i, s.j).v, 0));
  EXPECT_TRUE(same(coordinate(turn_z, s.i, s.j).v, 0));
  const Vec<3> global = p * Vec<3>(w, 0, 0), seen = spin(s.j);
  for (int k = 0; k < 3; ++k) EXPECT_TRUE(same(seen[k], global[k]));
}

TEST(relative, twist_is_what_is_left_of_a_turn_without_its_bend) {
  const double twist = 0.9, bend = 0.5;
  const Vec<3> across(std::cos(0.3), std::sin(0.3), 0);
  const Against s(Vec<3>::Zero(), turn_about(across, bend) * turn_about(Vec<3>::UnitZ(), twist));
  // A bend about an axis across z leaves the twist about z as it is.
  EXPECT_TRUE(same(twist_about<2>(s.i, s.j).x, twist));
  EXPECT_TRUE(same(twist_gap_about<2>(s.i, s.j, twist).x, 0));
}

TEST(relative, gap_of_an_angle_knows_no_whole_turns) {
  const Against s(Vec<3>::Zero(), turn_about(Vec<3>::UnitZ(), 0.2));
  // 0.2 against 0.1 and six turns: 0.1.
  EXPECT_TRUE(same(angle_gap(turn_z, s.i, s.j, Jet{0.1 + 12 * pi, 0, 0}).x, 0.1, 100));
}
}  // namespace
}  // namespace mubody::testing
