// A mechanism that follows a hand: joints hold, nothing jumps, and what goes round in a circle comes back to where it was.
#include "mubody/hand/drag.h"

#include <gtest/gtest.h>

#include "mubody/joints/distance.h"
#include "mubody/reading/read_model.h"
#include "tests/example.h"
#include "tests/models.h"

namespace mubody::testing {
namespace {
constexpr double round_off = 1e-12;

Study still(Mechanism m) {
  Study study;
  study.mechanism = std::move(m);
  return study;
}
Vec<3> point_at(const Drag& drag, int body, const Vec<3>& at) {
  const Pose p = BodyLayout(drag.dim()).pose(drag.positions(), body);
  return p.at + p.turn * at;
}
double angle_of(const Drag& drag, int body) {
  return BodyLayout(drag.dim()).pose(drag.positions(), body).angle;
}

/// Rods of 1 m in a row, the first on a pin.
Mechanism chain(int rods) {
  Mechanism m;
  for (int k = 0; k < rods; ++k) m.bodies.push_back(body("rod" + std::to_string(k), 1, 1. / 12, k + 0.5, 0, 0));
  for (int k = 0; k < rods; ++k)
    m.add_joint("pin" + std::to_string(k),
                revolute(k == 0 ? marker(ground, 0, 0) : marker(k, 0.5, 0), marker(k + 1, -0.5, 0)));
  m.prepare();
  return m;
}

/// Three rods of 1, 2 and 1 m over 2 m: a parallelogram, which is singular where its rods lie on a line.
Mechanism parallelogram() {
  Mechanism m;
  const double a = 1;
  m.bodies = {body("crank", 1, 1, 0.5 * std::cos(a), 0.5 * std::sin(a), a),
              body("coupler", 1, 1, std::cos(a) + 1, std::sin(a), 0),
              body("rocker", 1, 1, 2 + 0.5 * std::cos(a), 0.5 * std::sin(a), a)};
  m.add_joint("A", revolute(marker(ground, 0, 0), marker(1, -0.5, 0)));
  m.add_joint("B", revolute(marker(1, 0.5, 0), marker(2, -1, 0)));
  m.add_joint("C", revolute(marker(2, 1, 0), marker(3, 0.5, 0)));
  m.add_joint("D", revolute(marker(ground, 2, 0), marker(3, -0.5, 0)));
  m.prepare();
  return m;
}
}  // namespace

TEST(drag, a_crank_follows_the_hand_round_and_comes_back) {
  Drag drag(still(four_bar()));
  const VecX before = drag.positions();
  const double start = angle_of(drag, 1);
  const Vec<3> tip(1, 0, 0);
  for (int k = 1; k <= 72; ++k) {
    const double a = start + 2 * pi * k / 72;
    const Dragged d = drag.pull(1, tip, {2 * std::cos(a), 2 * std::sin(a), 0});
    EXPECT_LE(d.distance, 1e-9);
    EXPECT_LE(d.violation, round_off);
    EXPECT_NEAR(angle_of(drag, 1), a, 1e-9);
  }
  EXPECT_NEAR(angle_of(drag, 1), start + 2 * pi, 1e-9);
  EXPECT_LE((drag.positions() - before).tail(6).norm(), 1e-8) << "coupler and follower";
}

TEST(drag, stops_at_the_nearest_point_that_can_be_reached) {
  Drag drag(still(chain(2)));
  Dragged d;
  for (int frame = 0; frame < 6; ++frame) d = drag.pull(2, {0.5, 0, 0}, {3, 4, 0});
  EXPECT_NEAR(d.distance, 3, 1e-6) << "two rods of 1 m reach 2 m of the 5 m";
  EXPECT_LE(d.violation, round_off);
  EXPECT_LE((point_at(drag, 2, {0.5, 0, 0}) - Vec<3>(1.2, 1.6, 0)).norm(), 1e-3);
}

TEST(drag, stays_on_its_branch_beyond_a_singular_position) {
  Drag drag(still(parallelogram()));
  for (int k = 1; k <= 90; ++k) {
    const double a = 1 + 2 * pi * k / 90;
    drag.pull(1, {0.5, 0, 0}, {std::cos(a), std::sin(a), 0});
    EXPECT_NEAR(angle_of(drag, 2), 0, 1e-9) << "the coupler of a parallelogram does not turn, at " << a;
  }
}

TEST(drag, of_all_positions_it_takes_the_nearest) {
  Drag drag(still(chain(20)));
  VecX before = drag.positions();
  for (int k = 1; k <= 50; ++k) {
    const Dragged d = drag.pull(20, {0.5, 0, 0}, {20 - 0.2 * k, 0.1 * k, 0});
    EXPECT_LE(d.distance, 1e-6);
    EXPECT_LE(d.violation, round_off);
    // Next to the stretched chain a small way of the hand is a large one of rods: the square root of it.
    EXPECT_LE((drag.positions() - before).lpNorm<Eigen::Infinity>(), k == 1 ? 1 : 0.5) << "a jump";
    before = drag.positions();
  }
}

TEST(drag, drivers_are_left_out_unless_they_are_named) {
  const Study study = example("jansen_leg");
  std::string driver;
  for (const auto& j : study.mechanism.joints)
    if (j.driver) driver = j.name;
  const int foot = int(study.mechanism.bodies.size());
  Drag free(study), driven(study, {driver});
  const Vec<3> at = point_at(free, foot, Vec<3>::Zero()), target = at + Vec<3>(0.002, 0.001, 0);
  EXPECT_LT(free.pull(foot, Vec<3>::Zero(), target).distance, 0.9 * (target - at).norm());
  driven.pull(foot, Vec<3>::Zero(), target);
  EXPECT_LE((point_at(driven, foot, Vec<3>::Zero()) - at).norm(), 1e-9);
  EXPECT_THROW(Drag(study, {"no such driver"}), ModelError);
}

TEST(drag, locks_hold) {
  Drag drag(still(chain(4)));
  drag.pull(4, {0.5, 0, 0}, {2, 1, 0});
  const Vec<3> held = point_at(drag, 2, {0.5, 0, 0});
  const double angle = angle_of(drag, 4);
  drag.pull(3, {0.5, 0, 0}, point_at(drag, 3, {0.5, 0, 0}) + Vec<3>(0.1, -0.1, 0),
            {{Lock::point, 2, {0.5, 0, 0}}, {Lock::angle, 4}});
  EXPECT_LE((point_at(drag, 2, {0.5, 0, 0}) - held).norm(), 1e-10);
  EXPECT_NEAR(angle_of(drag, 4), angle, 1e-10);

  const auto apart = [&] {
    return (point_at(drag, 4, {0.5, 0, 0}) - point_at(drag, 1, Vec<3>::Zero())).norm();
  };
  const double length = apart();
  drag.pull(4, {0.5, 0, 0}, {1, 2, 0}, {{Lock::length, 4, {0.5, 0, 0}, 1, Vec<3>::Zero()}});
  EXPECT_NEAR(apart(), length, 1e-10);
}

TEST(drag, a_body_is_turned_by_an_angle) {
  Drag drag(still(four_bar()));
  const double start = angle_of(drag, 1);
  const Dragged d = drag.turn(1, -0.4);
  EXPECT_LE(d.distance, 1e-9);
  EXPECT_NEAR(angle_of(drag, 1), start - 0.4, 1e-9);
}

TEST(drag, a_mechanism_in_space_follows) {
  Drag drag(example("spatial_slider_crank"));
  const VecX before = drag.positions();
  const Vec<3> at = point_at(drag, 1, {0, 0.01, 0});
  for (const double way : {1.0, -1.0}) drag.turn(1, 0.3 * way);
  EXPECT_LE((drag.positions() - before).lpNorm<Eigen::Infinity>(), 1e-8);
  EXPECT_LE((point_at(drag, 1, {0, 0.01, 0}) - at).norm(), 1e-9);
}

TEST(drag, begins_anew_elsewhere) {
  Drag drag(still(four_bar()));
  const VecX before = drag.positions();
  drag.turn(1, 0.7);
  VecX rough = before;
  rough[3] += 0.01;
  EXPECT_LE(drag.place(rough).violation, round_off);
  EXPECT_LE((drag.positions() - before).lpNorm<Eigen::Infinity>(), 0.02);
  EXPECT_THROW(drag.place(VecX::Zero(2)), ModelError);
  EXPECT_THROW(drag.pull(0, {0, 0, 0}, {1, 0, 0}), ModelError);
}
}  // namespace mubody::testing
