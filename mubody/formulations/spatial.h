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
template <class R> MUBODY_INLINE Vec<2, R> cross(const Vec<1, R>& w, const Vec<2, R>& d) {
  return {-w[0] * d.y(), w[0] * d.x()};
}
/// d × F
template <class R> MUBODY_INLINE Vec<1, R> cross(const Vec<2, R>& d, const Vec<2, R>& F) {
  return Vec<1, R>(d.x() * F.y() - d.y() * F.x());
}
template <class R> MUBODY_INLINE Vec<3, R> cross(const Vec<3, R>& a, const Vec<3, R>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
/// The matrix of v ↦ d × v.
template <class R> MUBODY_INLINE Rows<3, 3, R> tilde(const Vec<3, R>& d) {
  Rows<3, 3, R> m;
  m << R(0), -d.z(), d.y(), d.z(), R(0), -d.x(), -d.y(), d.x(), R(0);
  return m;
}
}  // namespace spatial

/// Velocity or acceleration of a body at a point.
template <int D, class R = double> struct Twist {
  Vec<D, R> v = Vec<D, R>::Zero();
  Vec<spins<D>, R> w = Vec<spins<D>, R>::Zero();

  /// The twist at a point at the distance d.
  MUBODY_INLINE Twist at(const Vec<D, R>& d) const { return {v + spatial::cross<R>(w, d), w}; }
  MUBODY_INLINE void add(const R& s, const Twist& t) { v += s * t.v, w += s * t.w; }
};

template <int D, class R> MUBODY_INLINE R dot(const Twist<D, R>& t, const Wrench<D, R>& f) {
  return t.v.dot(f.force) + t.w.dot(f.moment);
}
/// += s f
template <int D, class R> MUBODY_INLINE void add(Wrench<D, R>& sum, Same<R> s, const Wrench<D, R>& f) {
  sum.force += s * f.force;
  sum.moment += s * f.moment;
}
/// += f, which acts on a point at the distance d.
template <int D, class R>
MUBODY_INLINE void add_from(Wrench<D, R>& sum, const Vec<D, R>& d, const Wrench<D, R>& f) {
  sum.force += f.force;
  sum.moment += f.moment + spatial::cross<R>(d, f.force);
}

/// Copies what is above the diagonal to below it: recorded numbers do not know that a matrix is symmetric.
template <class R> MUBODY_INLINE void make_symmetric(Rows<3, 3, R>& m) {
  m(1, 0) = m(0, 1), m(2, 0) = m(0, 2), m(2, 1) = m(1, 2);
}

template <int D, class R = double> struct Inertia;

template <class R> struct Inertia<2, R> {
  R xx, xy, yy;  // A
  R cx, cy;      // C
  R B;

  static Inertia of(double mass, double inertia) { return {mass, 0, mass, 0, 0, inertia}; }
  MUBODY_INLINE Wrench<2, R> operator*(const Twist<2, R>& t) const {
    const R x = t.v.x(), y = t.v.y(), w = t.w[0];
    return {{xx * x + xy * y + cx * w, xy * x + yy * y + cy * w}, Vec<1, R>(cx * x + cy * y + B * w)};
  }
  /// − s f fᵀ
  MUBODY_INLINE void subtract(const R& s, const Wrench<2, R>& f) {
    const R x = f.force.x(), y = f.force.y(), m = f.moment[0], sx = s * x, sy = s * y;
    xx -= sx * x, xy -= sx * y, yy -= sy * y;
    cx -= sx * m, cy -= sy * m;
    B -= s * m * m;
  }
  /// += I, which is taken at a point at the distance d.
  MUBODY_INLINE void add_from(const Vec<2, R>& d, const Inertia& I) {
    const R x = d.x(), y = d.y();
    const R fx = I.cx - I.xx * y + I.xy * x, fy = I.cy - I.xy * y + I.yy * x;  // the force for a turn
    xx += I.xx, xy += I.xy, yy += I.yy;
    cx += fx, cy += fy;
    B += I.B - I.cx * y + I.cy * x + x * fy - y * fx;
  }
  // Of one rigid body alone, as for space.
  MUBODY_INLINE Wrench<2, R> of_one(const Twist<2, R>& t) const { return *this * t; }
  MUBODY_INLINE void add_one(const Vec<2, R>& d, const Inertia& I) { add_from(d, I); }
};

template <class R> struct Inertia<3, R> {
  using Matrix = Rows<3, 3, R>;
  Matrix A, C, B;

  /// `inertia` in global axes.
  static Inertia of(double mass, const Matrix& inertia) {
    return {R(mass) * Matrix::Identity(), Matrix::Zero(), inertia};
  }
  MUBODY_INLINE Wrench<3, R> operator*(const Twist<3, R>& t) const {
    return {A * t.v + C * t.w, C.transpose() * t.v + B * t.w};
  }
  MUBODY_INLINE void subtract(const R& s, const Wrench<3, R>& f) {
    const Vec<3, R> force = s * f.force, moment = s * f.moment;
    A.noalias() -= force * f.force.transpose();
    C.noalias() -= force * f.moment.transpose();
    B.noalias() -= moment * f.moment.transpose();
  }
  MUBODY_INLINE void add_from(const Vec<3, R>& d, const Inertia& I) {
    const Matrix X = spatial::tilde<R>(d), F = I.C - I.A * X;
    A += I.A;
    C += F;
    B += I.B - I.C.transpose() * X + X * F;
    make_symmetric(B);
  }
  /// As the product, for one rigid body alone: A = m 1, C = 0.
  MUBODY_INLINE Wrench<3, R> of_one(const Twist<3, R>& t) const { return {A(0, 0) * t.v, B * t.w}; }
  /// += I, which is that of one rigid body at its centre of mass, at the distance d.
  MUBODY_INLINE void add_one(const Vec<3, R>& d, const Inertia& I) {
    const R m = I.A(0, 0);
    const Vec<3, R> s = m * d;
    const R all = s.dot(d);
    for (int k = 0; k < 3; ++k) {
      A(k, k) += m;
      for (int l = k; l < 3; ++l) B(k, l) += I.B(k, l) + ((k == l ? all : R(0)) - s[k] * d[l]);
    }
    make_symmetric(B);
    C(0, 1) += s[2], C(0, 2) -= s[1], C(1, 2) += s[0];
    C(1, 0) -= s[2], C(2, 0) += s[1], C(2, 1) -= s[0];
  }
};

/// The inertia of a rigid body at its centre of mass, in global axes.
template <int D, class R = double>
Inertia<D, R> inertia_of(const RigidBody& b, const typename Body<D, R>::BodyState& m) {
  if constexpr (D == 2)
    return Inertia<2, R>::of(b.mass, b.inertia(2, 2));
  else {
    Rows<3, 3, R> J = m.A * b.inertia.template cast<R>() * m.A.transpose();
    make_symmetric(J);
    return Inertia<3, R>::of(b.mass, J);
  }
}

/// A generalized force on a body in body coordinates as a wrench at its centre of mass, and the other way round.
template <int D> MUBODY_INLINE Wrench<D> wrench_of(const typename Body<D>::BodyState& m, const double* Q) {
  return Body<D>::wrench(m, Q);
}
/// A twist in the velocities (accelerations) of body coordinates.
template <int D, class R = double>
void write(const typename Body<D, R>::BodyState& m, const Twist<D, R>& t, R* out) {
  Eigen::Map<Vec<D, R>>{out} = t.v;
  if constexpr (D == 2)
    out[2] = t.w[0];
  else
    Eigen::Map<Vec<3, R>>{out + 3} = m.A.transpose() * t.w;
}
/// The twist of a body that moves.
template <int D, class R = double> MUBODY_INLINE Twist<D, R> twist_of(const typename Body<D, R>::BodyState& m) {
  if constexpr (D == 2)
    return {m.v, Vec<1, R>(m.w)};
  else
    return {m.v, m.W};
}
}  // namespace mubody
