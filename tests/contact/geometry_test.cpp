// Pairs: gap, rates and slip against differences, power of the forces, and cases that can be solved on paper.
#include "tests/contact/sample.h"
#include "tests/near.h"

namespace mubody::testing {
namespace {
constexpr int poses = 2000;

template <int D> Moving<D> anywhere(Random& random) {
  Moving<D> m{random.vector<D>(), random.vector<D>(3), random.vector<spins<D>>(5)};
  m.up = random.vector<D>().normalized();
  return m;
}

/// The marker after dt at constant velocities; its axes turn along.
template <int D> Moving<D> later(const Moving<D>& m, double dt) {
  Moving<D> next = m;
  next.x += dt * m.v;
  if constexpr (D == 2)
    next.up = Eigen::Rotation2Dd(m.w[0] * dt) * m.up;
  else
    next.up = Eigen::AngleAxisd(m.w.norm() * dt, m.w.normalized()) * m.up;
  return next;
}

/// Moment of a force F at arm s times the angular velocity.
template <int D> double turning_power(const Moving<D>& m, const Vec<D>& s, const Vec<D>& F) {
  if constexpr (D == 2)
    return (s.x() * F.y() - s.y() * F.x()) * m.w[0];
  else
    return s.cross(F).dot(m.w);
}

template <class Pair> Pair some(Random& random) {
  Pair pair{};
  if constexpr (requires { pair.radius_i; }) {
    pair.radius_j = random(0.1, 1);
    pair.radius_i = pair.radius_j + random(0.1, 2);
  } else {
    pair.radius = random(0.1, 1);
  }
  pair.check();
  return pair;
}

template <class P> class EveryPair : public ::testing::Test {};
using Pairs =
    ::testing::Types<DiscOnDisc, DiscOnLine, DiscInsideCircle, JournalInBearing, SphereOnSphere, SphereOnPlane>;
TYPED_TEST_SUITE(EveryPair, Pairs);

TYPED_TEST(EveryPair, gap_changes_at_the_rate_of_approach) {
  constexpr int D = TypeParam::dim;
  Random random(21);
  for (int k = 0; k < poses; ++k) {
    const auto pair = some<TypeParam>(random);
    const Moving<D> i = anywhere<D>(random), j = anywhere<D>(random);
    if ((j.x - i.x).norm() < 0.05) continue;  // near the centre differences are inaccurate
    const double h = 1e-6;
    const double rate =
        (pair.touch(later(i, h), later(j, h)).gap - pair.touch(later(i, -h), later(j, -h)).gap) / (2 * h);
    EXPECT_NEAR(-pair.touch(i, j).approach, rate, 1e-7);
  }
}

TYPED_TEST(EveryPair, points_lie_on_the_normal) {
  constexpr int D = TypeParam::dim;
  Random random(22);
  for (int k = 0; k < poses; ++k) {
    const auto pair = some<TypeParam>(random);
    const Moving<D> i = anywhere<D>(random), j = anywhere<D>(random);
    const Touch<D> t = pair.touch(i, j);
    EXPECT_NEAR(t.normal.norm(), 1, 1e-14);
    EXPECT_LT((t.on_j - t.on_i - t.gap * t.normal).norm(), 1e-14);
    EXPECT_LT((t.point - (t.on_i + t.on_j) / 2).norm(), 1e-15);
    EXPECT_NEAR(t.slip.dot(t.normal), 0, 1e-13);
    if constexpr (requires { pair.radius_i; }) {
      EXPECT_NEAR((t.on_i - i.x).norm(), pair.radius_i, 1e-14);
      EXPECT_NEAR((t.on_j - j.x).norm(), pair.radius_j, 1e-14);
    } else {
      EXPECT_NEAR((t.on_j - j.x).norm(), pair.radius, 1e-14);
      EXPECT_NEAR((t.on_i - i.x).dot(i.up), 0, 1e-14);
    }
  }
}

// Forces on both bodies, moved to their centres, do the work of force times rates.
TYPED_TEST(EveryPair, power_is_force_times_rates) {
  constexpr int D = TypeParam::dim;
  Random random(23);
  for (int k = 0; k < poses; ++k) {
    const auto pair = some<TypeParam>(random);
    const Moving<D> i = anywhere<D>(random), j = anywhere<D>(random);
    const Touch<D> t = pair.touch(i, j);
    const double N = random(0, 5);
    Vec<D> T = random.vector<D>();
    T -= T.dot(t.normal) * t.normal;
    const Vec<D> F = N * t.normal + T;
    const double power =
        F.dot(j.v) + turning_power<D>(j, t.point - j.x, F) - F.dot(i.v) - turning_power<D>(i, t.point - i.x, F);
    EXPECT_NEAR(power, -N * t.approach + T.dot(t.slip), 1e-11);
  }
}

// If both bodies move as one, nothing approaches and nothing slips.
TYPED_TEST(EveryPair, rigid_motion_is_not_seen) {
  constexpr int D = TypeParam::dim;
  Random random(24);
  for (int k = 0; k < poses; ++k) {
    const auto pair = some<TypeParam>(random);
    Moving<D> i = anywhere<D>(random), j = anywhere<D>(random);
    j.w = i.w;
    j.v = i.velocity_at(j.x);
    const Touch<D> t = pair.touch(i, j);
    EXPECT_NEAR(t.approach, 0, 1e-13);
    EXPECT_NEAR(t.slip.norm(), 0, 1e-13);
  }
}

TEST(disc_on_disc, overlaps_and_spins) {
  const DiscOnDisc pair{{.radius_i = 2, .radius_j = 1}};
  Moving<2> i, j;
  j.x << 2.5, 0;
  j.v << -3, 0.5;
  i.w << 4;
  j.w << 1;
  const Touch<2> t = pair.touch(i, j);
  EXPECT_DOUBLE_EQ(t.gap, -0.5);
  EXPECT_DOUBLE_EQ(t.normal.x(), 1);
  EXPECT_DOUBLE_EQ(t.point.x(), 1.75);
  EXPECT_DOUBLE_EQ(t.approach, 3);
  EXPECT_DOUBLE_EQ(t.slip.y(), 0.5 - 1 * 0.75 - 4 * 1.75);
  EXPECT_DOUBLE_EQ(pair.relative_radius(), 2 / 3.0);
}

// A wheel that rolls has no slip at the ground.
TEST(disc_on_line, rolls) {
  const DiscOnLine pair{{.radius = 0.5}};
  Moving<2> ground, wheel;
  ground.x << -7, 0;
  wheel.x << 3, 0.5;
  wheel.v << 2, 0;
  wheel.w << -4;
  const Touch<2> t = pair.touch(ground, wheel);
  EXPECT_DOUBLE_EQ(t.gap, 0);
  EXPECT_DOUBLE_EQ(t.approach, 0);
  EXPECT_DOUBLE_EQ(t.slip.norm(), 0);
  EXPECT_DOUBLE_EQ(t.point.x(), 3);
}

TEST(sphere_on_plane, falls_and_spins) {
  const SphereOnPlane pair{{.radius = 0.5}};
  Moving<3> ground, ball;
  ball.x << 1, 2, 0.7;
  ball.v << 0, 0, -3;
  ball.w << 0, 10, 100;  // about z there is no slip at the lowest point
  const Touch<3> t = pair.touch(ground, ball);
  EXPECT_TRUE(same(t.gap, 0.2, 1));
  EXPECT_DOUBLE_EQ(t.approach, 3);
  EXPECT_NEAR(t.slip.x(), 10 * -0.6, 1e-14);  // halfway between the surfaces
  EXPECT_NEAR(t.slip.y(), 0, 1e-14);
}

TEST(disc_inside_circle, is_pushed_to_the_inside) {
  const DiscInsideCircle pair{.radius_i = 2, .radius_j = 0.5};
  Moving<2> i, j;
  j.x << 0, 1.6;
  j.v << 0, 1;
  j.w << 2;
  const Touch<2> t = pair.touch(i, j);
  EXPECT_TRUE(same(t.gap, -0.1, 1));
  EXPECT_DOUBLE_EQ(t.normal.y(), -1);
  EXPECT_DOUBLE_EQ(t.approach, 1);
  EXPECT_TRUE(same(t.point.y(), 2.05, 1));
  EXPECT_TRUE(same(t.slip.x(), -2 * 0.45, 1));
  EXPECT_EQ(refusal(DiscInsideCircle{.radius_i = 1, .radius_j = 1}),
            "radius_j: must be less than 'radius_i', in which it moves");
}

// A centred journal touches nowhere; its gap closes in the direction of motion.
TEST(journal_in_bearing, is_well_defined_in_the_centre) {
  const JournalInBearing pair{{.radius_i = 0.010, .radius_j = 0.0095}};
  Moving<2> i, j;
  Touch<2> t = pair.touch(i, j);
  EXPECT_DOUBLE_EQ(t.gap, pair.clearance());
  EXPECT_DOUBLE_EQ(t.normal.norm(), 1);
  EXPECT_EQ(t.approach, 0);
  j.v << 3, 4;
  t = pair.touch(i, j);
  EXPECT_DOUBLE_EQ(t.gap, pair.clearance());
  EXPECT_DOUBLE_EQ(t.approach, 5);
  EXPECT_TRUE(same(t.normal.x(), -0.6, 1));
  // A moment later the gap agrees.
  EXPECT_NEAR(pair.touch(i, later(j, 1e-9)).gap, pair.clearance() - 5e-9, 1e-17);
}

// A motion of both bodies as one does not appear relative to the bearing.
TEST(journal_in_bearing, eccentricity_is_that_seen_from_the_bearing) {
  const JournalInBearing pair{{.radius_i = 2, .radius_j = 1.5}};
  Random random(25);
  for (int k = 0; k < poses; ++k) {
    const Moving<2> i = anywhere<2>(random);
    Moving<2> j = anywhere<2>(random);
    const Eccentricity before = pair.eccentricity(i, j);
    EXPECT_LT((before.e - (j.x - i.x)).norm(), 1e-15);
    Moving<2> carrier = anywhere<2>(random), a = i, b = j;
    a.v += carrier.velocity_at(i.x), a.w += carrier.w;
    b.v += carrier.velocity_at(j.x), b.w += carrier.w;
    const Eccentricity after = pair.eccentricity(a, b);
    EXPECT_LT((after.rate - before.rate).norm(), 1e-13);
    EXPECT_NEAR(after.spin, before.spin, 1e-13);
  }
}
}  // namespace
}  // namespace mubody::testing
