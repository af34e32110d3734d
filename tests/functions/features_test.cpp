// What functions of time do within a short time is found, and nothing else.
#include "mubody/functions/features.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace mubody::testing {
namespace {
double bell(double t) { return std::exp(-t * t); }

/// The integral by the trapezium rule between the times, which follow the function if it is right.
double area(const std::function<double(double)>& f, double from, double to, std::vector<double> times) {
  times.insert(times.begin(), from);
  times.push_back(to);
  double sum = 0;
  for (std::size_t k = 1; k < times.size(); ++k)
    sum += 0.5 * (f(times[k - 1]) + f(times[k])) * (times[k] - times[k - 1]);
  return sum;
}
}  // namespace

TEST(features, a_bell_far_shorter_than_a_step_is_followed) {
  for (const double width : {1e-1, 1e-2, 1e-3, 1e-6, 1e-9}) {
    const auto f = [&](double t) { return 1000 * bell((t - 50.1234) / width); };
    const std::vector<double> times = short_features(f, 0, 100, {5.0}, {50.1234});
    EXPECT_NEAR(area(f, 0, 100, times) / (1000 * width), std::sqrt(std::acos(-1)), 0.02) << width;
    EXPECT_LT(times.size(), 100u) << width;
    EXPECT_LT(short_features(f, 0, 100, {5.0, 2}, {50.1234}).size(), times.size()) << width;
  }
}

TEST(features, are_found_without_a_hint_if_they_last_a_ten_thousandth) {
  for (int k = 0; k < 50; ++k) {
    const double at = 10 + 1.5701 * k;
    const auto f = [&](double t) { return bell((t - at) / 0.01); };
    EXPECT_NEAR(area(f, 0, 100, short_features(f, 0, 100, {0.5})) / 0.01, std::sqrt(std::acos(-1)), 0.02) << at;
  }
}

TEST(features, of_several_sizes_are_all_followed) {
  const auto f = [&](double t) {
    return bell((t - 20) / 1e-3) + bell((t - 50) / 1e-5) + bell((t - 50.01) / 1e-4);
  };
  const std::vector<double> times = short_features(f, 0, 100, {0.5}, {50, 20, 50.01});
  for (const double t : {20.0, 50.0, 50.01})
    EXPECT_TRUE(std::ranges::any_of(times, [&](double x) { return std::abs(x - t) < 1e-6; })) << t;
}

TEST(features, are_none_where_steps_see_the_function_anyway) {
  using F = std::function<double(double)>;
  const F functions[] = {[](double t) { return std::sin(t); }, [](double t) { return std::sin(1000 * t); },
                         [](double t) { return bell((t - 50) / 5); }, [](double) { return 3.0; },
                         [](double t) { return t * t; }};
  for (const F& f : functions) EXPECT_TRUE(short_features(f, 0, 100, {0.5}).empty()) << f(1);
  // Where an oscillation dies away its last waves stand alone.
  const F waves = [](double t) { return std::exp(-t / 10) * std::cos(7 * t); };
  EXPECT_LT(short_features(waves, 0, 100, {0.5}).size(), 500u);
}
}  // namespace mubody::testing
