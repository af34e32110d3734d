#pragma once
// The plane (D = 2) and space (D = 3): vectors, and the few things that depend on which.
#include <Eigen/Core>
#include <Eigen/Geometry>

#include "mubody/math/inlining.h"
#include "mubody/math/real.h"

namespace mubody {
template <int N, class R = double> using Vec = Eigen::Matrix<R, N, 1>;
template <int N, int C, class R = double> using Rows = Eigen::Matrix<R, N, C>;
using VecX = Eigen::VectorXd;
using MatX = Eigen::MatrixXd;
using In = Eigen::Ref<const VecX>;  // a vector that is read
using Out = Eigen::Ref<VecX>;       // a vector that is written
using Quaternion = Eigen::Quaterniond;

/// Number of components of an angular velocity.
template <int D> inline constexpr int spins = D == 2 ? 1 : 3;

/// Number of components of a twist: linear velocity, then angular velocity.
template <int D> inline constexpr int twist = D + spins<D>;

/// s turned by a right angle, counter-clockwise.
inline Vec<2> perp(const Vec<2>& s) { return {-s.y(), s.x()}; }

/// A turn about z; every orientation in the plane is one.
inline Quaternion turn_about_z(double angle) { return Quaternion(Eigen::AngleAxisd(angle, Vec<3>::UnitZ())); }

/// The angle of a turn about z, in (−π, π].
inline double angle_about_z(const Quaternion& p) { return 2 * std::atan2(p.z(), p.w()); }

/// The shortest turn from one direction to another; about any axis across them if they are opposite.
inline Quaternion turn_between(const Vec<3>& from, const Vec<3>& to) {
  const Vec<3> a = from.normalized(), b = to.normalized();
  const double cosine = a.dot(b);
  if (cosine < -1 + 1e-14) {
    const Vec<3> across = a.unitOrthogonal();
    return {0, across.x(), across.y(), across.z()};
  }
  const Vec<3> axis = a.cross(b);
  return Quaternion(1 + cosine, axis.x(), axis.y(), axis.z()).normalized();
}

/// The angle equal to `angle` up to whole turns, in (−π, π].
inline double wrapped(double angle) { return remainder(angle, 2 * EIGEN_PI); }
}  // namespace mubody
