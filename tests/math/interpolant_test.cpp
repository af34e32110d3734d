// Curves through points that are as smooth as one wants them.
#include "mubody/math/interpolant.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/random.h"

namespace mubody::testing {
namespace {
using By = Interpolant::By;
const std::vector<double> pulse_x{0, 49.99, 50, 50.01, 50.02, 50.03, 100}, pulse_y{0, 0, 0, 100, 0, 0, 0};
}  // namespace

TEST(interpolant, lines_are_straight_and_go_on_beyond_the_data) {
  const Interpolant c(By::linear, {0, 1, 3}, {0, 2, -2});
  for (const auto& [x, y] : {std::pair(-1.0, -2.0), {0.25, 0.5}, {1, 2}, {2, 0}, {4, -4}})
    EXPECT_DOUBLE_EQ(c.at(x).x, y) << x;
  EXPECT_DOUBLE_EQ(c.at(0.3).v, 2);
  EXPECT_DOUBLE_EQ(c.at(2.9).v, -2);
  EXPECT_EQ(c.at(2.9).a, 0);
}

TEST(interpolant, a_monotone_curve_rises_and_falls_with_the_data) {
  Random random(4711);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<double> x{0}, y{random()};
    for (int k = 0; k < 12; ++k) x.push_back(x.back() + random(0.01, 2)), y.push_back(random(-1, 1));
    const Interpolant c(By::monotone, x, y);
    for (std::size_t k = 0; k + 1 < x.size(); ++k) {
      EXPECT_NEAR(c.at(x[k]).x, y[k], 1e-14);
      double before = y[k];
      for (int s = 1; s <= 20; ++s) {
        const double now = c.at(x[k] + (x[k + 1] - x[k]) * s / 20.0).x;
        EXPECT_GE((now - before) * (y[k + 1] - y[k]), -1e-14);
        before = now;
      }
    }
    const auto [low, high] = std::ranges::minmax(y);
    EXPECT_NEAR(c.range().first, low, 1e-14);
    EXPECT_NEAR(c.range().second, high, 1e-14);
  }
}

TEST(interpolant, derivatives_are_those_of_the_values) {
  constexpr double h = 1e-5;
  for (const By by : {By::spline, By::monotone, By::linear}) {
    const Interpolant c(by, {0, 1, 1.7, 3}, {0, 2, 2.5, 7});
    for (const double x : {-0.5, 0.3, 1.4, 2.2, 3.5}) {
      EXPECT_NEAR((c.at(x + h).x - c.at(x - h).x) / (2 * h), c.at(x).v, 1e-8) << int(by) << " " << x;
      EXPECT_NEAR((c.at(x + h).v - c.at(x - h).v) / (2 * h), c.at(x).a, 1e-8) << int(by) << " " << x;
    }
  }
}

TEST(interpolant, periodic_curves_repeat) {
  for (const By by : {By::spline, By::monotone, By::linear}) {
    const Interpolant c(by, {0, 1, 2, 4}, {1, 3, 0, 1}, CubicSpline::Ends::periodic);
    for (const double x : {-7.3, 0.2, 3.9, 21.7}) {
      EXPECT_NEAR(c.at(x).x, c.at(x + 4).x, 1e-12) << int(by);
      EXPECT_NEAR(c.at(x).v, c.at(x - 8).v, 1e-11) << int(by);
    }
  }
}

TEST(interpolant, a_spline_through_a_pulse_swings_far_out) {
  const auto [low, high] = Interpolant(By::spline, pulse_x, pulse_y).range();
  EXPECT_GT(high - low, 10000);
  EXPECT_EQ(Interpolant(By::monotone, pulse_x, pulse_y).range(), std::pair(0.0, 100.0));
  EXPECT_EQ(Interpolant(By::linear, pulse_x, pulse_y).range(), std::pair(0.0, 100.0));
  // The range is that of the curve.
  const Interpolant c(By::spline, {0, 1, 2, 3}, {0, 1, 1, 0});
  double most = 0;
  for (int k = 0; k <= 3000; ++k) most = std::max(most, c.at(k * 1e-3).x);
  EXPECT_NEAR(c.range().second, most, 1e-6);
}

TEST(interpolant, bends_are_where_straight_lines_do_not_do) {
  std::vector<double> x, y;
  for (int k = 0; k <= 1000; ++k) x.push_back(k), y.push_back(k == 500 ? 1 : 0);
  EXPECT_EQ(bends(x, y, 1e-3), (std::vector<double>{0, 499, 500, 501, 1000}));
  y.clear();
  for (const double t : x) y.push_back(std::sin(t / 50));
  const std::vector<double> kept = bends(x, y, 1e-3);
  EXPECT_LT(kept.size(), 200u);
  EXPECT_GT(kept.size(), 50u);
  const auto value = [&](double t) { return std::sin(t / 50); };
  for (std::size_t k = 0; k + 1 < kept.size(); ++k)
    for (double t = kept[k]; t <= kept[k + 1]; ++t)
      EXPECT_NEAR(
          value(t),
          value(kept[k]) + (t - kept[k]) / (kept[k + 1] - kept[k]) * (value(kept[k + 1]) - value(kept[k])),
          4e-3);
}
}  // namespace mubody::testing
