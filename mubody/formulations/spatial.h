#pragma once
// Spatial algebra: twists, wrenches and inertias as pairs of vectors, in the plane and in space.
//
//   A twist (v, ω) is the velocity of a body, or its acceleration, taken at a point; a wrench (F, M) acts on
//   it, about the same point.  All in global axes.  Moved to a point of the same body at the distance d:
//
//   v' = v + ω × d,  ω' = ω          F' = F,  M' = M − d × F          power  v·F + ω·M  is the same at every point
//
//   An inertia gives the wrench that a twist needs: F = A v + C ω,  M = Cᵀ v + B ω.  For a rigid body at its
//   centre of mass A = m 1, C = 0; for bodies that may move relative to each other A is a full matrix
//   (articulated inertia).
//
// Precomputation (dissertation), secs. 2.3-2.6, where these are 6-vectors, angular part first, and 6 x 6 matrices taken at
// the global origin.  Here each body has its own point, its centre of mass, so that no digits are lost far from the
// origin.  Featherstone (2008), ch. 2.                                         docs/theory/spatial-algebra.md
#include "mubody/formulations/body.h"

namespace mubody {
namespace spatial {
/// ω × d
MUBODY_INLINE Vec<2> cross(const Vec<1>& w, const Vec<2>& d) { return {-w[0] * d.y(), w[0] * d.x()}; }
/// d × F
MUBODY_INLINE Vec<1> cross(const Vec<2>& d, const Vec<2>& F) { return Vec<1>(d.x() * F.y() - d.y() * F.x()); }
MUBODY_INLINE Vec<3> cross(const Vec<3>& a, const Vec<3>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
/// The matrix of v ↦ d × v.
MUBODY_INLINE Eigen::Matrix3d tilde(const Vec<3>& d) {
  Eigen::Matrix3d m;
  m << 0, -d.z(), d.y(), d.z(), 0, -d.x(), -d.y(), d.x(), 0;
  return m;
}
}  // namespace spatial

/// Velocity or acceleration of a body at a point.
template <int D> struct Twist {
  Vec<D> v = Vec<D>::Zero();
  Vec<spins<D>> w = Vec<spins<D>>::Zero();

  /// The twist at a point at the distance d.
  MUBODY_INLINE Twist at(const Vec<D>& d) const { return {v + spatial::cross(w, d), w}; }
  MUBODY_INLINE void add(double s, const Twist& t) { v += s * t.v, w += s * t.w; }
};

template <int D> MUBODY_INLINE double dot(const Twist<D>& t, const Wrench<D>& f) {
  return t.v.dot(f.force) + t.w.dot(f.moment);
}
/// += s f
template <int D> MUBODY_INLINE void add(Wrench<D>& sum, double s, const Wrench<D>& f) {
  sum.force += s * f.force;
  sum.moment += s * f.moment;
}
/// += f, which acts on a point at the distance d.
template <int D> MUBODY_INLINE void add_from(Wrench<D>& sum, const Vec<D>& d, const Wrench<D>& f) {
  sum.force += f.force;
  sum.moment += f.moment + spatial::cross(d, f.force);
}

template <int D> struct Inertia;

template <> struct Inertia<2> {
  double xx, xy, yy;  // A
  double cx, cy;      // C
  double B;

  static Inertia of(double mass, double inertia) { return {mass, 0, mass, 0, 0, inertia}; }
  MUBODY_INLINE Wrench<2> operator*(const Twist<2>& t) const {
    const double x = t.v.x(), y = t.v.y(), w = t.w[0];
    return {{xx * x + xy * y + cx * w, xy * x + yy * y + cy * w}, Vec<1>(cx * x + cy * y + B * w)};
  }
  /// − s f fᵀ
  MUBODY_INLINE void subtract(double s, const Wrench<2>& f) {
    const double x = f.force.x(), y = f.force.y(), m = f.moment[0], sx = s * x, sy = s * y;
    xx -= sx * x, xy -= sx * y, yy -= sy * y;
    cx -= sx * m, cy -= sy * m;
    B -= s * m * m;
  }
  /// += I, which is taken at a point at the distance d.
  MUBODY_INLINE void add_from(const Vec<2>& d, const Inertia& I) {
    const double x = d.x(), y = d.y();
    const double fx = I.cx - I.xx * y + I.xy * x, fy = I.cy - I.xy * y + I.yy * x;  // the force for a turn
    xx += I.xx, xy += I.xy, yy += I.yy;
    cx += fx, cy += fy;
    B += I.B - I.cx * y + I.cy * x + x * fy - y * fx;
  }
};

template <> struct Inertia<3> {
  Eigen::Matrix3d A, C, B;

  /// `inertia` in global axes.
  static Inertia of(double mass, const Eigen::Matrix3d& inertia) {
    return {mass * Eigen::Matrix3d::Identity(), Eigen::Matrix3d::Zero(), inertia};
  }
  MUBODY_INLINE Wrench<3> operator*(const Twist<3>& t) const {
    return {A * t.v + C * t.w, C.transpose() * t.v + B * t.w};
  }
  MUBODY_INLINE void subtract(double s, const Wrench<3>& f) {
    const Vec<3> force = s * f.force, moment = s * f.moment;
    A.noalias() -= force * f.force.transpose();
    C.noalias() -= force * f.moment.transpose();
    B.noalias() -= moment * f.moment.transpose();
  }
  MUBODY_INLINE void add_from(const Vec<3>& d, const Inertia& I) {
    const Eigen::Matrix3d X = spatial::tilde(d), F = I.C - I.A * X;
    A += I.A;
    C += F;
    B += I.B - I.C.transpose() * X + X * F;
  }
};

/// The inertia of a rigid body at its centre of mass, in global axes.
inline Inertia<2> inertia_of(const RigidBody& b, const Body<2>::BodyState&) {
  return Inertia<2>::of(b.mass, b.inertia(2, 2));
}
inline Inertia<3> inertia_of(const RigidBody& b, const Body<3>::BodyState& m) {
  return Inertia<3>::of(b.mass, m.A * b.inertia * m.A.transpose());
}

/// A generalized force on a body in body coordinates as a wrench at its centre of mass, and the other way round.
template <int D> MUBODY_INLINE Wrench<D> wrench_of(const typename Body<D>::BodyState& m, const double* Q) {
  return Body<D>::wrench(m, Q);
}
inline void to_body(const Body<2>::BodyState&, const Vec<1>& w, double* out) { out[0] = w[0]; }
inline void to_body(const Body<3>::BodyState& m, const Vec<3>& w, double* out) {
  Eigen::Map<Vec<3>>{out} = m.A.transpose() * w;
}
/// A twist in the velocities (accelerations) of body coordinates.
template <int D> void write(const typename Body<D>::BodyState& m, const Twist<D>& t, double* out) {
  Eigen::Map<Vec<D>>{out} = t.v;
  to_body(m, t.w, out + D);
}
/// The twist of a body that moves.
inline Twist<2> twist_of(const Body<2>::BodyState& m) { return {m.v, Vec<1>(m.w)}; }
inline Twist<3> twist_of(const Body<3>::BodyState& m) { return {m.v, m.W}; }
}  // namespace mubody
