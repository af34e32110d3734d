#pragma once
// Small mechanisms built in code, for tests.
#include "mubody/joints/revolute.h"
#include "mubody/joints/slot.h"
#include "mubody/mechanism/mechanism.h"
#include "tests/reference.h"

namespace mubody::testing {
inline RigidBody body(const std::string& name, double mass, double inertia, double x, double y, double angle) {
  RigidBody b;
  b.name = name;
  b.mass = mass;
  b.inertia(2, 2) = inertia;
  b.start = {Vec<3>(x, y, 0), turn_about_z(angle), angle};
  return b;
}

inline Marker marker(int b, double x, double y, double angle = 0) {
  return {b, Vec<3>(x, y, 0), turn_about_z(angle)};
}

inline Revolute revolute(const Marker& i, const Marker& j) {
  Revolute r;
  r.i = i, r.j = j;
  return r;
}

/// Marques, Souto & Flores (2017), Table 1, with the coupler angle that closes the loop exactly.
inline Mechanism four_bar() {
  const double a1 = pi / 3, a2 = 0.423245598298523, a3 = 1.0042031595910081;
  Mechanism m;
  m.gravity = {0, -g, 0};
  m.bodies = {
      body("crank", 1, 0.3, std::cos(a1), std::sin(a1), a1),
      body("coupler", 2.25, 2, 2 * std::cos(a1) + 2 * std::cos(a2), 2 * std::sin(a1) + 2 * std::sin(a2), a2),
      body("follower", 2.2, 1.35, 2.5 + 2 * std::cos(a3), 2 * std::sin(a3), a3)};
  m.add_joint("A", revolute(marker(ground, 0, 0), marker(1, -1, 0)));
  m.add_joint("B", revolute(marker(1, 1, 0), marker(2, -2, 0)));
  m.add_joint("C", revolute(marker(2, 2, 0), marker(3, 2, 0)));
  m.add_joint("D", revolute(marker(ground, 2.5, 0), marker(3, -2, 0)));
  m.prepare();
  return m;
}

/// N windows side by side: N + 1 uprights and N coupled cross bars, rods of 1 m and 1 kg.
inline Mechanism ladder(int windows) {
  Mechanism m;
  m.gravity = {0, -g, 0};
  const double up = pi / 2;
  for (int k = 0; k <= windows; ++k) m.bodies.push_back(body("up" + std::to_string(k), 1, 1. / 12, k, 0.5, up));
  for (int k = 0; k < windows; ++k)
    m.bodies.push_back(body("bar" + std::to_string(k), 1, 1. / 12, k + 0.5, 1, 0));
  for (int k = 0; k <= windows; ++k)
    m.add_joint("foot" + std::to_string(k), revolute(marker(ground, k, 0), marker(1 + k, -0.5, 0)));
  for (int k = 0; k < windows; ++k) {
    const int bar = windows + 2 + k;
    m.add_joint("left" + std::to_string(k), revolute(marker(1 + k, 0.5, 0), marker(bar, -0.5, 0)));
    m.add_joint("right" + std::to_string(k), revolute(marker(2 + k, 0.5, 0), marker(bar, 0.5, 0)));
  }
  m.prepare();
  return m;
}
}  // namespace mubody::testing
