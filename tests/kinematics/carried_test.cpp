// Carried quantities by themselves: a point on a circle, whose motion is known.
#include "mubody/kinematics/carried.h"

#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
// The point r (cos wt, sin wt) of a body that turns about the origin, when its angle is f.
struct Circling {
  double r = 0.7, w = 3, f = 0.6, c = std::cos(f), s = std::sin(f);
  Carried<2, 3, 0> point{
      r * Vec<2>(c, s), r* w* Vec<2>(-s, c), -r* w* w* Vec<2>(c, s), {1, r* Vec<2>(c, s)}, {}};
  Vec<3> twist{0, 0, w};  // velocity of the body's origin, and its turning
};

TEST(carried, components_have_value_rate_acceleration_and_row) {
  const Circling p;
  const auto x = component<0>(p.point), y = component<1>(p.point);
  // x = r cos f: ẋ = −r w sin f, ẍ = −r w² cos f; the row is (1, 0, −y).
  EXPECT_TRUE(same(x.x, p.r * p.c));
  EXPECT_TRUE(same(x.v, -p.r * p.w * p.s));
  EXPECT_TRUE(same(x.a, -p.r * p.w * p.w * p.c));
  EXPECT_TRUE(same(x.Ji[0], 1));
  EXPECT_TRUE(same(x.Ji[2], -p.r * p.s));
  EXPECT_TRUE(same(x.Ji * p.twist, x.v));
  EXPECT_TRUE(same(y.Ji * p.twist, y.v));
}

TEST(carried, length_follows_the_law_of_cosines) {
  const Circling p;
  const double d = 2;
  const auto l = length(p.point - Still<2>{Vec<2>(d, 0)});
  // l² = r² + d² − 2 r d cos f; l l̇ = r d w sin f; l l̈ + l̇² = r d w² cos f.
  const double L = std::sqrt(p.r * p.r + d * d - 2 * p.r * d * p.c), rate = p.r * d * p.w * p.s / L;
  EXPECT_TRUE(same(l.x, L));
  EXPECT_TRUE(same(l.v, rate));
  EXPECT_TRUE(same(l.a, (p.r * d * p.w * p.w * p.c - rate * rate) / L));
  EXPECT_TRUE(same(l.Ji * p.twist, l.v));
}

TEST(carried, angle_of_a_point_on_a_circle_grows_evenly) {
  const Circling p;
  const auto angle = atan2(component<1>(p.point), component<0>(p.point));
  EXPECT_TRUE(same(angle.x, p.f));
  EXPECT_TRUE(same(angle.v, p.w));
  EXPECT_TRUE(same(angle.a, 0));
  EXPECT_TRUE(same(angle.Ji[2], 1));  // a turn of the body turns the point along
}

TEST(carried, products_and_functions_of_scalars) {
  const Circling p;
  const auto x = component<0>(p.point), y = component<1>(p.point);
  // x y = r² sin 2f / 2, a function of f with the derivatives r² cos 2f and −2 r² sin 2f.
  const auto xy = x * y;
  const double r2 = p.r * p.r, s2 = std::sin(2 * p.f), c2 = std::cos(2 * p.f);
  EXPECT_TRUE(same(xy.x, r2 * s2 / 2));
  EXPECT_TRUE(same(xy.v, r2 * c2 * p.w));
  EXPECT_TRUE(same(xy.a, -2 * r2 * s2 * p.w * p.w));
  // √(x²) = x and 1/(1/x) = x, with all rates and rows.
  for (const auto& again : {sqrt(x * x), reciprocal(reciprocal(x))}) {
    EXPECT_TRUE(same(again.x, x.x));
    EXPECT_TRUE(same(again.v, x.v));
    EXPECT_TRUE(same(again.a, x.a));
    EXPECT_TRUE(same(again.Ji[2], x.Ji[2]));
  }
  // On a circle the square of the radius does not change.
  const auto square = dot(p.point, p.point);
  EXPECT_TRUE(same(square.x, r2));
  EXPECT_TRUE(same(square.v, 0));
  EXPECT_TRUE(same(square.a, 0));
}

TEST(carried, function_of_time_is_differentiated_along) {
  const Circling p;
  // t cos wt at t = 1 with wt = f there: product rule, (t x)¨ = 2 ẋ + t ẍ.
  const auto tx = Jet{1, 1, 0} * component<0>(p.point);
  EXPECT_TRUE(same(tx.v, p.r * p.c - p.r * p.w * p.s));
  EXPECT_TRUE(same(tx.a, -2 * p.r * p.w * p.s - p.r * p.w * p.w * p.c));
}

TEST(carried, flow_need_not_be_the_rate_of_anything) {
  const Circling p;
  const auto x = component<0>(p.point), y = component<1>(p.point);
  // x ẏ − y ẋ = r² w, twice the rate at which area is swept: steady.
  const auto area = flow(x, y) + -1. * flow(y, x);
  EXPECT_TRUE(same(area.v, p.r * p.r * p.w));
  EXPECT_TRUE(same(area.a, 0));
  EXPECT_TRUE(same(area.Ji * p.twist, area.v));
}

TEST(carried, two_bodies_keep_their_columns_apart) {
  const Circling p;
  const Carried<2, 0, 3> other{Vec<2>(0, 1), Vec<2>(5, 0), Vec<2>::Zero(), {}, {1, Vec<2>::Zero()}};
  const auto d = component<0>(p.point - other);
  // The difference: + the row of i, − that of j.
  EXPECT_TRUE(same(d.v, -p.r * p.w * p.s - 5));
  EXPECT_TRUE(same(d.Ji[2], -p.r * p.s));
  EXPECT_TRUE(same(d.Jj[0], -1));
  EXPECT_TRUE(same(d.Jj[2], 0));
}
}  // namespace
}  // namespace mubody::testing
