#pragma once
// A block on a belt that runs at a constant speed, held back by a spring: it sticks to the belt until the spring is strong
// enough, slips back, and is caught again.
// With constant coefficients each part is an oscillation under a constant force, or a rest on the belt.
#include "mubody/forces/spring.h"
#include "mubody/functions/polynomial.h"
#include "mubody/joints/slide.h"
#include "mubody/joints/translational.h"
#include "tests/mechanics.h"

namespace mubody::testing {
/// rate · t
inline Function growing(double rate) { return Function(Polynomial{.coefficients = {0, rate}}); }

struct Belt {
  double V = 0.1, mass = 1, stiffness = 100, at_rest = 0.4, kinetic = 0.25;

  Model model() const {
    Model m = in_plane();
    const BodyRef belt = m.body("belt", {.mass = 1, .inertia = 1, .velocity = {V, 0}});
    const BodyRef block = m.body("block", {.mass = mass, .inertia = 1, .velocity = {V, 0}});
    m.joint("bed", Translational{}, m.ground().at(0, 0), belt.at(0, 0));
    Slide drive;
    drive.value = growing(V);
    m.joint("drive", drive, m.ground().at(0, 0), belt.at(0, 0));
    m.joint("grip", Translational{}, belt.at(0, 0), block.at(0, 0));
    m.friction({.at_rest = at_rest, .kinetic = kinetic});
    Spring spring;
    spring.stiffness = stiffness;
    spring.free_length = 1;
    m.force("spring", spring, m.ground().at(-1, 0), block.at(0, 0));
    return m;
  }

  double breaks() const { return at_rest * mass * g / stiffness; }  // [m] where it slips
  double middle() const { return kinetic * mass * g / stiffness; }  // [m] about which it swings
  double w() const { return std::sqrt(stiffness / mass); }
  double swing() const { return breaks() - middle(); }
  double slipping() const { return 2 * (pi - std::atan(swing() * w() / V)) / w(); }  // [s] of a cycle
  double sticking() const { return 2 * swing() / V; }

  /// The time since it slipped last, or before it did for the first time, less than zero.
  double phase(double t) const {
    const double first = breaks() / V, since = t - first;
    return since < 0 ? since : std::fmod(since, slipping() + sticking());
  }
  int cycles(double t) const {
    const double since = t - breaks() / V;
    return since < 0 ? 0 : 1 + int(since / (slipping() + sticking()));
  }
  double position(double t) const {
    const double p = phase(t);
    if (p < 0) return breaks() + p * V;
    if (p > slipping()) return middle() - swing() + (p - slipping()) * V;
    return middle() + swing() * std::cos(w() * p) + V / w() * std::sin(w() * p);
  }
  double speed(double t) const {
    const double p = phase(t);
    if (p < 0 || p > slipping()) return V;
    return -swing() * w() * std::sin(w() * p) + V * std::cos(w() * p);
  }
};
}  // namespace mubody::testing
