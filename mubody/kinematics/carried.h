#pragma once
// Quantities carried by the mechanism.                                        docs/theory/carried.md
//
// A joint, a force or a sensor never sees coordinates.  It sees vectors that ride on two bodies, i and j, and
// scalars built from them.  Each of these knows four things:
//
//   x  its value                     v  its rate                         v = J u + ∂x/∂t
//   J  its Jacobian, ẋ = J u + ...   a  its acceleration when u̇ = 0      a = J̇ u + ...
//
// where u are the generalized velocities.  Sums, products and smooth functions hand all four on.  So a
// constraint is written once, as Φ: its Jacobian is Φ.J, its rate is Φ.v, and the right-hand side of the
// acceleration equation is γ = −Φ.a.
//
// The Jacobian is kept as two parts with compile-time widths: I columns for the velocities of body i and J
// for those of body j; a quantity that rides on body i alone has J = 0 and costs nothing there.
#include <algorithm>
#include <cmath>

#include "mubody/math/jet.h"
#include "mubody/math/space.h"

namespace mubody {
template <int I, int J> struct Scalar {
  double x = 0, v = 0, a = 0;
  Rows<1, I> Ji;
  Rows<1, J> Jj;
};

template <int N, int I, int J> struct Carried {
  Vec<N> x, v, a;
  Rows<N, I> Ji;
  Rows<N, J> Jj;
};

namespace carried {
// p·A + q·B for Jacobian parts of which one or both may be empty.
template <int N, int A, int B, class P, class Q>
auto combine(const P& p, const Rows<N, A>& a, const Q& q, const Rows<N, B>& b) {
  constexpr int M = decltype(p * a)::RowsAtCompileTime;
  if constexpr (A == 0 && B == 0)
    return Rows<M, 0>();
  else if constexpr (A == 0)
    return Rows<M, B>(q * b);
  else if constexpr (B == 0)
    return Rows<M, A>(p * a);
  else
    return Rows<M, A>(p * a + q * b);
}
template <int N, int A, int B> auto plus(const Rows<N, A>& a, const Rows<N, B>& b) {
  if constexpr (A == 0)
    return b;
  else if constexpr (B == 0)
    return a;
  else
    return Rows<N, A>(a + b);
}
template <int N, int A, int B> auto minus(const Rows<N, A>& a, const Rows<N, B>& b) {
  if constexpr (A == 0 && B == 0)
    return Rows<N, 0>();
  else if constexpr (A == 0)
    return Rows<N, B>(-b);
  else if constexpr (B == 0)
    return a;
  else
    return Rows<N, A>(a - b);
}
inline constexpr auto most = [](int p, int q) { return p > q ? p : q; };
template <int N, int I, int J, int K, int L> using Sum = Carried<N, most(I, K), most(J, L)>;
template <int I, int J, int K, int L> using ScalarSum = Scalar<most(I, K), most(J, L)>;
}  // namespace carried

// Vectors ---------------------------------------------------------------------------------------------------

template <int N, int I, int J, int K, int L>
carried::Sum<N, I, J, K, L> operator+(const Carried<N, I, J>& p, const Carried<N, K, L>& q) {
  return {p.x + q.x, p.v + q.v, p.a + q.a, carried::plus(p.Ji, q.Ji), carried::plus(p.Jj, q.Jj)};
}
template <int N, int I, int J, int K, int L>
carried::Sum<N, I, J, K, L> operator-(const Carried<N, I, J>& p, const Carried<N, K, L>& q) {
  return {p.x - q.x, p.v - q.v, p.a - q.a, carried::minus(p.Ji, q.Ji), carried::minus(p.Jj, q.Jj)};
}
template <int N, int I, int J> Carried<N, I, J> operator*(double c, const Carried<N, I, J>& p) {
  return {c * p.x, c * p.v, c * p.a, c * p.Ji, c * p.Jj};
}
template <int N, int I, int J, int K, int L>
carried::ScalarSum<I, J, K, L> dot(const Carried<N, I, J>& p, const Carried<N, K, L>& q) {
  const Rows<1, N> px = p.x.transpose(), qx = q.x.transpose();
  return {p.x.dot(q.x), p.v.dot(q.x) + p.x.dot(q.v), p.a.dot(q.x) + 2 * p.v.dot(q.v) + p.x.dot(q.a),
          carried::combine(qx, p.Ji, px, q.Ji), carried::combine(qx, p.Jj, px, q.Jj)};
}
/// f p for a given function f of time.
template <int N, int I, int J> Carried<N, I, J> operator*(const Jet& f, const Carried<N, I, J>& p) {
  return {f.x * p.x, f.v * p.x + f.x * p.v, f.a * p.x + 2 * f.v * p.v + f.x * p.a, f.x * p.Ji, f.x * p.Jj};
}
/// p · n for a fixed direction n.
template <int N, int I, int J> Scalar<I, J> dot(const Carried<N, I, J>& p, const Vec<N>& n) {
  return {p.x.dot(n), p.v.dot(n), p.a.dot(n), n.transpose() * p.Ji, n.transpose() * p.Jj};
}

// Scalars ---------------------------------------------------------------------------------------------------

template <int I, int J, int K, int L>
carried::ScalarSum<I, J, K, L> operator+(const Scalar<I, J>& p, const Scalar<K, L>& q) {
  return {p.x + q.x, p.v + q.v, p.a + q.a, carried::plus(p.Ji, q.Ji), carried::plus(p.Jj, q.Jj)};
}
template <int I, int J, int K, int L>
carried::ScalarSum<I, J, K, L> operator-(const Scalar<I, J>& p, const Scalar<K, L>& q) {
  return {p.x - q.x, p.v - q.v, p.a - q.a, carried::minus(p.Ji, q.Ji), carried::minus(p.Jj, q.Jj)};
}
template <int I, int J> Scalar<I, J> operator*(double c, const Scalar<I, J>& s) {
  return {c * s.x, c * s.v, c * s.a, c * s.Ji, c * s.Jj};
}
template <int I, int J, int K, int L>
carried::ScalarSum<I, J, K, L> operator*(const Scalar<I, J>& p, const Scalar<K, L>& q) {
  const Rows<1, 1> px(p.x), qx(q.x);
  return {p.x * q.x, p.v * q.x + p.x * q.v, p.a * q.x + 2 * p.v * q.v + p.x * q.a,
          carried::combine(qx, p.Ji, px, q.Ji), carried::combine(qx, p.Jj, px, q.Jj)};
}
template <int I, int J> Scalar<I, J> operator-(Scalar<I, J> s, double c) {
  s.x -= c;
  return s;
}
/// Less a given function of time.
template <int I, int J> Scalar<I, J> operator-(Scalar<I, J> s, const Jet& f) {
  s.x -= f.x;
  s.v -= f.v;
  s.a -= f.a;
  return s;
}

/// f(s), given the value and the first two derivatives of f at s.
template <int I, int J> Scalar<I, J> smooth(const Scalar<I, J>& s, double f, double df, double ddf) {
  return {f, df * s.v, df * s.a + ddf * s.v * s.v, df * s.Ji, df * s.Jj};
}

/// |d|.  At zero length there is no direction; whoever may come there must not ask.
template <int N, int I, int J> Scalar<I, J> length(const Carried<N, I, J>& d) {
  const double l = d.x.norm();
  const Vec<N> u = d.x / l;
  const double rate = u.dot(d.v);
  return {l, rate, (d.v.squaredNorm() - rate * rate) / l + u.dot(d.a), u.transpose() * d.Ji,
          u.transpose() * d.Jj};
}

template <int I, int J> Scalar<I, J> sqrt(const Scalar<I, J>& s) {
  const double f = std::sqrt(s.x), df = 0.5 / f;
  return smooth(s, f, df, -0.5 * df / s.x);
}
template <int I, int J> Scalar<I, J> reciprocal(const Scalar<I, J>& s) {
  const double f = 1 / s.x, df = -f * f;
  return smooth(s, f, df, -2 * f * df);
}

/// The angle of (c, s) in (−π, π], as of a vector with components c and s.  Where both vanish (a gimbal locks)
/// there is no angle: it is 0 and its rates are taken as 0.
template <int I, int J, int K, int L>
carried::ScalarSum<I, J, K, L> atan2(const Scalar<I, J>& s, const Scalar<K, L>& c) {
  constexpr double nothing = 1e-30;
  const double r2 = std::max(s.x * s.x + c.x * c.x, nothing), S = s.x / r2, C = c.x / r2;
  const double rate = C * s.v - S * c.v;
  const double radial = C * c.v + S * s.v;  // ṙ / r
  return {std::atan2(s.x, c.x), rate, C * s.a - S * c.a - 2 * rate * radial,
          carried::combine(Rows<1, 1>(C), s.Ji, Rows<1, 1>(-S), c.Ji),
          carried::combine(Rows<1, 1>(C), s.Jj, Rows<1, 1>(-S), c.Jj)};
}

/// The same angle up to whole turns, the one nearest to `reference`; rates do not change.
template <int I, int J> Scalar<I, J> nearest(Scalar<I, J> s, double reference) {
  s.x = reference + wrapped(s.x - reference);
  return s;
}
/// The same angle up to whole turns, brought to (−π, π]; rates do not change.
template <int I, int J> Scalar<I, J> wrapped(Scalar<I, J> s) {
  s.x = wrapped(s.x);
  return s;
}

// Flows -----------------------------------------------------------------------------------------------------

/// w ṡ, or a sum of such: a velocity that need not be the rate of anything.  What rolls forbids flows.
template <int I, int J> struct Flow {
  double v = 0, a = 0;
  Rows<1, I> Ji;
  Rows<1, J> Jj;
};
template <int I, int J> Flow<I, J> flow(const Scalar<I, J>& s) { return {s.v, s.a, s.Ji, s.Jj}; }
/// w ṡ
template <int I, int J, int K, int L> Flow<I, J> flow(const Scalar<K, L>& w, const Scalar<I, J>& s) {
  return {w.x * s.v, w.x * s.a + w.v * s.v, w.x * s.Ji, w.x * s.Jj};
}
template <int I, int J> Flow<I, J> operator+(const Flow<I, J>& p, const Flow<I, J>& q) {
  return {p.v + q.v, p.a + q.a, p.Ji + q.Ji, p.Jj + q.Jj};
}
template <int I, int J> Flow<I, J> operator*(double c, const Flow<I, J>& f) {
  return {c * f.v, c * f.a, c * f.Ji, c * f.Jj};
}
}  // namespace mubody
