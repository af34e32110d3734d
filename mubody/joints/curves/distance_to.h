#pragma once
// Distances between things that move and a curve, as quantities that carry their rates and Jacobians along.
//                                                                                docs/theory/curves.md
#include "mubody/joints/curves/places.h"
#include "mubody/kinematics/degree.h"

namespace mubody {
/// In the plane: the distance of the point (X, Y) from a curve, positive to its left.  With the nearest point r, unit
/// tangent t, normal n and curvature κ there, its gradient is n, and its second derivatives are −κ / (1 − κ d) t tᵀ.
template <class F, int I, int J, class R>
Scalar<I, J, R> distance_to(const F& frame, const BodyCurve& curve, const Scalar<I, J, R>& X,
                            const Scalar<I, J, R>& Y) {
  const Vec<2, R> p(X.x, Y.x);
  const CurveAtOf<R> at = curve(place_on(frame.turns, curve, NearestTo<R>{{X.x, Y.x, 0}, {X.v, Y.v, 0}}));
  const Vec<2, R> r = at.r.template head<2>(), d = at.d.template head<2>();
  const R size = d.norm();
  const Vec<2, R> t = d / size, n(-t.y(), t.x());
  const R bend = n.dot(at.dd.template head<2>()) / (size * size), away = n.dot(p - r);
  const Scalar<I, J, R> along = t.x() * X + t.y() * Y;
  return n.x() * X + n.y() * Y - n.dot(r) + smooth(along, 0, 0, -bend / (1 - bend * away));
}
template <class F> Degree distance_to(const F&, const BodyCurve&, const Degree& X, const Degree& Y) {
  return degrees::curved(X + Y, 1);
}

/// How far a curve reaches in the direction of a vector n with components (X, Y): max n · r(s).  Its gradient is r there,
/// its second derivatives are −r' r'ᵀ / (n · r'').
template <class F, int I, int J, class R>
Scalar<I, J, R> reach_of(const F& frame, const BodyCurve& curve, const Scalar<I, J, R>& X,
                         const Scalar<I, J, R>& Y) {
  const Vec<3, R> n(X.x, Y.x, 0);
  const CurveAtOf<R> at = curve(place_on(frame.turns, curve, FarthestAlong<R>{n, {X.v, Y.v, 0}}));
  const Scalar<I, J, R> turns = at.d.x() * X + at.d.y() * Y;
  return at.r.x() * X + at.r.y() * Y + smooth(turns, 0, 0, -1 / n.dot(at.dd));
}
template <class F> Degree reach_of(const F&, const BodyCurve&, const Degree& X, const Degree& Y) {
  return degrees::curved(X + Y, 1);
}

/// In space: the parameter of the point of a curve that is nearest to (X, Y, Z).  It follows from r'·(p − r) = 0:
///
///   G ṡ = r'·ṗ,   G s̈ = r'·p̈ + 2 ṡ r''·ṗ − (3 r'·r'' − r'''·e) ṡ²,      G = r'·r' − r''·e,  e = p − r
template <class F, int I, int J, class R>
Scalar<I, J, R> nearest_on(const F& frame, const BodyCurve& curve, const Scalar<I, J, R>& X,
                           const Scalar<I, J, R>& Y, const Scalar<I, J, R>& Z) {
  const Vec<3, R> p(X.x, Y.x, Z.x), v(X.v, Y.v, Z.v);
  const R s = place_on(frame.turns, curve, NearestTo<R>{p, v});
  const CurveAtOf<R> at = curve(s);
  const Vec<3, R> e = p - at.r;
  const R G = at.d.squaredNorm() - at.dd.dot(e);
  Scalar<I, J, R> found = (1 / G) * (at.d.x() * X + at.d.y() * Y + at.d.z() * Z);
  found.x = s;
  found.a += (2 * found.v * at.dd.dot(v) - (3 * at.d.dot(at.dd) - at.ddd.dot(e)) * found.v * found.v) / G;
  return found;
}
/// One of two distances of (X, Y, Z) from a curve in space, each along a direction across it: m(s) · (p − r(s)).
template <int I, int J, class R>
Scalar<I, J, R> distance_across(const BodyCurve& curve, int direction, const Scalar<I, J, R>& s,
                                const Scalar<I, J, R>& X, const Scalar<I, J, R>& Y, const Scalar<I, J, R>& Z) {
  const CurveAtOf<R> at = curve(s.x);
  const auto part = [&](int c, const Scalar<I, J, R>& x) {
    const JetOf<R> m = curve.across(direction, c, s.x);
    return smooth(s, m.x, m.v, m.a) * (x - smooth(s, at.r[c], at.d[c], at.dd[c]));
  };
  return part(0, X) + part(1, Y) + part(2, Z);
}
template <class F>
Degree nearest_on(const F&, const BodyCurve&, const Degree& X, const Degree& Y, const Degree& Z) {
  return degrees::curved(X + Y + Z, 1);
}
inline Degree distance_across(const BodyCurve&, int, const Degree& s, const Degree&, const Degree&,
                              const Degree&) {
  return s;
}
}  // namespace mubody
