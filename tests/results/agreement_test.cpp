// Agreement of two series against numbers worked out by hand.
#include "mubody/results/agreement.h"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "mubody/results/common_times.h"
#include "tests/near.h"

namespace mubody::testing {
namespace {
using Numbers = std::vector<double>;

// Shrout and Fleiss (1979), Table 2: six targets rated by four judges.
const Numbers judge_1{9, 6, 8, 7, 10, 6}, judge_2{2, 1, 4, 1, 5, 2}, judge_3{5, 3, 6, 2, 6, 4},
    judge_4{8, 2, 8, 6, 9, 7};

Agreement at_whole_seconds(const Numbers& a, const Numbers& b) {
  Numbers times;
  for (std::size_t k = 0; k < a.size(); ++k) times.push_back(static_cast<double>(k));
  return agreement(times, a, b);
}

TEST(intraclass, gives_the_published_values_for_four_judges) {
  const std::array<std::span<const double>, 4> judges{judge_1, judge_2, judge_3, judge_4};
  const Intraclass icc = intraclass(judges);
  EXPECT_NEAR(icc.between_targets, 11.24, 0.005);  // Table 3
  EXPECT_NEAR(icc.between_raters, 32.49, 0.005);
  EXPECT_NEAR(icc.residual, 1.02, 0.005);
  EXPECT_NEAR(icc.absolute.value(), 0.29, 0.005);  // Table 4
  EXPECT_NEAR(icc.consistency.value(), 0.71, 0.005);
}

// By hand for the first two of these judges, n = 6, k = 2:
//   differences  7 5 4 6 5 4      sum 31, squares 167, about the mean 167 - 31^2/6 = 41/6
//   sums        11 7 12 8 15 8    sum 61, squares 667, about the mean 667 - 61^2/6 = 281/6
// Mean squares: targets (281/6)/2/5 = 281/60, residual (41/6)/2/5 = 41/60, raters 6 (31/6)^2/2 = 961/12 = 4805/60.
//   ICC(3,1) = (281 - 41)/(281 + 41) = 120/161
//   ICC(2,1) = (281 - 41)/(281 + 41 + 2 (4805 - 41)/6) = 240/1910 = 24/191
TEST(intraclass, is_that_of_two_judges_by_hand) {
  const std::array<std::span<const double>, 2> judges{judge_1, judge_2};
  const Intraclass icc = intraclass(judges);
  EXPECT_NEAR(icc.between_targets, 281.0 / 60, 1e-14);
  EXPECT_NEAR(icc.residual, 41.0 / 60, 1e-14);
  EXPECT_NEAR(icc.between_raters, 961.0 / 12, 1e-13);
  EXPECT_NEAR(icc.consistency.value(), 120.0 / 161, 1e-14);
  EXPECT_NEAR(icc.absolute.value(), 24.0 / 191, 1e-14);
}

// The same differences: mean 31/6, variance (41/6)/5 = 41/30, mean square 167/6.
TEST(agreement, has_mean_and_limits_of_the_differences) {
  const Agreement g = at_whole_seconds(judge_1, judge_2);
  EXPECT_EQ(g.n, 6U);
  EXPECT_EQ(g.max, 7);
  EXPECT_EQ(g.at, 0);
  EXPECT_NEAR(g.rms, std::sqrt(167.0 / 6), 1e-14);
  EXPECT_NEAR(g.bias, 31.0 / 6, 1e-14);
  EXPECT_NEAR(g.sd.value(), std::sqrt(41.0 / 30), 1e-14);
  EXPECT_NEAR(g.lower.value(), 2.875338, 1e-6);  // 5.166667 - 1.96 * 1.169045
  EXPECT_NEAR(g.upper.value(), 7.457995, 1e-6);
  EXPECT_NEAR(g.consistency.value(), 120.0 / 161, 1e-14);
  EXPECT_NEAR(g.absolute.value(), 24.0 / 191, 1e-14);
}

// Small whole numbers.  a = 1 2 3 4, b = 2 2 4 4: differences -1 0 -1 0, mean -1/2, variance (4/4)/3 = 1/3.
// Variances of a and b are 5/3 and 4/3, their covariance 4/3.  For two raters ICC(3,1) = 2 cov/(var a + var b)
// = 8/9, and ICC(2,1) = 2 cov/(var a + var b + bias^2 - sd^2/n) = (8/3)/(3 + 1/4 - 1/12) = 16/19.
TEST(agreement, of_small_numbers) {
  const Agreement g = at_whole_seconds({1, 2, 3, 4}, {2, 2, 4, 4});
  EXPECT_EQ(g.max, 1);
  EXPECT_EQ(g.at, 0) << "the first time where it is reached";
  EXPECT_TRUE(same(g.rms, std::sqrt(0.5), 1));
  EXPECT_TRUE(same(g.bias, -0.5, 1));
  EXPECT_TRUE(same(g.sd.value(), std::sqrt(1.0 / 3), 1));
  EXPECT_NEAR(g.lower.value(), -0.5 - 1.96 / std::sqrt(3.0), 1e-14);
  EXPECT_NEAR(g.upper.value(), -0.5 + 1.96 / std::sqrt(3.0), 1e-14);
  EXPECT_NEAR(g.consistency.value(), 8.0 / 9, 1e-14);
  EXPECT_NEAR(g.absolute.value(), 16.0 / 19, 1e-14);
}

TEST(agreement, consistency_does_not_see_an_offset) {
  // Differences -2: residual 0; variances 1 each.  ICC(2,1) = 2/(2 + 4) = 1/3.
  const Agreement g = at_whole_seconds({1, 2, 3}, {3, 4, 5});
  EXPECT_DOUBLE_EQ(g.consistency.value(), 1);
  EXPECT_TRUE(same(g.absolute.value(), 1.0 / 3, 1));
  EXPECT_EQ(g.sd, 0);
  EXPECT_EQ(g.lower, -2);
  EXPECT_EQ(g.upper, -2);
}

TEST(agreement, of_a_series_with_itself_is_complete) {
  const Agreement g = at_whole_seconds(judge_1, judge_1);
  EXPECT_EQ(g.max, 0);
  EXPECT_EQ(g.rms, 0);
  EXPECT_DOUBLE_EQ(g.consistency.value(), 1);
  EXPECT_DOUBLE_EQ(g.absolute.value(), 1);
}

TEST(agreement, of_opposite_series_is_negative) {
  // Mirror images: no mean square between targets, so ICC(3,1) = -1.
  const Agreement g = at_whole_seconds({1, 2, 3}, {3, 2, 1});
  EXPECT_DOUBLE_EQ(g.consistency.value(), -1);
}

TEST(agreement, constant_series_have_no_correlation) {
  for (const Numbers& b : {Numbers{0.3, 0.3, 0.3}, Numbers{5, 5, 5}, Numbers{0.1 + 0.2, 0.3, 0.3}}) {
    const Agreement g = at_whole_seconds({0.3, 0.3, 0.3}, b);
    EXPECT_FALSE(g.consistency);
    EXPECT_FALSE(g.absolute);
    EXPECT_TRUE(g.lower && g.upper);
  }
  EXPECT_TRUE(same(at_whole_seconds({1, 1, 1}, {1, 2, 3}).consistency.value(), 0, 1)) << "one of them varies";
}

TEST(agreement, a_single_time_has_a_difference_and_no_limits) {
  const Agreement g = at_whole_seconds({2}, {5});
  EXPECT_EQ(g.max, 3);
  EXPECT_EQ(g.rms, 3);
  EXPECT_EQ(g.bias, -3);
  EXPECT_FALSE(g.sd || g.lower || g.upper || g.consistency || g.absolute);
}

TEST(common_times, are_those_of_the_coarser_within_both) {
  EXPECT_EQ(common_times(Numbers{0, 1, 2, 3, 4}, Numbers{1, 1.5, 2, 2.5, 3, 3.5}), (Numbers{1, 2, 3}));
  EXPECT_EQ(common_times(Numbers{1, 1.5, 2, 2.5, 3, 3.5}, Numbers{0, 1, 2, 3, 4}), (Numbers{1, 2, 3}));
  EXPECT_EQ(common_times(Numbers{0, 1}, Numbers{0.5, 1.5}), Numbers{1}) << "of the first if equally many";
  EXPECT_EQ(common_times(Numbers{0, 10}, Numbers{4, 5}), (Numbers{4, 5}));
  EXPECT_EQ(common_times(Numbers{0, 1}, Numbers{1, 2}), Numbers{1});
  EXPECT_TRUE(common_times(Numbers{0, 1}, Numbers{2, 3}).empty());
  EXPECT_TRUE(common_times(Numbers{}, Numbers{2, 3}).empty());
  const double nearly = 3 * 0.1;  // a little more than 0.3
  EXPECT_EQ(common_times(Numbers{0, 0.3}, Numbers{0, 0.15, nearly}), (Numbers{0, 0.3}));
  EXPECT_EQ(common_times(Numbers{0, nearly}, Numbers{0, 0.15, 0.3}), (Numbers{0, nearly}));
}

TEST(common_times, values_are_taken_or_interpolated) {
  const Numbers t{0, 1, 2, 3, 5};
  Numbers y;
  const auto cubic = [](double x) { return x * x * x - 2 * x + 1; };
  for (const double x : t) y.push_back(cubic(x));
  EXPECT_EQ(values_at(t, t, y), y);
  // A spline with not-a-knot ends gives a cubic back.
  const Numbers between{0.5, 2, 4.25};
  const Numbers values = values_at(between, t, y);
  for (std::size_t k = 0; k < between.size(); ++k) EXPECT_NEAR(values[k], cubic(between[k]), 1e-12);
  EXPECT_EQ(values[1], y[2]);
  EXPECT_EQ(values_at(Numbers{1 + 1e-16}, Numbers{1}, Numbers{7}), Numbers{7});
}
}  // namespace
}  // namespace mubody::testing
