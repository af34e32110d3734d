#pragma once
// Helpers shared by the tests of the analyses.
#include <gtest/gtest.h>

#include "mubody/analyses/run.h"
#include "mubody/functions/polynomial.h"
#include "mubody/joints/angle.h"
#include "tests/example.h"
#include "tests/models.h"

namespace mubody::testing {
inline Study study(Mechanism m, double end = 1) {
  Study s;
  s.mechanism = std::move(m);
  s.analysis.end = end;
  return s;
}

inline Angle motor(int i, int j, Function value) {
  Angle a;
  a.i = marker(i, 0, 0), a.j = marker(j, 0, 0);
  a.value = std::move(value);
  return a;
}
inline Function polynomial(std::vector<double> c) {
  Polynomial p;
  p.coefficients = std::move(c);
  return Function(p);
}
/// Two uprights of 1 m and a bar of 2 m, turning at 3 rad/s: flat twice a turn.
inline Mechanism parallelogram() {
  Mechanism m;
  m.bodies = {body("left", 1, 0.1, 0, 0.5, pi / 2), body("right", 1, 0.1, 2, 0.5, pi / 2),
              body("bar", 2, 0.5, 1, 1, 0)};
  m.add_joint("A", revolute(marker(ground, 0, 0), marker(1, -0.5, 0)));
  m.add_joint("B", revolute(marker(ground, 2, 0), marker(2, -0.5, 0)));
  m.add_joint("C", revolute(marker(1, 0.5, 0), marker(3, -1, 0)));
  m.add_joint("D", revolute(marker(2, 0.5, 0), marker(3, 1, 0)));
  m.bodies[0].omega.z() = 3;
  m.prepare();
  return m;
}
}  // namespace mubody::testing
