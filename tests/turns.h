#pragma once
// Turns in space, for models of tests.
#include "mubody/math/space.h"

namespace mubody::testing {
/// A turn about an axis of space by an angle [rad].
inline Quaternion turn_about(const Vec<3>& axis, double angle) {
  return Quaternion(Eigen::AngleAxisd(angle, axis));
}

/// The shortest turn that takes one direction to another, which is not its opposite.  That of Eigen would bring a
/// singular value decomposition along, and take seconds to compile.
inline Quaternion turn_between(const Vec<3>& from, const Vec<3>& to) {
  const Vec<3> a = from.normalized(), b = to.normalized(), axis = a.cross(b);
  return Quaternion(1 + a.dot(b), axis.x(), axis.y(), axis.z()).normalized();
}
}  // namespace mubody::testing
