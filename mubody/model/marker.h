#pragma once
// A marker: a frame fixed to a body.  Joints, forces and points of interest attach to markers only.
#include <memory>

#include "mubody/math/space.h"

namespace mubody {
inline constexpr int ground = 0;  // the body that does not move; the others count from 1

/// An identity: a model gives it to its markers, so that they are not taken for those of another model.
struct ModelId {};

/// A frame fixed to a body: origin in body axes [m], and the turn from body axes to marker axes.
/// In the plane z of the origin is zero and the turn is about z.
struct Marker {
  int body = ground;
  Vec<3> at = Vec<3>::Zero();
  Quaternion turn = Quaternion::Identity();
  std::shared_ptr<const ModelId> of = nullptr;  // the model that the body belongs to; null if that is not known
};

/// The purpose of an element's markers, which decides what a model file must give.
enum class Attach {
  point,  // two points; axes only give angles their zero
  pin,    // z is the axis of a pin or shaft, or a normal; in the plane, where all pins are parallel, as point
  line,   // x is a line
  guide,  // x is a line and y is across it; in the plane as line
  cross,  // z of i and x of j are two axes, fixed in their bodies
  angle,  // as pin, but only the axes matter
  frame   // two frames that coincide
};

/// Where a frame is, in global axes; in the plane also its angle, counted over turns.
struct Pose {
  Vec<3> at = Vec<3>::Zero();
  Quaternion turn = Quaternion::Identity();
  double angle = 0;
};

/// The pose of something known in the frame `outer`.
inline Pose operator*(const Pose& outer, const Pose& inner) {
  return {outer.at + outer.turn * inner.at, outer.turn * inner.turn, outer.angle + inner.angle};
}
inline Pose inverse(const Pose& p) {
  const Quaternion back = p.turn.conjugate();
  return {-(back * p.at), back, -p.angle};
}
/// The angle from x of i to x of j about z of i; in the plane counted over turns, in space in (−π, π].
inline double angle_between(const Pose& i, const Pose& j) {
  const Vec<3> x = i.turn.conjugate() * (j.turn * Vec<3>::UnitX());
  const double counted = j.angle - i.angle;
  return counted + wrapped(std::atan2(x.y(), x.x()) - counted);
}
/// One angle of the chain about z, y and x that leads from i to j; k = 0, 1, 2 for z, y, x.
inline double cardan_angle(const Pose& i, const Pose& j, int k) {
  if (k == 0) return angle_between(i, j);
  const Eigen::Matrix3d R = (i.turn.conjugate() * j.turn).toRotationMatrix();
  return k == 1 ? std::atan2(-R(2, 0), std::hypot(R(0, 0), R(1, 0))) : std::atan2(R(2, 1), R(2, 2));
}
inline Pose pose(const Marker& m) { return {m.at, m.turn, angle_about_z(m.turn)}; }
/// In the plane: the turn of a marker on a body that has the same direction as a marker turned by `turn` on another
/// body.  `its_body` is the angle of the other body, `body` that of this one.
inline Quaternion turned_alike(const Quaternion& turn, double its_body, double body) {
  return turn_about_z(wrapped(angle_about_z(turn) + its_body - body));
}
}  // namespace mubody
