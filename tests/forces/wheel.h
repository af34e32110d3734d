#pragma once
// Tyres on a test bench: footprints with chosen slip, and wheels that go on as they are.
#include "mubody/forces/tyre_brush.h"
#include "mubody/forces/tyre_fiala.h"
#include "mubody/forces/tyre_magic.h"
#include "tests/mechanics.h"

namespace mubody::testing {
inline TyreFiala fiala() {
  TyreFiala t;
  t.shape.radius = 0.31, t.shape.stiffness = 2e5, t.shape.damping = 300;
  t.slip_stiffness = 9e4, t.cornering_stiffness = 6e4, t.mu = 1, t.mu_sliding = 0.8, t.half_length = 0.06;
  return t;
}
inline TyreBrush brush() {
  TyreBrush t;
  t.shape.radius = 0.31, t.shape.stiffness = 2e5, t.shape.damping = 300;
  t.tread_stiffness = 9e6, t.half_length = 0.06, t.mu = 0.9;
  return t;
}
/// A passenger car's, with every coefficient; invented, of the size of published ones.
inline TyreMagic magic() {
  TyreMagic t;
  MagicFormula& c = t.formula;
  c.UNLOADED_RADIUS = 0.31, c.VERTICAL_STIFFNESS = 2e5, c.VERTICAL_DAMPING = 300, c.FNOMIN = 4000;
  c.BREFF = 8.4, c.DREFF = 0.27, c.FREFF = 0.07;
  c.PCX1 = 1.65, c.PDX1 = 1.1, c.PDX2 = -0.08, c.PDX3 = 0.4, c.PEX1 = 0.3, c.PEX2 = 0.1, c.PEX3 = -0.05;
  c.PEX4 = 0.05, c.PKX1 = 21, c.PKX2 = -0.3, c.PKX3 = 0.2, c.PHX1 = -0.001, c.PHX2 = 0.0005, c.PVX1 = 0.01;
  c.PVX2 = -0.004, c.RBX1 = 12, c.RBX2 = -9, c.RCX1 = 1.1, c.REX1 = 0.2, c.REX2 = -0.1, c.RHX1 = 0.004;
  c.PTX1 = 0.7, c.PTY1 = 2.1, c.PTY2 = 2.2;
  c.PCY1 = 1.3, c.PDY1 = 1.0, c.PDY2 = -0.15, c.PDY3 = 2.5, c.PEY1 = -0.8, c.PEY2 = -0.5, c.PEY3 = 0.1;
  c.PEY4 = -3, c.PKY1 = -14, c.PKY2 = 1.9, c.PKY3 = 0.25, c.PHY1 = 0.003, c.PHY2 = 0.001, c.PHY3 = 0.04;
  c.PVY1 = 0.02, c.PVY2 = -0.01, c.PVY3 = -0.4, c.PVY4 = -0.2, c.RBY1 = 9, c.RBY2 = 7, c.RBY3 = 0.01;
  c.RCY1 = 1.05, c.REY1 = 0.1, c.REY2 = 0.05, c.RHY1 = 0.01, c.RHY2 = 0.002, c.RVY1 = 0.05, c.RVY2 = 0.01;
  c.RVY3 = -0.3, c.RVY4 = 12, c.RVY5 = 1.9, c.RVY6 = -11;
  c.QSX1 = 0.002, c.QSX2 = 0.9, c.QSX3 = 0.03, c.QSY1 = 0.01, c.QSY2 = 0.002, c.QSY3 = 0.001, c.QSY4 = 0.0001;
  c.QBZ1 = 9, c.QBZ2 = -1.3, c.QBZ3 = 0.2, c.QBZ4 = 0.2, c.QBZ5 = -0.3, c.QBZ9 = 18, c.QBZ10 = 0.1,
  c.QCZ1 = 1.2;
  c.QDZ1 = 0.09, c.QDZ2 = -0.004, c.QDZ3 = 0.6, c.QDZ4 = 6, c.QDZ6 = 0.002, c.QDZ7 = -0.001, c.QDZ8 = -0.1;
  c.QDZ9 = 0.03, c.QEZ1 = -1.5, c.QEZ2 = 0.4, c.QEZ3 = -0.2, c.QEZ4 = 0.1, c.QEZ5 = -1, c.QHZ1 = 0.004;
  c.QHZ2 = -0.002, c.QHZ3 = 0.14, c.QHZ4 = 0.05, c.SSZ1 = 0.02, c.SSZ2 = -0.01, c.SSZ3 = 0.6, c.SSZ4 = -0.3;
  t.prepare();
  return t;
}

/// What a tyre meets at a load, a speed and slips; the wheel turns as its longitudinal slip asks.
inline Footprint<double> footprint(double load, double vx, double kappa, double tan_alpha, double camber = 0) {
  Footprint<double> at;
  at.load = load, at.vx = vx, at.camber = camber, at.compression = 0.02, at.rolling_radius = 0.3;
  at.slip = {-kappa * std::abs(vx), tan_alpha * std::abs(vx)};
  at.spin = (vx - at.slip[0]) / at.rolling_radius;
  return at;
}
/// The forces of steady slip along and across the wheel.
template <class Tyre> Vec<2> steady(const Tyre& tyre, const Footprint<double>& at) {
  const Sliding<double> slide = tyre.slide(at);
  return {slide.drift[0] / slide.ease[0], slide.drift[1] / slide.ease[1]};
}

struct WheelMotion {
  double height = 0.29, vx = 0, vy = 0,
         spin = 0;             // of the centre above the road; the wheel spins about its axle
  double steer = 0, lean = 0;  // turns about z and then about the wheel's own x [rad]
  double mass = 1e16;          // so large that nothing changes the motion
};
/// A wheel whose axle, z of its marker and y of the body, points to the left.
template <class Tyre>
Model wheel_on_road(const Tyre& tyre, const WheelMotion& m, Components gravity = {0, 0, 0}) {
  Model model({.gravity = gravity});
  const Quaternion turn = Quaternion(Eigen::AngleAxisd(m.steer, Vec<3>::UnitZ())) *
                          Quaternion(Eigen::AngleAxisd(m.lean, Vec<3>::UnitX()));
  const BodyRef wheel = model.body("wheel", {.mass = m.mass,
                                             .inertia = 0.05 * m.mass,
                                             .position = {0, 0, m.height},
                                             .orientation = turn,
                                             .velocity = {m.vx, m.vy, 0},
                                             .omega = {0, m.spin, 0}});
  model.force("tyre", tyre, model.ground().at(0, 0),
              wheel.at(Vec<3>::Zero(), turn_between(Vec<3>::UnitZ(), Vec<3>::UnitY())));
  return model;
}
}  // namespace mubody::testing
