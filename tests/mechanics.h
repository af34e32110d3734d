#pragma once
// Small models against closed forms: what a model reports at its start and a little later, compared to round-off.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "mubody/simulation/model.h"
#include "tests/reference.h"

namespace mubody::testing {
using reference::g;
using std::numbers::pi;

/// The round-off of one operation on numbers of size 1.
inline constexpr double round_off = 1e-15;

/// Whether a value is the expected one up to the round-off of some operations on numbers of a size: 1, or that of the
/// expected one if it is larger.
inline ::testing::AssertionResult same(double value, double expected, double operations = 20) {
  const double allowed = operations * round_off * std::max(1.0, std::abs(expected));
  if (std::abs(value - expected) <= allowed) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << value << " is not " << expected << ": off by " << value - expected << ", allowed " << allowed;
}

/// A model in motion; its results are read by the names of their channels.
class Motion {
 public:
  explicit Motion(const Model& m, const SimulationOptions& o = {}) : simulation_(m, o) {}
  double operator()(std::string_view channel) { return simulation_[simulation_.output(channel)]; }
  /// Goes on to the time t [s].
  Motion& to(double t) {
    const Outcome end = simulation_.advance_to(t);
    EXPECT_TRUE(end) << end.why;
    return *this;
  }

 private:
  Simulation simulation_;
};

inline Model in_plane(Components gravity = {0, -g}) { return Model({.gravity = gravity}); }
inline Model in_space(Components gravity = {0, 0, -g}) { return Model({.gravity = gravity}); }

/// A marker turned so that its x axis, the line of slides, has a direction in body axes.
inline Marker with_line(Marker m, const Vec<3>& x) {
  m.turn = Quaternion::FromTwoVectors(Vec<3>::UnitX(), x);
  return m;
}
/// A marker in the plane, turned by an angle [rad].
inline Marker turned(Marker m, double angle) {
  m.turn = turn_about_z(angle);
  return m;
}
/// A turn about an axis of space by an angle [rad].
inline Quaternion turn_about(const Vec<3>& axis, double angle) {
  return Quaternion(Eigen::AngleAxisd(angle, axis));
}
}  // namespace mubody::testing
