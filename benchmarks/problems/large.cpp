#include "benchmarks/problems/large.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "benchmarks/problems/chain.h"
#include "benchmarks/problems/integrate.h"

namespace mubody::bench {
namespace {
constexpr double g = 9.81, half = 0.5;

RigidBody rod(std::string name, double x, double y, double angle) {
  RigidBody b;
  b.name = std::move(name);
  b.mass = 1;
  b.inertia(2, 2) = 1.0 / 12;
  b.start = {{x, y, 0}, turn_about_z(angle), angle};
  return b;
}

Marker at(int body, double x, double y = 0) { return {body, {x, y, 0}, Quaternion::Identity()}; }

Study study_of(Mechanism m) {
  Study s;
  m.gravity = {0, -g, 0};
  m.prepare();
  s.mechanism = std::move(m);
  s.analysis.end = 10;
  return s;
}
}  // namespace

double ladder_constant(int windows) { return 3 * g * (3 * windows + 1) / (2 * (4 * windows + 1)); }

double ladder_angle(int windows, double t) {
  const double k = ladder_constant(windows);
  return std::numbers::pi / 2 - integrate([k](double x, double) { return k * std::sin(x); }, 0, 1, t);
}

Study ladder(int windows) {
  constexpr double upright = std::numbers::pi / 2, omega = -1;
  Mechanism m;
  m.name = fmt::format("ladder of {} four-bars", windows);
  for (int k = 0; k <= windows; ++k) {
    m.bodies.push_back(rod(fmt::format("vertical{}", k), k, half, upright));
    m.bodies.back().omega.z() = omega;
    m.bodies.back().velocity = {-omega * half, 0, 0};
  }
  for (int k = 0; k < windows; ++k) {
    m.bodies.push_back(rod(fmt::format("top{}", k), k + half, 1, 0));
    m.bodies.back().velocity = {-omega, 0, 0};
  }
  for (int k = 0; k <= windows; ++k)
    m.add_joint(fmt::format("A{}", k), Revolute{at(ground, k), at(k + 1, -half)});
  for (int k = 0; k < windows; ++k) {
    const int top = windows + 2 + k;
    m.add_joint(fmt::format("B{}", k), Revolute{at(k + 1, half), at(top, -half)});
    m.add_joint(fmt::format("C{}", k), Revolute{at(top, half), at(k + 2, half)});
  }
  return study_of(std::move(m));
}

Study chain(int rods) {
  Study s;
  s.mechanism = mubody::chain(rods, 2);
  s.mechanism.name = fmt::format("chain of {} rods", rods);
  s.analysis.end = 10;
  return s;
}
}  // namespace mubody::bench
