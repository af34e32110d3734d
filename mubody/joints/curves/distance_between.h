#pragma once
// The distance of two closed curves that are round everywhere, as a quantity that carries its rates and Jacobians along.
//                                                                                docs/theory/curves.md#curve-on-a-curve
#include <cmath>
#include <limits>
#include <numbers>

#include "mubody/joints/curves/body_curve.h"
#include "mubody/kinematics/degree.h"

namespace mubody {
/// How far a curve reaches in the direction of an angle, h = max n · r, with h' = r · n', h'' = ρ − h; ρ is its radius of
/// curvature there.
struct Reach {
  Jet h;
  double radius;

  Reach(const BodyCurve& curve, double angle) {
    const Vec<3> n(std::cos(angle), std::sin(angle), 0), t(-n.y(), n.x(), 0);
    const CurveAt at = curve(curve.farthest(n));
    radius = -std::pow(t.dot(at.d), 2) / n.dot(at.dd);
    h = {n.dot(at.r), t.dot(at.r), radius - n.dot(at.r)};
  }
};

/// The direction ψ, in the axes of the first curve, in which two curves are farthest apart: the largest
///
///   S(ψ) = x cos ψ + y sin ψ − h_i(ψ) − h_j(ψ + π − θ)
///
/// where (x, y) leads from the origin of the first to that of the second, which is turned by θ.
inline double direction_between(const BodyCurve& i, const BodyCurve& j, double x, double y, double theta) {
  constexpr int directions = 48;
  constexpr double turn = 2 * std::numbers::pi;
  const auto slopes = [&](double psi) {
    const Reach a(i, psi), b(j, psi + turn / 2 - theta);
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

/// max S.  With the direction held its derivatives are those of S; that the direction follows adds b bᵀ / (Φ + ρ_i + ρ_j)
/// to the second ones, b = ∂²S / ∂ψ ∂(x, y, θ).
template <int I, int J>
Scalar<I, J> distance_between(const BodyCurve& first, const BodyCurve& second, const Scalar<I, J>& X,
                              const Scalar<I, J>& Y, const Scalar<I, J>& theta) {
  const double psi = direction_between(first, second, X.x, Y.x, theta.x);
  const Reach a(first, psi), b(second, psi + std::numbers::pi - theta.x);
  const double c = std::cos(psi), s = std::sin(psi);
  const double apart = c * X.x + s * Y.x - a.h.x - b.h.x;
  const Scalar<I, J> follows = c * Y - s * X + b.h.a * theta;
  return c * X + s * Y + b.h.v * (theta - theta.x) - (a.h.x + b.h.x) + smooth(theta, 0, 0, -b.h.a) +
         smooth(follows, 0, 0, 1 / (apart + a.radius + b.radius));
}
inline Degree distance_between(const BodyCurve&, const BodyCurve&, const Degree& X, const Degree& Y,
                               const Degree& theta) {
  return degrees::curved(X + Y + theta, 1);
}
}  // namespace mubody
