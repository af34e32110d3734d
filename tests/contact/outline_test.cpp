// Outlines of lines and arcs: where they touch, and that nothing counts twice or is left out.
#include <numbers>

#include "mubody/contact/contact.h"
#include "mubody/contact/geometry/outline_on_outline.h"
#include "tests/contact/sample.h"

namespace mubody::testing {
namespace {
constexpr double pi = std::numbers::pi;

Outline points(std::vector<std::vector<double>> rows) {
  Outline o;
  o.points.columns.resize(rows[0].size());
  for (const std::vector<double>& row : rows)
    for (std::size_t k = 0; k < row.size(); ++k) o.points.columns[k].push_back(row[k]);
  return o;
}
Outline open(std::vector<std::vector<double>> rows) {
  Outline o = points(std::move(rows));
  o.open = true;
  return o;
}
Outline disc(double radius) {
  Outline o;
  o.disc = radius;
  return o;
}
OutlineOnOutline pair_of(const Outline& i, const Outline& j) {
  OutlineOnOutline p;
  p.outline_i = i, p.outline_j = j;
  p.check();
  p.prepare();
  return p;
}

Placed<2> placed(const Vec<2>& at, double angle = 0, const Vec<2>& v = Vec<2>::Zero(), double w = 0) {
  Placed<2> p;
  p.x = at, p.v = v, p.w[0] = w;
  p.axes = Eigen::Rotation2Dd(angle).toRotationMatrix();
  p.up = p.axes.col(1);
  return p;
}

std::vector<Touch<2>> touching(const OutlineOnOutline& p, const Placed<2>& i, const Placed<2>& j) {
  std::vector<Touch<2>> all;
  for (int k = 0; k < p.sites(); ++k)
    if (const Touch<2> t = p.touch(k, i, j); t.gap < 0) all.push_back(t);
  return all;
}

void expect_same(const Touch<2>& a, const Touch<2>& b) {
  constexpr double round_off = 1e-14;
  EXPECT_NEAR(a.gap, b.gap, round_off);
  EXPECT_NEAR(a.approach, b.approach, round_off);
  EXPECT_LT((a.normal - b.normal).norm(), round_off);
  EXPECT_LT((a.point - b.point).norm(), round_off);
  EXPECT_LT((a.slip - b.slip).norm(), round_off);
}

// Ground that falls off over a round edge: flat up to the origin, an arc of 30 degrees, and a straight slope.
constexpr double edge = 0.5, slope = pi / 6;
Outline edge_of_ground() {
  const Vec<2> end(edge * std::sin(slope), edge * (std::cos(slope) - 1));
  return open({{-3, 0, 0},
               {0, 0, edge},
               {end.x(), end.y(), 0},
               {end.x() + std::cos(slope), end.y() - std::sin(slope), 0}});
}
/// A point at a height over that ground, at a way along it from the origin.
Vec<2> over_edge(double way, double height) {
  if (way < 0) return {way, height};
  const double angle = std::min(way / edge, slope), beyond = way - edge * angle;
  const Vec<2> n(std::sin(angle), std::cos(angle));
  return Vec<2>(0, -edge) + (edge + height) * n + beyond * Vec<2>(n.y(), -n.x());
}

TEST(outline, disc_on_a_long_line_is_a_disc_on_a_line) {
  const double r = 0.1;
  DiscOnLine known;
  known.radius = r;
  const Placed<2> line = placed({0.3, -0.2}, 0.4, {0.1, 0.2}, 0.7),
                  round = placed({0.4, -0.07}, 1, {-0.5, 0.3}, -2);
  for (const bool first : {true, false}) {  // whichever of them is the disc
    const Outline flat = open({{-10, 0}, {10, 0}});
    const OutlineOnOutline p = first ? pair_of(disc(r), flat) : pair_of(flat, disc(r));
    ASSERT_EQ(p.sites(), 1);
    const Touch<2> wanted = known.touch(line, round);
    Touch<2> t = first ? p.touch(0, round, line) : p.touch(0, line, round);
    if (first) t.normal = -t.normal, t.slip = -t.slip;
    expect_same(t, wanted);
    EXPECT_EQ(p.radius(), r);
  }
}

TEST(outline, discs_are_discs) {
  DiscOnDisc outside;
  outside.radius_i = 0.3, outside.radius_j = 0.2;
  DiscInsideCircle inside;
  inside.radius_i = 0.3, inside.radius_j = 0.2;
  const Placed<2> i = placed({0.3, -0.2}, 0.4, {0.1, 0.2}, 0.7), j = placed({0.35, -0.13}, 1, {-0.5, 0.3}, -2);
  const OutlineOnOutline beside = pair_of(disc(0.3), disc(0.2));
  ASSERT_EQ(beside.sites(), 1);
  expect_same(beside.touch(0, i, j), outside.touch(i, j));
  EXPECT_DOUBLE_EQ(*beside.radius(), outside.relative_radius());
  Outline ring = disc(0.3);
  ring.hollow = true;
  const OutlineOnOutline within = pair_of(ring, disc(0.2));
  ASSERT_EQ(within.sites(), 1);
  expect_same(within.touch(0, i, j), inside.touch(i, j));
  EXPECT_NEAR(*within.radius(), inside.relative_radius(), 1e-14);
}

TEST(outline, disc_passes_from_line_to_arc_to_line_at_one_depth) {
  const double r = 0.2, depth = 1e-3;
  const OutlineOnOutline p = pair_of(edge_of_ground(), disc(r));
  ASSERT_EQ(p.sites(), 1);
  for (int k = -40; k <= 100; ++k) {
    const Touch<2> t = p.touch(0, placed({0, 0}), placed(over_edge(0.005 * k, r - depth)));
    EXPECT_NEAR(t.gap, -depth, 1e-12) << k;
  }
}

TEST(outline, disc_goes_round_a_corner) {
  const OutlineOnOutline p = pair_of(points({{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}), disc(0.2));
  ASSERT_EQ(p.sites(), 1);
  for (int k = 0; k <= 90; ++k) {
    const double angle = pi / 2 * k / 90;
    const Vec<2> out(std::cos(angle), std::sin(angle));
    const Touch<2> t = p.touch(0, placed({0, 0}), placed(Vec<2>(1, 1) + 0.19 * out));
    EXPECT_NEAR(t.gap, -0.01, 1e-13);
    EXPECT_LT((t.normal - out).norm(), 1e-12);
  }
}

TEST(outline, may_be_given_either_way_round) {
  const Placed<2> i = placed({0, 0}, 0.3), j = placed({1.3, 0.4});
  const OutlineOnOutline there = pair_of(points({{-1, -1, 2}, {1, -1, 0}, {1, 1, -3}, {-1, 1, 0}}), disc(0.2));
  const OutlineOnOutline back = pair_of(points({{-1, 1, -3}, {1, 1, 0}, {1, -1, 2}, {-1, -1, 0}}), disc(0.2));
  ASSERT_EQ(there.sites(), 1);
  expect_same(there.touch(0, i, j), back.touch(0, i, j));
}

// A disc in a groove touches both of its sides, and so it does where a round bottom is too narrow for it.
TEST(outline, disc_lies_in_a_groove) {
  const OutlineOnOutline sharp = pair_of(open({{-1, 1}, {0, 0}, {1, 1}}), disc(0.2));
  const double height = std::sqrt(2.0) * (0.2 - 1e-3);
  const std::vector<Touch<2>> both = touching(sharp, placed({0, 0}), placed({0, height}));
  ASSERT_EQ(both.size(), 2u);
  for (const Touch<2>& t : both) EXPECT_NEAR(t.gap, -1e-3, 1e-12);
  Outline narrow = open({{-1, 1}, {0, 0}, {1, 1}}), wide = narrow;
  narrow.rounding = 0.1, wide.rounding = 0.4;
  EXPECT_EQ(touching(pair_of(narrow, disc(0.2)), placed({0, 0}), placed({0, height})).size(), 2u);
  // In a wide one it lies on the bottom, whose centre is √2·0.4 above the corner.
  const std::vector<Touch<2>> bottom =
      touching(pair_of(wide, disc(0.2)), placed({0, 0}), placed({0, std::sqrt(2.0) * 0.4 - 0.2 - 1e-3}));
  ASSERT_EQ(bottom.size(), 1u);
  EXPECT_NEAR(bottom[0].gap, -1e-3, 1e-12);
}

// Over a corner that points in a little, what one side loses the other one gains.
TEST(outline, depth_is_continuous_over_a_kink) {
  const double kink = 0.01, r = 0.2, depth = 1e-3;
  const OutlineOnOutline p = pair_of(open({{-1, kink}, {0, 0}, {1, kink}}), disc(r));
  const auto sum = [&](double x) {
    double all = 0;
    for (const Touch<2>& t : touching(p, placed({0, 0}), placed({x, r - depth + 2e-4}))) all -= t.gap;
    return all;
  };
  EXPECT_LT(jump_of([&](double x) { return sum(0.4 * x - 0.2); }), 1e-9);
}

TEST(outline, pin_touches_one_side_of_its_slot) {
  const double w = 0.01;
  const OutlineOnOutline p = pair_of(open({{1, w, 0}, {0, w, -w}, {0, -w, 0}, {1, -w, 0}}), disc(0.0099));
  ASSERT_EQ(p.sites(), 1);
  EXPECT_NEAR(p.touch(0, placed({0, 0}), placed({0.5, 0})).gap, 1e-4, 1e-14);
  for (const double side : {-1.0, 1.0}) {
    const Touch<2> t = p.touch(0, placed({0, 0}), placed({0.5, side * 1.5e-4}));
    EXPECT_NEAR(t.gap, -5e-5, 1e-14);
    EXPECT_NEAR(t.normal.y(), -side, 1e-14);
  }
  const Touch<2> end = p.touch(0, placed({0, 0}), placed({-1.5e-4, 0}));
  EXPECT_NEAR(end.gap, -5e-5, 1e-14);
  EXPECT_NEAR(end.normal.x(), 1, 1e-14);
}

TEST(outline, box_stands_on_its_corners) {
  const Outline box = points({{-1, -0.5}, {1, -0.5}, {1, 0.5}, {-1, 0.5}});
  const OutlineOnOutline p = pair_of(open({{-5, 0}, {5, 0}}), box);
  const double tilt = 1e-4;
  const std::vector<Touch<2>> two = touching(p, placed({0, 0}), placed({0.3, 0.499}, tilt));
  ASSERT_EQ(two.size(), 2u);
  double left = 0, right = 0;
  for (const Touch<2>& t : two) (t.point.x() < 0.3 ? left : right) = -t.gap;
  EXPECT_NEAR(left, 1e-3 + std::sin(tilt) - 0.5 * (1 - std::cos(tilt)), 1e-12);
  EXPECT_NEAR(right, 1e-3 - std::sin(tilt) - 0.5 * (1 - std::cos(tilt)), 1e-12);
}

// With rounded corners as well, whichever way it leans.
TEST(outline, box_stands_on_rounded_corners) {
  Outline box = points({{-1, -0.5}, {1, -0.5}, {1, 0.5}, {-1, 0.5}});
  box.rounding = 0.1;
  const OutlineOnOutline p = pair_of(open({{-5, 0}, {5, 0}}), box);
  for (const double tilt : {-1e-4, -1e-9, 1e-9, 1e-4}) {
    const std::vector<Touch<2>> two = touching(p, placed({0, 0}), placed({0.3, 0.499}, tilt));
    ASSERT_EQ(two.size(), 2u) << tilt;
    for (const Touch<2>& t : two)
      EXPECT_NEAR(t.gap, -1e-3 + tilt * (t.point.x() - 0.3), 2e-8) << "to first order in the tilt";
  }
}

// The edge of a table under a box: where the corner of the box is beyond it, that of the table carries.
TEST(outline, corner_of_the_lower_body_touches_the_upper_one) {
  const Outline box = points({{-1, -0.5}, {1, -0.5}, {1, 0.5}, {-1, 0.5}});
  const OutlineOnOutline p = pair_of(points({{-2, -2}, {0, -2}, {0, 0}, {-2, 0}}), box);
  const std::vector<Touch<2>> two = touching(p, placed({0, 0}), placed({-0.4, 0.499}));
  ASSERT_EQ(two.size(), 2u);
  double left = 0, right = -2;
  for (const Touch<2>& t : two) {
    EXPECT_NEAR(t.gap, -1e-3, 1e-12);
    EXPECT_NEAR(t.normal.y(), 1, 1e-12);
    left = std::min(left, t.point.x()), right = std::max(right, t.point.x());
  }
  EXPECT_NEAR(left, -1.4, 1e-12);
  EXPECT_NEAR(right, 0, 1e-12);
}

// A rounded corner slides from the flat top of a table over its rounded edge: one contact of one depth all the way.
TEST(outline, round_corners_pass_each_other_once) {
  Outline table = points({{-4, -2}, {0, -2}, {0, 0}, {-4, 0}}), box = points({{0, 0}, {1, 0}, {1, 1}, {0, 1}});
  table.rounding = 0.2, box.rounding = 0.1;
  for (const bool exchanged : {false, true}) {
    const OutlineOnOutline p = exchanged ? pair_of(box, table) : pair_of(table, box);
    const double depth = 1e-3, lean = pi / 4;  // the box stands on its corner
    for (int k = 0; k <= 200; ++k) {
      // The centre of the corner's arc goes along the top and round the centre of the edge's arc.
      const double way = -0.5 + 0.00401 * k, angle = std::clamp(way / 0.3, 0.0, pi / 4);
      const Vec<2> centre =
          Vec<2>(-0.2 + std::min(way, 0.0), -0.2) + (0.3 - depth) * Vec<2>(std::sin(angle), std::cos(angle));
      const Placed<2> at = placed(centre - Eigen::Rotation2Dd(lean) * Vec<2>(0.1, 0.1), lean),
                      still = placed({0, 0});
      const auto all = exchanged ? touching(p, at, still) : touching(p, still, at);
      ASSERT_EQ(all.size(), 1u) << k;
      EXPECT_NEAR(all[0].gap, -depth, 1e-12) << k;
    }
  }
}

TEST(outline, far_side_of_a_wall_is_not_touched) {
  // A frame that is open to the left; its wall is 0.1 thick.
  const Outline frame = points({{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0.9}, {0.9, 0.9}, {0.9, 0.1}, {0, 0.1}});
  const OutlineOnOutline p = pair_of(frame, points({{0, 0}, {0.05, 0.02}, {0, 0.04}}));
  const auto all = touching(p, placed({0, 0}), placed({0.85 + 1e-3, 0.5}));
  ASSERT_EQ(all.size(), 1u);
  EXPECT_NEAR(all[0].gap, -1e-3, 1e-12);
  EXPECT_NEAR(all[0].normal.x(), -1, 1e-12);
}

// An arc that is part of a body touches in the directions of the arc alone, and where it ends its corner does.
TEST(outline, part_of_a_disc) {
  const double r = 0.1;
  const Outline half = points({{-r, 0, 0}, {r, 0, r}});  // the upper half of a disc
  const OutlineOnOutline p = pair_of(open({{-5, 0}, {5, 0}}), half);
  EXPECT_EQ(touching(p, placed({0, 0}), placed({0, 0.05})).size(), 0u);  // its flat side is below
  for (const double turn : {pi, pi - 0.7, pi + 1.2}) {
    const auto all = touching(p, placed({0, 0}), placed({0, r - 1e-3}, turn));
    ASSERT_EQ(all.size(), 1u) << turn;
    EXPECT_NEAR(all[0].gap, -1e-3, 1e-12);
  }
  const double lean = 0.3;  // on the corner at its right
  const auto all = touching(p, placed({0, 0}), placed({0, r * std::sin(lean) - 1e-3}, -lean));
  ASSERT_EQ(all.size(), 1u);
  EXPECT_NEAR(all[0].gap, -1e-3, 1e-12);
}

// The round back of a body hides its hollow front from what is behind it.
TEST(outline, hollow_front_is_not_touched_from_behind) {
  const Outline moon = points({{0, 1, 1}, {-1, 0, 1}, {0, -1, -1.5}});
  const OutlineOnOutline p = pair_of(points({{1, -0.1}, {1.2, 0}, {1, 0.1}}), moon);
  EXPECT_EQ(touching(p, placed({-2.3, 0}), placed({0, 0})).size(), 0u);
  EXPECT_EQ(touching(p, placed({-2.3 + 0.1 + 1e-3, 0}), placed({0, 0})).size(), 1u);
}

TEST(outline, arc_in_two_halves_is_one) {
  const OutlineOnOutline p = pair_of(open({{-5, 0}, {5, 0}}), points({{-0.1, 0, 0.1}, {0.1, 0, 0.1}}));
  EXPECT_EQ(p.sites(), 1);
}

TEST(outline, refuses_what_is_none) {
  EXPECT_EQ(refusal(Outline{}), "points: must be given, or 'disc'");
  EXPECT_EQ(refusal(disc(-1)), "disc: must be positive");
  EXPECT_EQ(refusal(points({{0, 0}, {1, 0}})), "points: needs 3 rows or more, has 2");
  EXPECT_EQ(refusal(points({{0, 0, 0}, {1, 0, 0.4}, {1, 1, 0}})),
            "points: no arc of radius 0.4 m reaches the next point, 1 m away: it must be 0.5 m or more");
  EXPECT_EQ(refusal(points({{0, 0}, {1, 1}, {1, 0}, {0, 1}})),
            "points: the outline crosses itself near (0, 0)");
  EXPECT_EQ(
      refusal(points({{0, 0}, {1, 0}, {0, 0}})),
      "points: row 3 and row 1 are the same point: a closed outline returns to its first point by itself");
}
}  // namespace
}  // namespace mubody::testing
