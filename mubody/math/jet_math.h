#pragma once
// Arithmetic and elementary functions of jets: the chain rule up to the second derivative.
//
// Where an inner derivative is zero the outer one does not count, even if it is infinite; thus sqrt(0) of a
// constant has derivative zero.  Functions with kinks or jumps (abs, min, floor, ...) are differentiated piece
// by piece; at a kink the piece to the right counts.
#include <numbers>
#include <type_traits>

#include "mubody/math/jet.h"
#include "mubody/math/real.h"

namespace mubody {
namespace detail {
/// outer · inner, zero where the inner derivative is.
template <class R> R through(const R& outer, const R& inner) {
  return choose(inner == R(0), R(0), outer * inner);
}

/// c · x^p, zero where c is.
template <class R> R monomial(const R& c, const R& x, const R& p) {
  return choose(c == R(0), R(0), pow(x, p) * c);
}
}  // namespace detail

/// f(u) from the value of f and its first two derivatives.
template <class R>
JetOf<R> chain(const JetOf<R>& u, const std::type_identity_t<R>& f, const std::type_identity_t<R>& f1,
               const std::type_identity_t<R>& f2) {
  using detail::through;
  return {f, through(f1, u.v), through(f2, u.v * u.v) + through(f1, u.a)};
}

/// g(u, w) from the value of g and its partial derivatives.
template <class R>
JetOf<R> chain(const JetOf<R>& u, const JetOf<R>& w, const std::type_identity_t<R>& g,
               const std::type_identity_t<R>& gu, const std::type_identity_t<R>& gw,
               const std::type_identity_t<R>& guu, const std::type_identity_t<R>& guw,
               const std::type_identity_t<R>& gww) {
  using detail::through;
  return {g, through(gu, u.v) + through(gw, w.v),
          through(guu, u.v * u.v) + 2 * through(guw, u.v * w.v) + through(gww, w.v * w.v) + through(gu, u.a) +
              through(gw, w.a)};
}

template <class R> JetOf<R> operator+(const JetOf<R>& p, const JetOf<R>& q) {
  return {p.x + q.x, p.v + q.v, p.a + q.a};
}
template <class R> JetOf<R> operator-(const JetOf<R>& p, const JetOf<R>& q) {
  return {p.x - q.x, p.v - q.v, p.a - q.a};
}
template <class R> JetOf<R> operator-(const JetOf<R>& p) { return {-p.x, -p.v, -p.a}; }
template <class R> JetOf<R> operator*(const JetOf<R>& p, const JetOf<R>& q) {
  return {p.x * q.x, p.v * q.x + p.x * q.v, p.a * q.x + 2 * p.v * q.v + p.x * q.a};
}
template <class R> JetOf<R> operator/(const JetOf<R>& p, const JetOf<R>& q) {
  const R x = p.x / q.x, v = (p.v - x * q.v) / q.x;
  return {x, v, (p.a - 2 * v * q.v - x * q.a) / q.x};
}

template <class R> JetOf<R> sin(const JetOf<R>& u) {
  const R s = sin(u.x);
  return chain(u, s, cos(u.x), -s);
}
template <class R> JetOf<R> cos(const JetOf<R>& u) {
  const R c = cos(u.x);
  return chain(u, c, -sin(u.x), -c);
}
template <class R> JetOf<R> tan(const JetOf<R>& u) {
  const R f = tan(u.x), slope = 1 + f * f;
  return chain(u, f, slope, 2 * f * slope);
}
template <class R> JetOf<R> asin(const JetOf<R>& u) {
  const R c2 = 1 - u.x * u.x, c = sqrt(c2);
  return chain(u, asin(u.x), 1 / c, u.x / (c2 * c));
}
template <class R> JetOf<R> acos(const JetOf<R>& u) {
  const R c2 = 1 - u.x * u.x, c = sqrt(c2);
  return chain(u, acos(u.x), -1 / c, -u.x / (c2 * c));
}
template <class R> JetOf<R> atan(const JetOf<R>& u) {
  const R slope = 1 / (1 + u.x * u.x);
  return chain(u, atan(u.x), slope, -2 * u.x * slope * slope);
}
template <class R> JetOf<R> sinh(const JetOf<R>& u) {
  const R s = sinh(u.x);
  return chain(u, s, cosh(u.x), s);
}
template <class R> JetOf<R> cosh(const JetOf<R>& u) {
  const R c = cosh(u.x);
  return chain(u, c, sinh(u.x), c);
}
template <class R> JetOf<R> tanh(const JetOf<R>& u) {
  const R f = tanh(u.x), slope = 1 - f * f;
  return chain(u, f, slope, -2 * f * slope);
}
template <class R> JetOf<R> exp(const JetOf<R>& u) {
  const R f = exp(u.x);
  return chain(u, f, f, f);
}
template <class R> JetOf<R> log(const JetOf<R>& u) { return chain(u, log(u.x), 1 / u.x, -1 / (u.x * u.x)); }
template <class R> JetOf<R> log10(const JetOf<R>& u) {
  const R slope = std::numbers::log10e / u.x;
  return chain(u, log10(u.x), slope, -slope / u.x);
}
template <class R> JetOf<R> sqrt(const JetOf<R>& u) {
  const R root = sqrt(u.x);
  return chain(u, root, 0.5 / root, -0.25 / (root * u.x));
}
template <class R> JetOf<R> abs(const JetOf<R>& u) {
  const auto below = u.x < R(0);
  return {abs(u.x), choose(below, -u.v, u.v), choose(below, -u.a, u.a)};
}
template <class R> JetOf<R> floor(const JetOf<R>& u) { return {floor(u.x), 0, 0}; }
template <class R> JetOf<R> ceil(const JetOf<R>& u) { return {ceil(u.x), 0, 0}; }

template <class R> JetOf<R> atan2(const JetOf<R>& y, const JetOf<R>& x) {
  const R r2 = x.x * x.x + y.x * y.x, r4 = r2 * r2, twist = 2 * x.x * y.x / r4;
  return chain(y, x, atan2(y.x, x.x), x.x / r2, -y.x / r2, -twist, (y.x * y.x - x.x * x.x) / r4, twist);
}
template <class R> JetOf<R> hypot(const JetOf<R>& x, const JetOf<R>& y) {
  const R r = hypot(x.x, y.x), c = x.x / r, s = y.x / r;
  return chain(x, y, r, c, s, s * s / r, -s * c / r, c * c / r);
}

/// u^w.  The logarithm in the derivatives by w matters only where w changes, so that negative numbers have
/// whole powers; at u = 0 the limits for positive w are used, x^w ln x → 0.
template <class R> JetOf<R> pow(const JetOf<R>& u, const JetOf<R>& w) {
  using detail::monomial;
  const R x = u.x, p = w.x, f = pow(x, p), below = pow(x, p - 1);
  const R ln = log(x);
  const R gw = choose(f == R(0), R(0), f * ln), gww = choose(f == R(0), R(0), f * ln * ln);
  const R guw = choose(below == R(0), R(0), below * (1 + p * ln));
  return chain(u, w, f, monomial(p, x, p - 1), gw, monomial(p * (p - 1), x, p - 2), guw, gww);
}

template <class R> JetOf<R> choose(bool holds, const JetOf<R>& p, const JetOf<R>& q) { return holds ? p : q; }
template <class C, class R> JetOf<R> choose(const C& holds, const JetOf<R>& p, const JetOf<R>& q) {
  return {choose(holds, p.x, q.x), choose(holds, p.v, q.v), choose(holds, p.a, q.a)};
}

inline double value(double x) { return x; }
template <class R> R value(const JetOf<R>& u) { return u.x; }

/// −1, 0 or 1.
template <class R> JetOf<R> sign(const JetOf<R>& u) { return {sign(u.x), 0, 0}; }
template <class R> JetOf<R> mod(const JetOf<R>& x, const JetOf<R>& y) {
  const R r = mod(x.x, y.x), wholes = floor((x.x - r) / y.x + 0.5);
  return {r, x.v - wholes * y.v, x.a - wholes * y.a};
}
}  // namespace mubody
