// Numbers of a point found from those of others.
#include "mubody/device/point_map.h"

#include <cmath>

#include <gtest/gtest.h>

namespace mubody::testing {
namespace {
using Point = std::vector<double>;
const std::vector<SweptRange> ranges{{1.9, 2.1}, {0.9, 1.2}, {-3, 5}};

TEST(point_map, gives_products_and_turns_to_round_off) {
  const auto at = [](const Point& v) {
    return std::optional(
        Point{7, v[0] / 2, v[0] * v[0] * v[2] / 12, v[0] * std::cos(v[1]), std::hypot(v[0], v[2])});
  };
  std::vector<std::size_t> missing;
  const auto map = PointMap::find(ranges, at, {false, false, false, false, true}, missing);
  ASSERT_TRUE(map);
  Point y;
  for (const Point& v : {Point{1.9, 1.2, -3}, Point{2.03, 1.01, 0.4}, Point{2.1, 0.9, 5}}) {
    (*map)(v, y);
    const Point wanted = *at(v);
    for (std::size_t n = 0; n < 4; ++n) EXPECT_NEAR(y[n], wanted[n], 1e-11) << n;
    EXPECT_NEAR(y[4], wanted[4], 2);
  }
  EXPECT_TRUE(map->is_exact(3));
  EXPECT_FALSE(map->is_exact(4));
}
TEST(point_map, does_not_take_what_has_corners) {
  std::vector<std::size_t> missing;
  const auto at = [](const Point& v) { return std::optional(Point{v[0], std::abs(v[2])}); };
  EXPECT_FALSE(PointMap::find(ranges, at, {false, false}, missing));
  EXPECT_EQ(missing, std::vector<std::size_t>{1});
  EXPECT_FALSE(PointMap::find(
      ranges, [](const Point&) { return std::optional<Point>(); }, {false}, missing));
  EXPECT_TRUE(missing.empty());
}
}  // namespace
}  // namespace mubody::testing
