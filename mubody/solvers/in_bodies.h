#pragma once
// What another formulation computes, in body coordinates, in which results are named.
#include "mubody/system/system.h"

namespace mubody {
/// Displacements or velocities of a system at q, by columns, as those of the bodies.
inline MatX in_bodies(System& s, System& bodies, const VecX& q, const MatX& ways) {
  if (&s == &bodies) return ways;
  VecX body_q(bodies.nq), body_u(bodies.nu);
  MatX all(bodies.nu, ways.cols());
  for (Eigen::Index k = 0; k < ways.cols(); ++k) {
    s.to_bodies(q, VecX(ways.col(k)), body_q, body_u);
    all.col(k) = body_u;
  }
  return all;
}
/// A position of a system as that of the bodies.
inline VecX position_in_bodies(System& s, System& bodies, const VecX& q) {
  VecX body_q = q, body_u = VecX::Zero(bodies.nu);
  if (&s == &bodies) return body_q;
  body_q.resize(bodies.nq);
  s.to_bodies(q, VecX::Zero(s.nu), body_q, body_u);
  return body_q;
}
}  // namespace mubody
