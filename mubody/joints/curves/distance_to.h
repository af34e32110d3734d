#pragma once
// Distances between things that move and a curve, as quantities that carry their rates and Jacobians along.
//                                                                                docs/theory/curves.md
#include "mubody/joints/curves/body_curve.h"
#include "mubody/kinematics/degree.h"

namespace mubody {
/// In the plane: the distance of the point (X, Y) from a curve, positive to its left.  With the nearest point r, unit
/// tangent t, normal n and curvature κ there, its gradient is n, and its second derivatives are −κ / (1 − κ d) t tᵀ.
template <int I, int J>
Scalar<I, J> distance_to(const BodyCurve& curve, const Scalar<I, J>& X, const Scalar<I, J>& Y) {
  const Vec<2> p(X.x, Y.x);
  const CurveAt at = curve(curve.nearest({p.x(), p.y(), 0}));
  const double size = at.d.head<2>().norm();
  const Vec<2> t = at.d.head<2>() / size, n = perp(t);
  const double bend = n.dot(at.dd.head<2>()) / (size * size), away = n.dot(p - at.r.head<2>());
  const Scalar<I, J> along = t.x() * X + t.y() * Y;
  return n.x() * X + n.y() * Y - n.dot(at.r.head<2>()) + smooth(along, 0, 0, -bend / (1 - bend * away));
}
inline Degree distance_to(const BodyCurve&, const Degree& X, const Degree& Y) {
  return degrees::curved(X + Y, 1);
}

/// How far a curve reaches in the direction of a vector n with components (X, Y): max n · r(s).  Its gradient is r there,
/// its second derivatives are −r' r'ᵀ / (n · r'').
template <int I, int J>
Scalar<I, J> reach_of(const BodyCurve& curve, const Scalar<I, J>& X, const Scalar<I, J>& Y) {
  const Vec<3> n(X.x, Y.x, 0);
  const CurveAt at = curve(curve.farthest(n));
  const Scalar<I, J> turns = at.d.x() * X + at.d.y() * Y;
  return at.r.x() * X + at.r.y() * Y + smooth(turns, 0, 0, -1 / n.dot(at.dd));
}
inline Degree reach_of(const BodyCurve&, const Degree& X, const Degree& Y) { return degrees::curved(X + Y, 1); }

/// In space: the parameter of the point of a curve that is nearest to (X, Y, Z).  It follows from r'·(p − r) = 0:
///
///   G ṡ = r'·ṗ,   G s̈ = r'·p̈ + 2 ṡ r''·ṗ − (3 r'·r'' − r'''·e) ṡ²,      G = r'·r' − r''·e,  e = p − r
template <int I, int J>
Scalar<I, J> nearest_on(const BodyCurve& curve, const Scalar<I, J>& X, const Scalar<I, J>& Y,
                        const Scalar<I, J>& Z) {
  const Vec<3> p(X.x, Y.x, Z.x), v(X.v, Y.v, Z.v);
  const double s = curve.nearest(p);
  const CurveAt at = curve(s);
  const Vec<3> e = p - at.r;
  const double G = at.d.squaredNorm() - at.dd.dot(e);
  Scalar<I, J> found = (1 / G) * (at.d.x() * X + at.d.y() * Y + at.d.z() * Z);
  found.x = s;
  found.a += (2 * found.v * at.dd.dot(v) - (3 * at.d.dot(at.dd) - at.ddd.dot(e)) * found.v * found.v) / G;
  return found;
}
/// One of two distances of (X, Y, Z) from a curve in space, each along a direction across it: m(s) · (p − r(s)).
template <int I, int J>
Scalar<I, J> distance_across(const BodyCurve& curve, int direction, const Scalar<I, J>& s,
                             const Scalar<I, J>& X, const Scalar<I, J>& Y, const Scalar<I, J>& Z) {
  const CurveAt at = curve(s.x);
  const auto part = [&](int c, const Scalar<I, J>& x) {
    const Jet m = curve.across(direction, c, s.x);
    return smooth(s, m.x, m.v, m.a) * (x - smooth(s, at.r[c], at.d[c], at.dd[c]));
  };
  return part(0, X) + part(1, Y) + part(2, Z);
}
inline Degree nearest_on(const BodyCurve&, const Degree& X, const Degree& Y, const Degree& Z) {
  return degrees::curved(X + Y + Z, 1);
}
inline Degree distance_across(const BodyCurve&, int, const Degree& s, const Degree&, const Degree&,
                              const Degree&) {
  return s;
}
}  // namespace mubody
