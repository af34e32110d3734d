#pragma once
// Arithmetic and elementary functions of jets: the chain rule up to the second derivative.
//
// Where an inner derivative is zero the outer one does not count, even if it is infinite; thus sqrt(0) of a
// constant has derivative zero.  Functions with kinks or jumps (abs, min, floor, ...) are differentiated piece
// by piece; at a kink the piece to the right counts.
#include <cmath>
#include <numbers>

#include "mubody/math/jet.h"

namespace mubody {
namespace detail {
/// outer · inner, zero where the inner derivative is.
inline double through(double outer, double inner) { return inner == 0 ? 0 : outer * inner; }

/// c · x^p, zero where c is.
inline double monomial(double c, double x, double p) { return c == 0 ? 0 : c * std::pow(x, p); }
}  // namespace detail

/// f(u) from the value of f and its first two derivatives.
inline Jet chain(const Jet& u, double f, double f1, double f2) {
  using detail::through;
  return {f, through(f1, u.v), through(f2, u.v * u.v) + through(f1, u.a)};
}

/// g(u, w) from the value of g and its partial derivatives.
inline Jet chain(const Jet& u, const Jet& w, double g, double gu, double gw, double guu, double guw,
                 double gww) {
  using detail::through;
  return {g, through(gu, u.v) + through(gw, w.v),
          through(guu, u.v * u.v) + 2 * through(guw, u.v * w.v) + through(gww, w.v * w.v) + through(gu, u.a) +
              through(gw, w.a)};
}

inline Jet operator+(const Jet& p, const Jet& q) { return {p.x + q.x, p.v + q.v, p.a + q.a}; }
inline Jet operator-(const Jet& p, const Jet& q) { return {p.x - q.x, p.v - q.v, p.a - q.a}; }
inline Jet operator-(const Jet& p) { return {-p.x, -p.v, -p.a}; }
inline Jet operator*(const Jet& p, const Jet& q) {
  return {p.x * q.x, p.v * q.x + p.x * q.v, p.a * q.x + 2 * p.v * q.v + p.x * q.a};
}
inline Jet operator/(const Jet& p, const Jet& q) {
  const double x = p.x / q.x, v = (p.v - x * q.v) / q.x;
  return {x, v, (p.a - 2 * v * q.v - x * q.a) / q.x};
}

inline Jet sin(const Jet& u) {
  const double s = std::sin(u.x);
  return chain(u, s, std::cos(u.x), -s);
}
inline Jet cos(const Jet& u) {
  const double c = std::cos(u.x);
  return chain(u, c, -std::sin(u.x), -c);
}
inline Jet tan(const Jet& u) {
  const double f = std::tan(u.x), slope = 1 + f * f;
  return chain(u, f, slope, 2 * f * slope);
}
inline Jet asin(const Jet& u) {
  const double c2 = 1 - u.x * u.x, c = std::sqrt(c2);
  return chain(u, std::asin(u.x), 1 / c, u.x / (c2 * c));
}
inline Jet acos(const Jet& u) {
  const double c2 = 1 - u.x * u.x, c = std::sqrt(c2);
  return chain(u, std::acos(u.x), -1 / c, -u.x / (c2 * c));
}
inline Jet atan(const Jet& u) {
  const double slope = 1 / (1 + u.x * u.x);
  return chain(u, std::atan(u.x), slope, -2 * u.x * slope * slope);
}
inline Jet sinh(const Jet& u) {
  const double s = std::sinh(u.x);
  return chain(u, s, std::cosh(u.x), s);
}
inline Jet cosh(const Jet& u) {
  const double c = std::cosh(u.x);
  return chain(u, c, std::sinh(u.x), c);
}
inline Jet tanh(const Jet& u) {
  const double f = std::tanh(u.x), slope = 1 - f * f;
  return chain(u, f, slope, -2 * f * slope);
}
inline Jet exp(const Jet& u) {
  const double f = std::exp(u.x);
  return chain(u, f, f, f);
}
inline Jet log(const Jet& u) { return chain(u, std::log(u.x), 1 / u.x, -1 / (u.x * u.x)); }
inline Jet log10(const Jet& u) {
  const double slope = std::numbers::log10e / u.x;
  return chain(u, std::log10(u.x), slope, -slope / u.x);
}
inline Jet sqrt(const Jet& u) {
  const double root = std::sqrt(u.x);
  return chain(u, root, 0.5 / root, -0.25 / (root * u.x));
}
inline Jet abs(const Jet& u) { return u.x < 0 ? -u : u; }
inline Jet floor(const Jet& u) { return {std::floor(u.x), 0, 0}; }
inline Jet ceil(const Jet& u) { return {std::ceil(u.x), 0, 0}; }

inline Jet atan2(const Jet& y, const Jet& x) {
  const double r2 = x.x * x.x + y.x * y.x, r4 = r2 * r2, twist = 2 * x.x * y.x / r4;
  return chain(y, x, std::atan2(y.x, x.x), x.x / r2, -y.x / r2, -twist, (y.x * y.x - x.x * x.x) / r4, twist);
}
inline Jet hypot(const Jet& x, const Jet& y) {
  const double r = std::hypot(x.x, y.x), c = x.x / r, s = y.x / r;
  return chain(x, y, r, c, s, s * s / r, -s * c / r, c * c / r);
}

/// u^w.  The logarithm in the derivatives by w matters only where w changes, so that negative numbers have
/// whole powers; at u = 0 the limits for positive w are used, x^w ln x → 0.
inline Jet pow(const Jet& u, const Jet& w) {
  using detail::monomial;
  const double x = u.x, p = w.x, f = std::pow(x, p), below = std::pow(x, p - 1);
  const double ln = std::log(x);
  const double gw = f == 0 ? 0 : f * ln, gww = f == 0 ? 0 : f * ln * ln;
  const double guw = below == 0 ? 0 : below * (1 + p * ln);
  return chain(u, w, f, monomial(p, x, p - 1), gw, monomial(p * (p - 1), x, p - 2), guw, gww);
}

inline double value(double x) { return x; }
inline double value(const Jet& u) { return u.x; }

/// −1, 0 or 1.
template <class T> T sign(const T& u) { return T{static_cast<double>((value(u) > 0) - (value(u) < 0))}; }

/// The remainder of x after whole multiples of y, with the sign of y: a saw-tooth that never turns back.
inline double mod(double x, double y) {
  const double r = std::fmod(x, y);
  return r != 0 && (r < 0) != (y < 0) ? r + y : r;
}
inline Jet mod(const Jet& x, const Jet& y) {
  const double r = mod(x.x, y.x), wholes = std::round((x.x - r) / y.x);
  return {r, x.v - wholes * y.v, x.a - wholes * y.a};
}
}  // namespace mubody
