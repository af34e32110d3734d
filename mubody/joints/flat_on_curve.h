#pragma once
// Flat on a curve: a straight face of body j lies on a curve of body i, which is round where they touch: a cam with a
// flat follower.
//
//   docs/theory/curves.md#flat-on-a-curve
//
//   Φ = y_j · (o_j − o_i) − h(y_j),     h(n) = max n · r(s)
//
// x_j lies along the face, y_j points away from the curve.  The normal force acts where they touch.
#include "mubody/joints/curves/distance_to.h"
#include "mubody/joints/joint.h"

namespace mubody {
struct FlatOnCurve {
  static constexpr Info info{"flat_on_curve", "a straight face of one body lies on a curve of another"};
  static constexpr Use use = Use::joint;
  static constexpr Attach attach = Attach::line;
  static constexpr int forbids(int D) { return D == 2 ? 1 : 0; }
  static constexpr int allows(int) { return 2; }
  Marker i, j;
  BodyCurve curve;

  void fields(Fields& f) {
    f.required("i", i, "m", "origin and axes of the curve");
    f.required("j", j, "m", "a point of the face; x lies along it, y points away from the curve");
    f.required("curve", curve, "", "the curve, closed, in the axes of i");
  }
  void draw(Sketch& s) const { s.point(Sketch::End::i); }
  void check() const {
    require(curve.is_flat(), "curve", "in the plane its points have two numbers, x and y");
    require(curve.kind().is_closed(), "curve", "must be closed, such as a whole circle or a closed spline");
  }
  void start(const Pose& i, const Pose& j) const {
    const Vec<3> n = i.turn.conjugate() * (j.turn * Vec<3>::UnitY());
    const CurveAt at = curve(curve.farthest(n));
    require(n.dot(at.dd) < 0, "curve", "must be round where the face touches it");
  }

  template <class F, class G, class E> void forbid(const F& i, const G& j, E& eq) const {
    const auto n = j.y();
    eq.zero(dot(n, j.o() - i.o()) - reach_of(i, curve, dot(i.x(), n), dot(i.y(), n)));
  }
  template <class F, class G, class R> void measure(const F& i, const G& j, R& report) const {
    report("angle", "rad", angle_between(i, j));
    report("lift", "m", dot(j.y(), j.o() - i.o()));
  }
};
}  // namespace mubody
