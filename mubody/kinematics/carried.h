#pragma once
// Quantities carried by the mechanism.                                        docs/theory/carried.md
//
// A joint, a force or a sensor never sees coordinates.  It sees vectors that ride on two bodies, i and j, and
// scalars built from them.  Each of these knows four things:
//
//   x  its value                     v  its rate                         v = J u + ∂x/∂t
//   J  its Jacobian, ẋ = J u + ...   a  its acceleration when u̇ = 0      a = J̇ u + ...
//
// where u are the generalized velocities.  Sums, products and smooth functions pass on all four.  So a
// constraint is written once, as Φ: its Jacobian is Φ.J, its rate is Φ.v, and the right-hand side of the
// acceleration equation is γ = −Φ.a.
//
// The Jacobian is kept as two parts with compile-time widths: I columns for the velocities of body i and J
// for those of body j; a quantity that rides on body i alone has J = 0 and costs nothing there.  The columns of a
// vector that rides on a rigid body need no matrix: with the velocities of the body taken as its twist (v, ω) in
// global axes, or as those of a point and of unit vectors, they are known from its arm.
#include <type_traits>

#include "mubody/math/jet.h"
#include "mubody/math/space.h"

namespace mubody {
/// The columns of a vector for one body: a zero width costs nothing.
template <int N, int C, class R> struct Columns;
template <int N, class R> struct Columns<N, 0, R> {};

/// On a rigid body, in the plane and in space: ẋ = weight v + ω × arm.  A point has weight 1, a direction 0; sums and
/// multiples have others.
template <class R> struct Columns<2, twist<2>, R> {
  R weight;
  Vec<2, R> arm;
};
template <class R> struct Columns<3, twist<3>, R> {
  R weight;
  Vec<3, R> arm;
};
/// For a body given by a point and unit vectors e, along which the arm is measured: ẋ = weight v + Σ arm_k ė_k.
/// In the plane the second unit vector is the first one turned by a right angle.
template <class R> struct Columns<2, 4, R> {
  R weight;
  Vec<2, R> arm;
};
template <class R> struct Columns<3, 12, R> {
  R weight;
  Vec<3, R> arm;
};

template <int I, int J, class R = double> struct Scalar {
  R x = 0, v = 0, a = 0;
  Rows<1, I, R> Ji;
  Rows<1, J, R> Jj;
};

template <int N, int I, int J, class R = double> struct Carried {
  Vec<N, R> x, v, a;
  Columns<N, I, R> Ji;
  Columns<N, J, R> Jj;
};

/// A factor or a number to be added, which may be a plain double whatever the scalar is.
template <class R> using Same = std::type_identity_t<R>;

namespace carried {
inline constexpr auto most = [](int p, int q) { return p > q ? p : q; };
template <int N, int I, int J, int K, int L, class R> using Sum = Carried<N, most(I, K), most(J, L), R>;
template <int I, int J, int K, int L, class R> using ScalarSum = Scalar<most(I, K), most(J, L), R>;

/// A row of these numbers, filled element by element because Eigen's own way is not inlined.
template <class R, class... T> MUBODY_INLINE auto numbers(const R& first, const T&... x) {
  Rows<1, 1 + int(sizeof...(T)), R> row;
  int k = 0;
  row[k++] = first;
  ((row[k++] = x), ...);
  return row;
}

/// The vector of f(0), f(1), ..., filled element by element: a processor waits long when it loads two numbers
/// at once that were just written one by one, as Eigen does for vectors of two.
template <int N, class R, class F> MUBODY_INLINE Vec<N, R> each(F&& f) {
  Vec<N, R> y;
  for (int k = 0; k < N; ++k) y[k] = f(k);
  return y;
}
template <int N, class R> MUBODY_INLINE Vec<N, R> sum(const Vec<N, R>& a, const Vec<N, R>& b) {
  return each<N, R>([&](int k) MUBODY_INLINE_LAMBDA { return a[k] + b[k]; });
}
template <int N, class R> MUBODY_INLINE Vec<N, R> difference(const Vec<N, R>& a, const Vec<N, R>& b) {
  return each<N, R>([&](int k) MUBODY_INLINE_LAMBDA { return a[k] - b[k]; });
}
template <int N, class R> MUBODY_INLINE Vec<N, R> multiple(Same<R> s, const Vec<N, R>& a) {
  return each<N, R>([&](int k) MUBODY_INLINE_LAMBDA { return s * a[k]; });
}

/// s · columns
template <int N, int C, class R> MUBODY_INLINE Columns<N, C, R> times(Same<R> s, const Columns<N, C, R>& a) {
  if constexpr (C == 0)
    return a;
  else
    return {s * a.weight, multiple(s, a.arm)};
}
/// a + s b; one or both may be empty.
template <int N, int A, int B, class R>
MUBODY_INLINE auto plus(const Columns<N, A, R>& a, Same<R> s, const Columns<N, B, R>& b) {
  if constexpr (B == 0)
    return a;
  else if constexpr (A == 0)
    return times(s, b);
  else
    return Columns<N, A, R>{a.weight + s * b.weight, sum(a.arm, multiple(s, b.arm))};
}
/// nᵀ times the columns.
template <int N, int C, class R>
MUBODY_INLINE Rows<1, C, R> along(const Vec<N, R>& n, const Columns<N, C, R>& a) {
  if constexpr (C == 0)
    return {};
  else if constexpr (C == twist<2>)
    return numbers(a.weight * n[0], a.weight * n[1], a.arm[0] * n[1] - a.arm[1] * n[0]);
  else if constexpr (C == twist<3>)
    return numbers(a.weight * n[0], a.weight * n[1], a.weight * n[2], a.arm[1] * n[2] - a.arm[2] * n[1],
                   a.arm[2] * n[0] - a.arm[0] * n[2], a.arm[0] * n[1] - a.arm[1] * n[0]);
  else if constexpr (N == 2)
    return numbers(a.weight * n[0], a.weight * n[1], a.arm[0] * n[0] + a.arm[1] * n[1],
                   a.arm[0] * n[1] - a.arm[1] * n[0]);
  else
    return numbers(a.weight * n[0], a.weight * n[1], a.weight * n[2], a.arm[0] * n[0], a.arm[0] * n[1],
                   a.arm[0] * n[2], a.arm[1] * n[0], a.arm[1] * n[1], a.arm[1] * n[2], a.arm[2] * n[0],
                   a.arm[2] * n[1], a.arm[2] * n[2]);
}
/// The K-th row of the columns.
template <int K, int N, int C, class R> MUBODY_INLINE Rows<1, C, R> row(const Columns<N, C, R>& a) {
  if constexpr (C == 0)
    return {};
  else if constexpr (C == twist<2>)
    return K == 0 ? numbers(a.weight, 0, -a.arm[1]) : numbers(R(0), a.weight, a.arm[0]);
  else if constexpr (C != twist<3>) {
    Vec<N, R> unit;
    for (int k = 0; k < N; ++k) unit[k] = k == K;
    return along(unit, a);
  } else if constexpr (K == 0)
    return numbers(a.weight, 0, 0, 0, a.arm[2], -a.arm[1]);
  else if constexpr (K == 1)
    return numbers(R(0), a.weight, 0, -a.arm[2], 0, a.arm[0]);
  else
    return numbers(R(0), 0, a.weight, a.arm[1], -a.arm[0], 0);
}
/// p a + q b for rows of which one or both may be empty.
template <int A, int B, class R>
MUBODY_INLINE auto mix(Same<R> p, const Rows<1, A, R>& a, Same<R> q, const Rows<1, B, R>& b) {
  if constexpr (A == 0 && B == 0)
    return Rows<1, 0, R>();
  else if constexpr (A == 0)
    return Rows<1, B, R>(q * b);
  else if constexpr (B == 0)
    return Rows<1, A, R>(p * a);
  else
    return Rows<1, A, R>(p * a + q * b);
}
}  // namespace carried

// Vectors ---------------------------------------------------------------------------------------------------

template <int N, int I, int J, int K, int L, class R>
MUBODY_INLINE carried::Sum<N, I, J, K, L, R> operator+(const Carried<N, I, J, R>& p,
                                                       const Carried<N, K, L, R>& q) {
  return {carried::sum(p.x, q.x), carried::sum(p.v, q.v), carried::sum(p.a, q.a), carried::plus(p.Ji, 1, q.Ji),
          carried::plus(p.Jj, 1, q.Jj)};
}
template <int N, int I, int J, int K, int L, class R>
MUBODY_INLINE carried::Sum<N, I, J, K, L, R> operator-(const Carried<N, I, J, R>& p,
                                                       const Carried<N, K, L, R>& q) {
  return {carried::difference(p.x, q.x), carried::difference(p.v, q.v), carried::difference(p.a, q.a),
          carried::plus(p.Ji, -1, q.Ji), carried::plus(p.Jj, -1, q.Jj)};
}
template <int N, int I, int J, class R>
MUBODY_INLINE Carried<N, I, J, R> operator*(Same<R> c, const Carried<N, I, J, R>& p) {
  return {c * p.x, c * p.v, c * p.a, carried::times(c, p.Ji), carried::times(c, p.Jj)};
}
template <int N, int I, int J, int K, int L, class R>
MUBODY_INLINE carried::ScalarSum<I, J, K, L, R> dot(const Carried<N, I, J, R>& p,
                                                    const Carried<N, K, L, R>& q) {
  return {p.x.dot(q.x), p.v.dot(q.x) + p.x.dot(q.v), p.a.dot(q.x) + 2 * p.v.dot(q.v) + p.x.dot(q.a),
          carried::mix(1, carried::along(q.x, p.Ji), 1, carried::along(p.x, q.Ji)),
          carried::mix(1, carried::along(q.x, p.Jj), 1, carried::along(p.x, q.Jj))};
}
/// f p for a given function f of time.
template <int N, int I, int J, class R>
MUBODY_INLINE Carried<N, I, J, R> operator*(const JetOf<R>& f, const Carried<N, I, J, R>& p) {
  return {f.x * p.x, f.v * p.x + f.x * p.v, f.a * p.x + 2 * f.v * p.v + f.x * p.a, carried::times(f.x, p.Ji),
          carried::times(f.x, p.Jj)};
}
/// The K-th component.
template <int K, int N, int I, int J, class R>
MUBODY_INLINE Scalar<I, J, R> component(const Carried<N, I, J, R>& p) {
  return {p.x[K], p.v[K], p.a[K], carried::row<K>(p.Ji), carried::row<K>(p.Jj)};
}
/// p · n for a fixed direction n.
template <int N, int I, int J, class R>
MUBODY_INLINE Scalar<I, J, R> dot(const Carried<N, I, J, R>& p, const Vec<N, R>& n) {
  return {p.x.dot(n), p.v.dot(n), p.a.dot(n), carried::along(n, p.Ji), carried::along(n, p.Jj)};
}

/// A vector of the ground: it has no columns and no rates, and costs accordingly little.
template <int N, class R = double> struct Still { Vec<N, R> x; };
template <int N, int I, int J, class R>
MUBODY_INLINE Scalar<I, J, R> dot(const Still<N, R>& n, const Carried<N, I, J, R>& p) {
  return dot(p, n.x);
}
template <int N, int I, int J, class R>
MUBODY_INLINE Carried<N, I, J, R> operator-(const Carried<N, I, J, R>& p, const Still<N, R>& c) {
  return {carried::difference(p.x, c.x), p.v, p.a, p.Ji, p.Jj};
}
template <int N, int I, int J, class R>
MUBODY_INLINE Carried<N, I, J, R> operator-(const Still<N, R>& c, const Carried<N, I, J, R>& p) {
  return {carried::difference(c.x, p.x), carried::multiple(-1, p.v), carried::multiple(-1, p.a),
          carried::times(-1, p.Ji), carried::times(-1, p.Jj)};
}
template <int N, class R> MUBODY_INLINE Carried<N, 0, 0, R> operator*(const JetOf<R>& f, const Still<N, R>& p) {
  return {f.x * p.x, f.v * p.x, f.a * p.x, {}, {}};
}

// Scalars ---------------------------------------------------------------------------------------------------

template <int I, int J, int K, int L, class R>
MUBODY_INLINE carried::ScalarSum<I, J, K, L, R> operator+(const Scalar<I, J, R>& p, const Scalar<K, L, R>& q) {
  return {p.x + q.x, p.v + q.v, p.a + q.a, carried::mix(1, p.Ji, 1, q.Ji), carried::mix(1, p.Jj, 1, q.Jj)};
}
template <int I, int J, int K, int L, class R>
MUBODY_INLINE carried::ScalarSum<I, J, K, L, R> operator-(const Scalar<I, J, R>& p, const Scalar<K, L, R>& q) {
  return {p.x - q.x, p.v - q.v, p.a - q.a, carried::mix(1, p.Ji, -1, q.Ji), carried::mix(1, p.Jj, -1, q.Jj)};
}
template <int I, int J, class R> MUBODY_INLINE Scalar<I, J, R> operator*(Same<R> c, const Scalar<I, J, R>& s) {
  return {c * s.x, c * s.v, c * s.a, c * s.Ji, c * s.Jj};
}
/// The arc of a circle under an angle: a length, as the joint that says so knows.
template <class Angle> MUBODY_INLINE auto arc(double radius, const Angle& angle) { return radius * angle; }
template <int I, int J, int K, int L, class R>
MUBODY_INLINE carried::ScalarSum<I, J, K, L, R> operator*(const Scalar<I, J, R>& p, const Scalar<K, L, R>& q) {
  return {p.x * q.x, p.v * q.x + p.x * q.v, p.a * q.x + 2 * p.v * q.v + p.x * q.a,
          carried::mix(q.x, p.Ji, p.x, q.Ji), carried::mix(q.x, p.Jj, p.x, q.Jj)};
}
template <int I, int J, class R> MUBODY_INLINE Scalar<I, J, R> operator-(Scalar<I, J, R> s, Same<R> c) {
  s.x -= c;
  return s;
}
template <int I, int J, class R> MUBODY_INLINE Scalar<I, J, R> operator+(Same<R> c, Scalar<I, J, R> s) {
  s.x += c;
  return s;
}
/// f s for a given function f of time.
template <int I, int J, class R>
MUBODY_INLINE Scalar<I, J, R> operator*(const JetOf<R>& f, const Scalar<I, J, R>& s) {
  return {f.x * s.x, f.v * s.x + f.x * s.v, f.a * s.x + 2 * f.v * s.v + f.x * s.a, f.x * s.Ji, f.x * s.Jj};
}
/// s − f for a given function f of time.
template <int I, int J, class R> MUBODY_INLINE Scalar<I, J, R> operator-(Scalar<I, J, R> s, const JetOf<R>& f) {
  s.x -= f.x;
  s.v -= f.v;
  s.a -= f.a;
  return s;
}

/// f(s), given the value and the first two derivatives of f at s.
template <int I, int J, class R>
MUBODY_INLINE Scalar<I, J, R> smooth(const Scalar<I, J, R>& s, Same<R> f, Same<R> df, Same<R> ddf) {
  return {f, df * s.v, df * s.a + ddf * s.v * s.v, df * s.Ji, df * s.Jj};
}

/// |d|.  At zero length there is no direction; a caller that may get there must not ask for it.
template <int N, int I, int J, class R> MUBODY_INLINE Scalar<I, J, R> length(const Carried<N, I, J, R>& d) {
  const R l = d.x.norm();
  const Vec<N, R> u = d.x / l;
  const R rate = u.dot(d.v);
  return {l, rate, (d.v.squaredNorm() - rate * rate) / l + u.dot(d.a), carried::along(u, d.Ji),
          carried::along(u, d.Jj)};
}

template <int I, int J, class R> MUBODY_INLINE Scalar<I, J, R> sqrt(const Scalar<I, J, R>& s) {
  const auto is_positive = s.x > R(0);  // else there is no direction: rates are taken as 0
  const R f = choose(is_positive, sqrt(s.x), R(0)), df = choose(is_positive, 0.5 / f, R(0));
  return smooth(s, f, df, choose(is_positive, -0.5 * df / s.x, R(0)));
}
template <int I, int J, class R> MUBODY_INLINE Scalar<I, J, R> reciprocal(const Scalar<I, J, R>& s) {
  const R f = 1 / s.x, df = -f * f;
  return smooth(s, f, df, -2 * f * df);
}

/// The angle of (c, s) in (−π, π], as of a vector with components c and s.  Where both vanish (a gimbal locks)
/// there is no angle: it is 0 and its rates are taken as 0.
template <int I, int J, int K, int L, class R>
MUBODY_INLINE carried::ScalarSum<I, J, K, L, R> atan2(const Scalar<I, J, R>& s, const Scalar<K, L, R>& c) {
  constexpr double nothing = 1e-24;
  const R r2 = s.x * s.x + c.x * c.x, per = choose(r2 > R(nothing), 1 / r2, R(0)), S = s.x * per, C = c.x * per;
  const R rate = C * s.v - S * c.v;
  const R radial = C * c.v + S * s.v;  // ṙ / r
  return {atan2(s.x, c.x), rate, C * s.a - S * c.a - 2 * rate * radial, carried::mix(C, s.Ji, -S, c.Ji),
          carried::mix(C, s.Jj, -S, c.Jj)};
}

/// The same angle up to whole turns, the one nearest to `reference`; rates do not change.
template <int I, int J, class R> MUBODY_INLINE Scalar<I, J, R> nearest(Scalar<I, J, R> s, Same<R> reference) {
  s.x = reference + wrapped(s.x - reference);
  return s;
}
/// The same angle up to whole turns, brought to (−π, π]; rates do not change.
template <int I, int J, class R> MUBODY_INLINE Scalar<I, J, R> wrapped(Scalar<I, J, R> s) {
  s.x = wrapped(s.x);
  return s;
}

// Flows -----------------------------------------------------------------------------------------------------

/// w ṡ, or a sum of such: a velocity that need not be the rate of anything.  Rolling contacts forbid flows.
template <int I, int J, class R = double> struct Flow {
  R v = 0, a = 0;
  Rows<1, I, R> Ji;
  Rows<1, J, R> Jj;
};
template <int I, int J, class R> MUBODY_INLINE Flow<I, J, R> flow(const Scalar<I, J, R>& s) {
  return {s.v, s.a, s.Ji, s.Jj};
}
/// w ṡ
template <int I, int J, int K, int L, class R>
MUBODY_INLINE Flow<I, J, R> flow(const Scalar<K, L, R>& w, const Scalar<I, J, R>& s) {
  return {w.x * s.v, w.x * s.a + w.v * s.v, w.x * s.Ji, w.x * s.Jj};
}
template <int I, int J, class R>
MUBODY_INLINE Flow<I, J, R> operator+(const Flow<I, J, R>& p, const Flow<I, J, R>& q) {
  return {p.v + q.v, p.a + q.a, p.Ji + q.Ji, p.Jj + q.Jj};
}
template <int I, int J, class R> MUBODY_INLINE Flow<I, J, R> operator*(Same<R> c, const Flow<I, J, R>& f) {
  return {c * f.v, c * f.a, c * f.Ji, c * f.Jj};
}
}  // namespace mubody
