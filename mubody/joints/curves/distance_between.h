#pragma once
// The distance of two closed curves that are round everywhere, as a quantity that carries its rates and Jacobians along.
//                                                                                docs/theory/curves.md#curve-on-a-curve
#include <cmath>
#include <limits>
#include <numbers>

#include "mubody/joints/curves/places.h"
#include "mubody/kinematics/degree.h"

namespace mubody {
/// How far a curve reaches in the direction of an angle, h = max n · r, with h' = r · n', h'' = ρ − h; ρ is its radius of
/// curvature there.
template <class R> struct ReachOf {
  JetOf<R> h;
  R radius;

  ReachOf(const CurveAtOf<R>& at, const R& angle) {
    const Vec<3, R> n(cos(angle), sin(angle), 0), t(-n.y(), n.x(), 0);
    radius = -pow(t.dot(at.d), 2) / n.dot(at.dd);
    h = {n.dot(at.r), t.dot(at.r), radius - n.dot(at.r)};
  }
};
inline ReachOf<double> reach_at(const BodyCurve& curve, double angle) {
  return {curve(curve.farthest({std::cos(angle), std::sin(angle), 0})), angle};
}

/// Where the second of two curves is: (x, y) leads from the origin of the first to its own, and it is turned by θ; all in
/// the axes of the first.
template <class R> struct Apart {
  JetOf<R> x, y, theta;

  template <int I, int J>
  Apart(const Scalar<I, J, R>& X, const Scalar<I, J, R>& Y, const Scalar<I, J, R>& turn)
      : x{X.x, X.v, X.a}, y{Y.x, Y.v, Y.a}, theta{turn.x, turn.v, turn.a} {}
};
/// The direction ψ, in the axes of the first curve, in which two curves are farthest apart: the largest
///
///   S(ψ) = x cos ψ + y sin ψ − h_i(ψ) − h_j(ψ + π − θ)
///
/// and the reaches of both in that direction.
template <class R> struct TouchOf {
  R psi;
  ReachOf<R> i, j;
};

inline double direction_between(const BodyCurve& i, const BodyCurve& j, double x, double y, double theta) {
  constexpr int directions = 48;
  constexpr double turn = 2 * std::numbers::pi;
  const auto slopes = [&](double psi) {
    const ReachOf<double> a = reach_at(i, psi), b = reach_at(j, psi + turn / 2 - theta);
    const double c = std::cos(psi), s = std::sin(psi);
    return Jet{c * x + s * y - a.h.x - b.h.x, -s * x + c * y - a.h.v - b.h.v, -c * x - s * y - a.h.a - b.h.a};
  };
  double psi = 0, best = -std::numeric_limits<double>::infinity();
  for (int k = 0; k < directions; ++k)
    if (const double at = turn * k / directions, S = slopes(at).x; S > best) best = S, psi = at;
  double low = psi - turn / directions, high = psi + turn / directions;
  constexpr int most_steps = 60;
  for (int k = 0; k < most_steps; ++k) {
    const Jet S = slopes(psi);
    (S.v > 0 ? low : high) = psi;
    double next = S.a < 0 ? psi - S.v / S.a : low;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (std::abs(next - psi) <= 1e-15) return next;
    psi = next;
  }
  return psi;
}
inline TouchOf<double> touch(const Turns&, const BodyCurve& i, const BodyCurve& j, const Apart<double>& at) {
  const double psi = direction_between(i, j, at.x.x, at.y.x, at.theta.x);
  return {psi, reach_at(i, psi), reach_at(j, psi + std::numbers::pi - at.theta.x)};
}
/// The direction and both places are kept, see places.h.  Not a number also where curves overlap by a tenth of what they are
/// bent by: up to there the direction to which corrections lead is the one in which they are farthest apart.
TouchOf<Recorded> touch(const RecordedTurns&, const BodyCurve& i, const BodyCurve& j, const Apart<Recorded>&);

/// max S.  With the direction held its derivatives are those of S; that the direction follows adds b bᵀ / (Φ + ρ_i + ρ_j)
/// to the second ones, b = ∂²S / ∂ψ ∂(x, y, θ).
template <class F, int I, int J, class R>
Scalar<I, J, R> distance_between(const F& frame, const BodyCurve& first, const BodyCurve& second,
                                 const Scalar<I, J, R>& X, const Scalar<I, J, R>& Y,
                                 const Scalar<I, J, R>& theta) {
  const auto [psi, a, b] = touch(frame.turns, first, second, Apart<R>(X, Y, theta));
  const R c = cos(psi), s = sin(psi);
  const R apart = c * X.x + s * Y.x - a.h.x - b.h.x;
  const Scalar<I, J, R> follows = c * Y - s * X + b.h.a * theta;
  return c * X + s * Y + b.h.v * (theta - theta.x) - (a.h.x + b.h.x) + smooth(theta, 0, 0, -b.h.a) +
         smooth(follows, 0, 0, 1 / (apart + a.radius + b.radius));
}
template <class F>
Degree distance_between(const F&, const BodyCurve&, const BodyCurve&, const Degree& X, const Degree& Y,
                        const Degree& theta) {
  return degrees::curved(X + Y + theta, 1);
}
}  // namespace mubody
