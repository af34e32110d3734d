#pragma once
// A chain of N equal rods, bent into a spiral, in the plane or in space.
#include <numbers>

#include "mubody/joints/revolute.h"
#include "mubody/mechanism/mechanism.h"

namespace mubody {
/// Rods joined by pins, whose axes in space turn from rod to rod.
inline Mechanism chain(int links, int dim) {
  constexpr double length = 1, mass = 1, bend = 0.3;
  Mechanism m;
  m.dim = dim;
  m.gravity = {0, -9.81, 0};
  Vec<3> tip = Vec<3>::Zero();
  Quaternion turn = Quaternion::Identity();
  for (int k = 0; k < links; ++k) {
    RigidBody rod;
    rod.name = "rod" + std::to_string(k + 1);
    rod.mass = mass;
    rod.inertia = Vec<3>(1e-2, 1, 1).asDiagonal() * (mass * length * length / 12);
    const Vec<3> axis = dim == 2 || k % 2 == 0 ? Vec<3>::UnitZ() : Vec<3>::UnitY();
    turn = (turn * Quaternion(Eigen::AngleAxisd(bend, axis))).normalized();
    const Vec<3> along = turn * Vec<3>(length, 0, 0);
    rod.start = {tip + 0.5 * along, turn, dim == 2 ? bend * (k + 1) : 0};
    tip += along;
    m.bodies.push_back(rod);
    const Quaternion pin = Quaternion::FromTwoVectors(Vec<3>::UnitZ(), axis);
    Revolute joint;
    joint.i = {k, k == 0 ? Vec<3>::Zero() : Vec<3>(0.5 * length, 0, 0), pin};
    joint.j = {k + 1, Vec<3>(-0.5 * length, 0, 0), pin};
    m.add_joint("pin" + std::to_string(k + 1), joint);
  }
  m.prepare();
  return m;
}
}  // namespace mubody
