#pragma once
// Mass, centre of mass and inertia of a solid, and how they add up.
//
//   docs/theory/mass-properties.md
//
//   m = Σ m_k,   c = Σ m_k c_k / m,   I = Σ I_k + m_k (d·d 1 − d dᵀ),   d = c_k − c
#include "mubody/math/space.h"

namespace mubody {
struct MassProperties {
  double mass = 0;                                    // [kg]; the volume where the density is 1 [m³]
  Vec<3> centre = Vec<3>::Zero();                     // [m]
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  // about the centre [kg m²]

  /// From the mass, the centre and the second moments ∫ x xᵀ dm about it.
  static MassProperties of_moments(double mass, const Vec<3>& centre, const Eigen::Matrix3d& moments) {
    return {mass, centre, moments.trace() * Eigen::Matrix3d::Identity() - moments};
  }
  MassProperties scaled(double factor) const { return {factor * mass, centre, factor * inertia}; }
  /// The same solid, turned about the origin and then moved.
  MassProperties moved(const Quaternion& turn, const Vec<3>& by) const {
    const Eigen::Matrix3d A = turn.toRotationMatrix();
    return {mass, turn * centre + by, A * inertia * A.transpose()};
  }
};

/// What a shift of the centre adds to an inertia.
inline Eigen::Matrix3d shift_of_inertia(double mass, const Vec<3>& d) {
  return mass * (d.squaredNorm() * Eigen::Matrix3d::Identity() - d * d.transpose());
}

/// Two solids in one.
inline MassProperties operator+(const MassProperties& a, const MassProperties& b) {
  const double mass = a.mass + b.mass;
  if (!(mass > 0)) return a;
  const Vec<3> centre = (a.mass / mass) * a.centre + (b.mass / mass) * b.centre;
  return {mass, centre,
          a.inertia + b.inertia + shift_of_inertia(a.mass, a.centre - centre) +
              shift_of_inertia(b.mass, b.centre - centre)};
}
}  // namespace mubody
