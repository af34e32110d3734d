// Points of a sweep in an order in which neighbours are much alike.
#include "mubody/sweep/neighbours.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

namespace mubody::testing {
namespace {
using Points = std::vector<std::vector<double>>;

std::vector<int> order_of(const Points& points) {
  std::vector<const std::vector<double>*> all;
  for (const auto& p : points) all.push_back(&p);
  return order_of_neighbours(all);
}

TEST(neighbours, of_one_variable_are_sorted_by_it) {
  EXPECT_EQ(order_of({{3e9}, {-1}, {2}, {2.5}}), (std::vector<int>{1, 2, 3, 0}));
}

TEST(neighbours, of_two_variables_go_through_quarters_of_quarters) {
  Points grid;
  for (int x = 0; x < 4; ++x)
    for (int y = 0; y < 4; ++y) grid.push_back({double(x), 10.0 * y});
  EXPECT_EQ(order_of(grid), (std::vector<int>{0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15}));
}

TEST(neighbours, hold_every_point_once) {
  for (const std::size_t variables : {0, 1, 3, 64, 100}) {
    Points points(50, std::vector<double>(variables));
    for (std::size_t k = 0; k < points.size(); ++k)
      for (std::size_t v = 0; v < variables; ++v) points[k][v] = std::sin(double(3 * k + v));
    std::vector<int> order = order_of(points);
    std::ranges::sort(order);
    std::vector<int> all(points.size());
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(order, all) << variables;
  }
}

TEST(neighbours, that_are_all_the_same_stay_as_they_are) {
  EXPECT_EQ(order_of({{1, 2}, {1, 2}, {1, 2}}), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(order_of({}), std::vector<int>());
  EXPECT_EQ(order_of({{1e308}, {-1e308}}), (std::vector<int>{0, 1}));  // the range is none
}
TEST(neighbours, may_be_next_to_each_other) {
  EXPECT_EQ(order_of({{1e-300}, {0}, {0.5e-300}}), (std::vector<int>{1, 2, 0}));
}
}  // namespace
}  // namespace mubody::testing
