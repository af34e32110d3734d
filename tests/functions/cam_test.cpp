// Laws of cams against integrals, published peaks and closed forms.
#include "mubody/functions/cam.h"

#include <map>
#include <numbers>

#include "tests/near.h"

namespace mubody::testing {
namespace {
constexpr double half_turn = std::numbers::pi;

// Gauss's formula with five points on many parts is exact to round-off for smooth parts; laws change at eighths.
template <class F> double integral(const F& f, double to) {
  constexpr double at[] = {0, 0.5384693101056831, 0.9061798459386640};
  constexpr double weight[] = {0.5688888888888889, 0.4786286704993665, 0.2369268850561891};
  double sum = 0;
  constexpr int parts = 64;
  for (int k = 0; k < parts; ++k) {
    const double from = double(k) / parts, end = double(k + 1) / parts;
    if (from >= to) break;
    const double mid = 0.5 * (from + std::min(end, to)), half = mid - from;
    sum += half * weight[0] * f(mid);
    for (int n : {1, 2}) sum += half * weight[n] * (f(mid - half * at[n]) + f(mid + half * at[n]));
  }
  return sum;
}

TEST(cam_laws, speed_and_lift_are_integrals) {
  ASSERT_EQ(cam_laws().size(), 5u);
  for (const CamLawEntry& law : cam_laws()) {
    EXPECT_TRUE(same(law.at(0).x, 0)) << law.info.name;
    EXPECT_TRUE(same(law.at(0).v, 0)) << law.info.name;
    EXPECT_TRUE(same(law.at(1).x, 1)) << law.info.name;
    EXPECT_TRUE(same(law.at(1).v, 0, 50)) << law.info.name;
    for (double x = 0.01; x < 1; x += 0.0173) {
      EXPECT_NEAR(law.at(x).v, integral([&](double u) { return law.at(u).a; }, x), 1e-12) << law.info.name << x;
      EXPECT_NEAR(law.at(x).x, integral([&](double u) { return law.at(u).v; }, x), 1e-12) << law.info.name << x;
    }
  }
}

// Norton (2009), table 3-2: factors of peak velocity and peak acceleration.
TEST(cam_laws, peaks_are_the_published_ones) {
  const std::map<std::string_view, std::pair<double, double>> published{
      {"harmonic", {half_turn / 2, half_turn * half_turn / 2}},
      {"cycloidal", {2, 2 * half_turn}},
      {"modified-sine",
       {7 * half_turn / (4 + half_turn) / (7.0 / 4), 4 * half_turn * half_turn / (4 + half_turn)}},
      {"3-4-5", {15.0 / 8, 10 / std::sqrt(3.0)}},
      {"4-5-6-7", {35.0 / 16, 84 / (5 * std::sqrt(5.0))}}};
  for (const CamLawEntry& law : cam_laws()) {
    double speed = 0, acceleration = 0;
    for (int k = 0; k <= 100'000; ++k) {
      const Jet y = law.at(k * 1e-5);
      speed = std::max(speed, y.v), acceleration = std::max(acceleration, y.a);
    }
    EXPECT_NEAR(speed, published.at(law.info.name).first, 1e-8) << law.info.name;
    EXPECT_NEAR(acceleration, published.at(law.info.name).second, 1e-8) << law.info.name;
  }
}

Cam plate(int law) {
  Cam cam;
  cam.lift = 0.01, cam.start = 0.2, cam.rise = 2, cam.dwell = 0.5, cam.fall = 1.5, cam.period = 2 * half_turn;
  cam.law.index = law;
  cam.check();
  return cam;
}

TEST(cam, rises_dwells_and_returns_in_every_turn) {
  for (int law = 0; law < int(cam_laws().size()); ++law) {
    const Cam cam = plate(law);
    const auto y = [&](double x) { return cam_laws()[std::size_t(law)].at(x); };
    for (const double turns : {0., 3., -2.}) {
      const double zero = turns * cam.period;
      for (const double x : {0.1, 0.9, 1.7}) {
        const Jet up = cam(zero + 0.2 + x), down = cam(zero + 2.7 + 0.75 * x);
        EXPECT_NEAR(up.x, 0.01 * y(x / 2).x, 1e-15);
        EXPECT_NEAR(up.v, 0.005 * y(x / 2).v, 1e-15);
        EXPECT_NEAR(up.a, 0.0025 * y(x / 2).a, 1e-14);
        EXPECT_NEAR(down.x, 0.01 * (1 - y(x / 2).x), 1e-15);
        EXPECT_NEAR(down.v, -0.01 / 1.5 * y(x / 2).v, 1e-15);
        EXPECT_NEAR(down.a, -0.01 / 2.25 * y(x / 2).a, 1e-14);
      }
      for (const double x : {2.2, 2.4, 2.7}) EXPECT_NEAR(cam(zero + x).x, 0.01, 1e-15);
      for (const double x : {4.2, 5., 6.2}) EXPECT_NEAR(cam(zero + x).x, 0, 1e-15);
    }
  }
}

TEST(cam, needs_room_for_rise_and_return) {
  const auto expect_refused = [](Cam cam, const char* field) {
    try {
      cam.check();
      ADD_FAILURE() << field;
    } catch (const FieldError& e) {
      EXPECT_EQ(e.field, field);
    }
  };
  Cam short_period = plate(0), no_rise = plate(0), no_fall = plate(0), backwards = plate(0);
  short_period.period = 3.9;
  no_rise.rise = 0;
  no_fall.fall = 0;
  backwards.dwell = -0.1;
  expect_refused(short_period, "period");
  expect_refused(no_rise, "rise");
  expect_refused(no_fall, "fall");
  expect_refused(backwards, "dwell");
}

// Steps end where the law changes.
TEST(cam, breakpoints_are_where_parts_join) {
  const Cam cam = plate(0);
  const Breakpoints b = cam.breakpoints(0, 2 * cam.period);
  for (const double at : {0.2, 2.2, 2.7, 4.2, 0.2 + cam.period})
    EXPECT_TRUE(std::ranges::any_of(b.jumps, [&](double t) { return std::abs(t - at) < 1e-12; })) << at;
}
}  // namespace
}  // namespace mubody::testing
