#pragma once
// Point on a curve: a point of body j runs along a curve of body i, or a roller about that point rolls on it: a pin in a
// bent slot, a cam with a knife-edge or roller follower.
//
//   docs/theory/curves.md#point-on-a-curve
//
//   Φ      = distance of o_j from the curve − r           plane; r is positive on the left of the curve
//   Φ1, Φ2 = the same, z_i · (o_j − o_i) − z              space, on a curve all of whose points have the same z
//   Φ1, Φ2 = m_1, m_2 · (o_j − nearest point)             space, on any other; m_1 and m_2 lie across the curve
#include "mubody/joints/curves/distance_to.h"
#include "mubody/joints/joint.h"

namespace mubody {
struct PointOnCurve {
  static constexpr Info info{"point_on_curve", "a point or a roller of one body runs along a curve of another"};
  static constexpr Use use = Use::joint;
  static constexpr int forbids(int D) { return D - 1; }
  static constexpr int allows(int D) { return D == 2 ? 2 : 4; }
  Marker i, j;
  BodyCurve curve;
  double radius = 0;
  double side = 1;              // on which the roller is, +1 left, set by start()
  std::optional<double> level;  // the z of all points of the curve if it is the same, set by start()

  void fields(Fields& f) {
    f.required("i", i, "m", "origin and axes of the curve");
    f.required("j", j, "m", "the point, or the centre of the roller");
    f.required("curve", curve, "", "the curve, in the axes of i");
    f.optional(
        "radius", radius, "m",
        "of the roller, on a curve all of whose points have the same z; it stays on its side of the curve");
  }
  void draw(Sketch& s) const {
    s.point(Sketch::End::i);
    if (radius > 0) s.disc(Sketch::End::j, radius);
  }
  void check(int D) const {
    require(std::isfinite(radius) && radius >= 0, "radius", "must not be negative");
    require(D == 3 || curve.is_flat(), "curve", "in the plane its points have two numbers, x and y");
  }
  void start(const Pose& i, const Pose& j) {
    const Vec<3> p = i.turn.conjugate() * (j.at - i.at);
    level = find_level();
    require(level || radius == 0, "radius", "needs a curve all of whose points have the same z");
    const CurveAt at = curve(curve.nearest(p));
    side = at.d.x() * (p - at.r).y() - at.d.y() * (p - at.r).x() < 0 ? -1 : 1;
  }

  template <class F, class G, class E> void forbid(const F& i, const G& j, E& eq) const {
    const auto d = j.o() - i.o();
    const auto X = dot(i.x(), d), Y = dot(i.y(), d);
    if (F::dim == 2 || level) eq.zero(distance_to(i, curve, X, Y) - side * radius);
    if constexpr (F::dim == 3) {
      const auto Z = dot(i.z(), d);
      if (level) return eq.zero(Z - *level);
      const auto s = nearest_on(i, curve, X, Y, Z);
      eq.zero(distance_across(curve, 0, s, X, Y, Z));
      eq.zero(distance_across(curve, 1, s, X, Y, Z));
    }
  }
  template <class F, class G, class R> void measure(const F& i, const G& j, R& report) const {
    const auto d = j.o() - i.o();
    report("x", "m", dot(i.x(), d));
    report("y", "m", dot(i.y(), d));
    if constexpr (F::dim == 3) report("z", "m", dot(i.z(), d));
  }

 private:
  std::optional<double> find_level() const {
    const double z = curve(0).r.z();
    const int parts = 8 * curve.kind().pieces();
    for (int k = 1; k <= parts; ++k)
      if (curve(curve.kind().end() * k / parts).r.z() != z) return {};
    return z;
  }
};
}  // namespace mubody
