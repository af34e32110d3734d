#pragma once
// What is searched for on a curve: the place s at which a function of s is largest, so that its derivative F(s, t) is zero
// there and falls.
//
//   docs/theory/curves.md#nearest-point
#include <utility>

#include "mubody/joints/curves/body_curve.h"

namespace mubody {
/// The point of a curve that is nearest to p, which moves with v: F = r' · (p − r).
template <class R> struct NearestTo {
  Vec<3, R> p, v = Vec<3, R>::Zero();

  /// What is largest at the place, of a sample.
  R at(const Vec<3>& sample) const { return -(sample.cast<R>() - p).squaredNorm(); }
  /// F and ∂F/∂s
  std::pair<R, R> slope(const CurveAtOf<R>& c) const {
    const Vec<3, R> e = p - c.r;
    return {c.d.dot(e), c.dd.dot(e) - c.d.squaredNorm()};
  }
  /// ∂F/∂t
  R drift(const CurveAtOf<R>& c) const { return c.d.dot(v); }
};

/// The point that lies farthest in the direction n, which changes with v: F = n · r'.
template <class R> struct FarthestAlong {
  Vec<3, R> n, v = Vec<3, R>::Zero();

  R at(const Vec<3>& sample) const { return n.dot(sample.cast<R>()); }
  std::pair<R, R> slope(const CurveAtOf<R>& c) const { return {n.dot(c.d), n.dot(c.dd)}; }
  R drift(const CurveAtOf<R>& c) const { return v.dot(c.d); }
};
}  // namespace mubody
