#pragma once
// Curve on a curve: two closed curves, one on each body, touch from outside and slide on each other.  Both are round
// everywhere, as circles, ellipses and cams without hollows are.
//
//   docs/theory/curves.md#curve-on-a-curve
//
//   Φ = distance of the two curves
#include "mubody/joints/curves/distance_between.h"
#include "mubody/joints/joint.h"

namespace mubody {
struct CurveOnCurve {
  static constexpr Info info{"curve_on_curve", "two closed round curves touch and slide on each other"};
  static constexpr Use use = Use::joint;
  static constexpr int forbids(int D) { return D == 2 ? 1 : 0; }
  static constexpr int allows(int) { return 2; }
  Marker i, j;
  BodyCurve curve_i, curve_j;

  void fields(Fields& f) {
    f.required("i", i, "m", "origin and axes of the first curve");
    f.required("j", j, "m", "origin and axes of the second curve");
    f.required("curve_i", curve_i, "", "the curve, closed and round everywhere, in the axes of i");
    f.required("curve_j", curve_j, "", "the curve, closed and round everywhere, in the axes of j");
  }
  void draw(Sketch& s) const { s.point(Sketch::End::i), s.point(Sketch::End::j); }
  void check() const {
    require(curve_i.is_round(), "curve_i", "must be closed and round everywhere, such as a whole circle");
    require(curve_j.is_round(), "curve_j", "must be closed and round everywhere, such as a whole circle");
  }

  template <class F, class G, class E> void forbid(const F& i, const G& j, E& eq) const {
    const auto d = j.o() - i.o();
    eq.zero(distance_between(i, curve_i, curve_j, dot(i.x(), d), dot(i.y(), d), turn(i, j)));
  }
  template <class F, class G, class R> void measure(const F& i, const G& j, R& report) const {
    report("angle", "rad", angle_between(i, j));
    report("x", "m", dot(i.x(), j.o() - i.o()));
    report("y", "m", dot(i.y(), j.o() - i.o()));
  }

 private:
  // The angle between the axes, as a quantity of the same bodies as x and y.
  template <class F, class G> static auto turn(const F& i, const G& j) {
    return atan2(dot(i.y(), j.x()), dot(i.x(), j.x()));
  }
};
}  // namespace mubody
