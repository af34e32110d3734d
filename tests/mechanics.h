#pragma once
// Small models against closed forms: what a model reports at its start and a little later, compared to round-off.
#include "mubody/simulation/model.h"
#include "tests/near.h"
#include "tests/reference.h"
#include "tests/turns.h"

namespace mubody::testing {
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
  m.turn = turn_between(Vec<3>::UnitX(), x);
  return m;
}
/// A marker in the plane, turned by an angle [rad].
inline Marker turned(Marker m, double angle) {
  m.turn = turn_about_z(angle);
  return m;
}
}  // namespace mubody::testing
