// Differences of positions against numbers worked out by hand.
#include "mubody/results/position_error.h"

#include <cmath>

#include <gtest/gtest.h>

namespace mubody::testing {
namespace {
TEST(position_error, separates_lengths_from_angles_and_the_end_from_the_whole) {
  const Table a{"positions", {{"time", "s"}, {"A.x", "m"}, {"A.angle", "rad"}}, {0, 1, 0, 1, 2, 0.5, 2, 3, 7}};
  const Table b{
      "positions", {{"time", "s"}, {"A.angle", "rad"}, {"A.x", "m"}}, {0, 0, 1, 1, 0.75, 1.5, 2, 6.875, 3}};
  const auto e = position_error(a, b);
  ASSERT_TRUE(e);
  EXPECT_EQ(e->length, 0.5);  // at 1 s
  EXPECT_EQ(e->angle, 0.25);
  EXPECT_EQ(e->end_length, 0);
  EXPECT_EQ(e->end_angle, 0.125);
  EXPECT_EQ(e->until, 2);
  EXPECT_EQ(e->worst, "A.x");
  EXPECT_EQ(e->at, 1);
  EXPECT_EQ(e->largest(), 0.5);
  EXPECT_EQ(e->at_end(), 0.125);
}

// A turn by θ about an axis is e = (cos θ/2, sin θ/2 · axis); two turns about one axis differ by Δθ.
Table turning(double rate, double sign_after, double offset) {
  Table t{"positions", {{"time", "s"}, {"A.e0", ""}, {"A.e1", ""}, {"A.e2", ""}, {"A.e3", ""}}, {}};
  for (int k = 0; k <= 10; ++k) {
    const double half = (rate * 0.1 * k + offset) / 2, sign = k > 5 ? sign_after : 1;
    for (const double x :
         {0.1 * k, sign * std::cos(half), 0.0, sign * 0.6 * std::sin(half), sign * 0.8 * std::sin(half)})
      t.values.push_back(x);
  }
  return t;
}

TEST(position_error, of_orientations_is_the_angle_between_them_whatever_the_sign) {
  for (const double sign : {1.0, -1.0}) {
    const auto e = position_error(turning(3, 1, 0), turning(3, sign, 1e-3));
    ASSERT_TRUE(e);
    EXPECT_NEAR(e->angle, 1e-3, 1e-14);
    EXPECT_EQ(e->length, 0);
    EXPECT_EQ(e->worst, "A.orientation");
  }
  EXPECT_NEAR(position_error(turning(3, 1, 0), turning(3.2, 1, 0))->angle, 0.2, 1e-14);
  // Two orientations differ by at most half a turn either way.
  EXPECT_NEAR(position_error(turning(0, 1, 0), turning(0, 1, 5))->angle, 2 * std::acos(-1.0) - 5, 1e-14);
}

TEST(position_error, looks_at_the_times_that_both_have) {
  // A parabola is its own cubic spline.
  const auto parabola = [](double from, double to, int parts) {
    Table t{"positions", {{"time", "s"}, {"A.x", "m"}}, {}};
    for (int k = 0; k <= parts; ++k) {
      const double at = from + (to - from) * k / parts;
      t.values.insert(t.values.end(), {at, at * at});
    }
    return t;
  };
  const auto e = position_error(parabola(0, 2, 7), parabola(0, 5, 50));
  ASSERT_TRUE(e);
  EXPECT_LT(e->length, 1e-14);
  EXPECT_EQ(e->until, 2);
  EXPECT_FALSE(position_error(parabola(0, 1, 5), parabola(2, 3, 5)));
}

TEST(position_error, needs_positions_in_common) {
  const Table a{"positions", {{"time", "s"}, {"A.x", "m"}}, {0, 1}};
  const Table b{"positions", {{"time", "s"}, {"B.x", "m"}}, {0, 1}};
  EXPECT_FALSE(position_error(a, b));
  EXPECT_FALSE(position_error(a, Table{"positions", {{"time", "s"}, {"A.x", "m"}}, {}}));
}

TEST(positions, are_taken_by_name_up_to_the_first_row_that_is_not_finite) {
  Results r;
  r.tables = {{"bodies",
               {{"time", "s"}, {"A.x", "m"}, {"A.vx", "m/s"}, {"A.angle", "rad"}, {"A.omega", "rad/s"}},
               {0, 1, 9, 2, 9, 1, 3, 9, 4, 9, 2, NAN, 9, 6, 9, 3, 7, 9, 8, 9}},
              {"points", {{"time", "s"}, {"P.y", "m"}}, {0, 5, 1, 6, 2, 7, 3, 8}}};
  constexpr std::string_view both[] = {"bodies", "points"};
  const Table p = positions_of(r, both);
  EXPECT_EQ(p.columns.size(), 4U);
  EXPECT_EQ(p.values, (std::vector<double>{0, 1, 2, 5, 1, 3, 4, 6}));
}

TEST(travel, is_the_widest_range) {
  const Table a{"positions",
                {{"time", "s"}, {"A.x", "m"}, {"A.y", "m"}, {"A.angle", "rad"}},
                {0, 1, 5, 0, 1, -2, 6, 0.5, 2, 0, 5, 7}};
  EXPECT_EQ(travel_of(a).length, 3);
  EXPECT_EQ(travel_of(a).angle, 7);
  EXPECT_NEAR(travel_of(turning(2, -1, 0)).angle, 2, 1e-14);
}
}  // namespace
}  // namespace mubody::testing
