#pragma once
// Rolling disc: a thin disc of body j stands on a plane of body i and rolls without slip.
//
//   docs/theory/nonholonomic.md#rolling
//
//   Φ1     = z_i·(o_j − o_i) − r n             the rim touches the plane; n = |(c_x, c_y)|, c_x = z_i·x_j, c_y = z_i·y_j
//   Φ2, Φ3 : velocity of the touching point of the disc along x_i and y_i
//
// z_i is the normal of the plane, z_j the axis of the disc.  The centre is above the touching point by r e, where
// e = (c_x x_j + c_y y_j) / n points up within the disc; the velocity of the disc's material there is
// d/dt (o_j − o_i) − (r / n) (c_x ẋ_j + c_y ẏ_j), each as seen from i.
#include "mubody/joints/joint.h"

namespace mubody {
struct Rolling {
  static constexpr Info info{"rolling", "a thin disc rolls on a plane without slip"};
  static constexpr Use use = Use::joint;
  static constexpr Attach attach = Attach::pin;
  static constexpr int forbids(int D) { return D == 2 ? 0 : 3; }
  static constexpr int rolls(int) { return 2; }
  static constexpr int allows(int) { return 3; }
  Marker i, j;
  double radius = 0;

  void fields(Fields& f) {
    f.required("i", i, "m", "a point of the plane; z is its normal, towards the disc");
    f.required("j", j, "m", "the centre of the disc; z is its axis");
    f.required("radius", radius, "m", "of the disc");
  }
  void draw(Sketch& s) const {
    s.plane();
    s.disc(Sketch::End::j, radius);
  }
  void check() const { require(radius > 0, "radius", "must be positive"); }
  void start(const Pose& i, const Pose& j) {
    const double flat = std::abs((i.turn * Vec<3>::UnitZ()).dot(j.turn * Vec<3>::UnitZ()));
    require(
        flat < 0.9999, "j",
        "the disc lies flat: give each body its axis, i = {axis = ...} the plane's normal, j = {axis = ...}");
  }

  template <class F, class G, class E> void forbid(const F& i, const G& j, E& eq) const {
    const auto d = j.o() - i.o();
    const auto x = j.x(), y = j.y();
    const auto cx = dot(i.z(), x), cy = dot(i.z(), y);
    const auto n = sqrt(cx * cx + cy * cy);
    eq.zero(dot(i.z(), d) - radius * n);
    const auto inverse = reciprocal(n);
    const auto ex = cx * inverse, ey = cy * inverse;
    const auto slip = [&](const auto& along) {
      return flow(dot(along, d)) + (-radius) * (flow(ex, dot(along, x)) + flow(ey, dot(along, y)));
    };
    eq.zero(slip(i.x()));
    eq.zero(slip(i.y()));
  }
  // The place of the centre in the plane, and the attitude of the disc.
  template <class F, class G, class R> void measure(const F& i, const G& j, R& report) const {
    report("x", "m", coordinate(slide_x, i, j));
    report("y", "m", coordinate(slide_y, i, j));
    const auto cx = dot(i.z(), j.x()), cy = dot(i.z(), j.y());
    report("lean", "rad", atan2(dot(i.z(), j.z()), sqrt(cx * cx + cy * cy)));
    report("spin", "rad", counted<0>(j, atan2(cx, cy)));
  }
};
}  // namespace mubody
