#include "mubody/math/spline.h"

#include <cmath>
#include <functional>
#include <random>

#include <gtest/gtest.h>

#include "mubody/math/piecewise_linear.h"
#include "tests/near.h"
#include "tests/reference.h"

namespace mubody::testing {
namespace {
using Ends = CubicSpline::Ends;

// Gauss's rule with three points on many small parts, which is exact for the polynomials here except at kinks.
double quadrature(const std::function<double(double)>& f, double from, double to, int parts = 2000) {
  double sum = 0;
  const double h = (to - from) / parts, g = std::sqrt(0.6) / 2;
  for (int k = 0; k < parts; ++k) {
    const double middle = from + (k + 0.5) * h;
    sum += h * (5 * f(middle - g * h) + 8 * f(middle) + 5 * f(middle + g * h)) / 18;
  }
  return sum;
}

const std::vector<double> knots{-1, -0.3, 0.2, 1, 2.5, 2.7, 4};
std::vector<double> sampled(const std::function<double(double)>& f, const std::vector<double>& x) {
  std::vector<double> y;
  for (const double k : x) y.push_back(f(k));
  return y;
}

TEST(cubic_spline, not_a_knot_reproduces_cubics) {
  const auto f = [](double x) { return 1 - 2 * x + 0.5 * x * x - 0.7 * x * x * x; };
  for (const std::vector<double>& x : {knots, std::vector<double>{-1, 0.2, 1, 4}}) {
    const CubicSpline s(x, sampled(f, x), Ends::not_a_knot);
    for (double t = -1; t <= 4; t += 0.01) {
      const Jet j = s.at(t);
      EXPECT_NEAR(j.x, f(t), 1e-12);
      EXPECT_NEAR(j.v, -2 + t - 2.1 * t * t, 1e-11);
      EXPECT_NEAR(j.a, 1 - 4.2 * t, 1e-10);
    }
  }
}

TEST(cubic_spline, clamped_reproduces_cubics) {
  const auto f = [](double x) { return x * x * x; };
  const CubicSpline s(knots, sampled(f, knots), Ends::clamped, 3, 48);
  for (double t = -1; t <= 4; t += 0.01) EXPECT_NEAR(s.at(t).x, f(t), 1e-12);
  const CubicSpline two({0, 2}, {0, 8}, Ends::clamped, 0, 12);
  EXPECT_NEAR(two.at(1).x, 1, 1e-14);
}

TEST(cubic_spline, few_points_not_a_knot) {
  const CubicSpline line({1, 3}, {2, 6}, Ends::not_a_knot), parabola({0, 1, 3}, {0, 1, 9}, Ends::not_a_knot);
  EXPECT_DOUBLE_EQ(line.at(2).x, 4);
  EXPECT_NEAR(parabola.at(2).x, 4, 1e-14);
  EXPECT_NEAR(parabola.at(0.5).x, 0.25, 1e-14);
  EXPECT_DOUBLE_EQ(CubicSpline({0, 1}, {0, 2}).at(0.25).x, 0.5);
}

// Through (0, 0), (1, 1), (2, 0): 4 m = −12 at the middle, hence x (3 − x²) / 2 up to it.
TEST(cubic_spline, natural_by_hand) {
  const CubicSpline s({0, 1, 2}, {0, 1, 0});
  EXPECT_DOUBLE_EQ(s.at(1).a, -3);
  EXPECT_DOUBLE_EQ(s.at(0).v, 1.5);
  for (const double x : {0.0, 0.3, 0.8, 1.0}) {
    EXPECT_TRUE(same(s.at(x).x, x * (3 - x * x) / 2, 1));
    EXPECT_TRUE(same(s.at(2 - x).x, x * (3 - x * x) / 2, 1));
    EXPECT_TRUE(same(s.at(x).v, (3 - 3 * x * x) / 2, 1));
  }
  EXPECT_TRUE(same(s.integral(2), 2 * (0.75 - 0.125), 1));
}

TEST(cubic_spline, smooth_across_knots_and_along_the_tangent_beyond) {
  const auto y = sampled([](double x) { return std::sin(3 * x); }, knots);
  for (const Ends ends : {Ends::natural, Ends::clamped, Ends::not_a_knot}) {
    const CubicSpline s(knots, y, ends, 0.5, -2);
    for (std::size_t k = 0; k < knots.size(); ++k) {
      const Jet left = s.at(knots[k] - 1e-10), right = s.at(knots[k] + 1e-10);
      EXPECT_NEAR(s.at(knots[k]).x, y[k], 1e-14);
      EXPECT_NEAR(left.x, right.x, 1e-8);
      EXPECT_NEAR(left.v, right.v, 1e-7);
      const bool inner = k > 0 && k + 1 < knots.size();
      if (inner) {
        EXPECT_NEAR(left.a, right.a, 1e-7);
      }
    }
    const Jet end = s.at(4), beyond = s.at(6), start = s.at(-1), before = s.at(-2);
    EXPECT_NEAR(beyond.x, end.x + 2 * end.v, 1e-13);
    EXPECT_EQ(beyond.v, end.v);
    EXPECT_EQ(beyond.a, 0);
    EXPECT_NEAR(before.x, start.x - start.v, 1e-13);
    if (ends == Ends::natural) {
      EXPECT_NEAR(end.a, 0, 1e-12);
    }
    if (ends == Ends::clamped) {
      EXPECT_NEAR(start.v, 0.5, 1e-12);
    }
    if (ends == Ends::clamped) {
      EXPECT_NEAR(end.v, -2, 1e-12);
    }
  }
}

double error_with(int intervals) {
  std::vector<double> x, y;
  for (int k = 0; k <= intervals; ++k) x.push_back(2 * pi * k / intervals), y.push_back(std::sin(x.back()));
  const CubicSpline s(x, y, Ends::periodic);
  double worst = 0;
  for (double t = -7; t < 14; t += 0.013) worst = std::max(worst, std::abs(s.at(t).x - std::sin(t)));
  return worst;
}

TEST(cubic_spline, periodic_converges_with_fourth_order) {
  EXPECT_LT(error_with(16), 2e-4);
  EXPECT_NEAR(std::log2(error_with(16) / error_with(32)), 4, 0.2);
  EXPECT_NEAR(std::log2(error_with(32) / error_with(64)), 4, 0.2);
}

TEST(cubic_spline, periodic_closes) {
  for (const std::vector<double>& x : {std::vector<double>{0, 1, 3}, {0, 1, 3, 3.5}, {0, 0.2, 1.1, 2, 3.3}}) {
    std::vector<double> y = sampled([](double t) { return std::cos(5 * t) + t; }, x);
    y.back() = y.front();
    const CubicSpline s(x, y, Ends::periodic);
    const double period = x.back() - x.front();
    for (const double knot : x) {
      const Jet left = s.at(knot - 1e-10), right = s.at(knot + 1e-10);
      EXPECT_NEAR(left.v, right.v, 1e-6);
      EXPECT_NEAR(left.a, right.a, 1e-6);
    }
    for (const double t : {0.1, 0.7, 2.9}) EXPECT_NEAR(s.at(t).x, s.at(t - 3 * period).x, 1e-12);
    const auto f = [&](double t) { return s.at(t).x; };
    for (const double t : {-4.2, 0.4, 7.9})
      EXPECT_NEAR(s.integral(t), quadrature(f, x.front(), t, 20000), 1e-9);
  }
  EXPECT_DOUBLE_EQ(CubicSpline({0, 1}, {3, 3}, Ends::periodic).at(17.3).x, 3);
}

TEST(cubic_spline, derivatives_and_integral) {
  const auto y = sampled([](double x) { return std::exp(-x) + x; }, knots);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-2, 5);
  for (const Ends ends : {Ends::natural, Ends::clamped, Ends::not_a_knot, Ends::periodic}) {
    const CubicSpline s(knots, y, ends);
    const auto f = [&](double t) { return s.at(t).x; };
    for (int k = 0; k < 30; ++k) {
      const double x = uniform(random), h = 1e-5;
      EXPECT_NEAR(s.at(x).v, (f(x + h) - f(x - h)) / (2 * h), 1e-7);
      EXPECT_NEAR(s.at(x).a, (s.at(x + h).v - s.at(x - h).v) / (2 * h), 1e-3);
      EXPECT_NEAR(s.integral(x), quadrature(f, knots.front(), x), 1e-8);
    }
  }
}

TEST(cubic_spline, refuses_bad_points) {
  EXPECT_THROW(CubicSpline({0}, {0}), std::invalid_argument);
  EXPECT_THROW(CubicSpline({0, 1}, {0, 1, 2}), std::invalid_argument);
  EXPECT_THROW(CubicSpline({0, 1, 1}, {0, 1, 2}), std::invalid_argument);
  EXPECT_THROW(CubicSpline({0, NAN, 1}, {0, 1, 2}), std::invalid_argument);
  EXPECT_EQ(CubicSpline().at(3).x, 0);
}

TEST(piecewise_linear, value_slope_integral) {
  const PiecewiseLinear f({0, 1, 3}, {0, 2, 0});
  EXPECT_DOUBLE_EQ(f.value(0.5), 1);
  EXPECT_DOUBLE_EQ(f.value(1), 2);
  EXPECT_DOUBLE_EQ(f.value(2), 1);
  EXPECT_DOUBLE_EQ(f.value(-1), -2);
  EXPECT_DOUBLE_EQ(f.value(5), -2);
  EXPECT_DOUBLE_EQ(f.slope(0.5), 2);
  EXPECT_DOUBLE_EQ(f.slope(1), -1);
  EXPECT_DOUBLE_EQ(f.slope(9), -1);
  EXPECT_DOUBLE_EQ(f.integral(3), 3);
  EXPECT_DOUBLE_EQ(f.integral(-1), 1);
  for (const double x : {-2.0, 0.3, 1.7, 6.0})
    EXPECT_NEAR(f.integral(x), quadrature([&](double t) { return f.value(t); }, 0, x), 1e-6);
  EXPECT_THROW(PiecewiseLinear({1, 0}, {0, 1}), std::invalid_argument);
  EXPECT_EQ(PiecewiseLinear().value(3), 0);
}
}  // namespace
}  // namespace mubody::testing
