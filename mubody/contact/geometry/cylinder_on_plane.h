#pragma once
// A cylinder on a plane in space.  Each of its two rims may touch in four places, a quarter of a turn apart: the lowest
// one, on which it rolls, the highest one, and those between.
//
//   docs/theory/contact.md#cylinder_on_plane
//
// The lowest place alone would carry a cylinder that lies or leans, but not one that stands: there any place of the rim
// may become the lowest one, and the force would jump.  Four places resist tilting alike in all directions, wherever the
// lowest of them is.
#include "mubody/contact/geometry/sites.h"

namespace mubody {
struct CylinderOnPlane {
  static constexpr Info info{"cylinder_on_plane", "a cylinder on a plane"};
  static constexpr int dim = 3;
  double rim = 0, length = 0;      // radius and length [m]
  Vec<3> along = Vec<3>::UnitZ();  // its axis, in body axes

  void fields(Fields& f) {
    f.required("radius", rim, "m", "of the cylinder");
    f.required("length", length, "m", "of the cylinder");
    f.optional("along", along, "", "its axis, in the axes of its body");
  }
  void check() const {
    require(std::isfinite(rim) && rim > 0, "radius", "must be positive");
    require(std::isfinite(length) && length > 0, "length", "must be positive");
    require(along.allFinite() && along.norm() > 0, "along", "must not be zero");
  }
  void draw(Sketch& s, Sketch::Arrow& force) const {
    s.cylinder(Sketch::End::j, rim, length, {along.x(), along.y(), along.z()});
    s.plane(), s.point(Sketch::End::j);
    force.point = {"x", "y", "z"};
  }
  std::optional<double> radius() const { return {}; }
  void prepare() { along.normalize(); }
  int sites() const { return 8; }
  Touch<3> touch(int site, const Placed<3>& i, const Placed<3>& j) const {
    const Vec<3> axis = j.axes * along, middle = j.x + (site < 4 ? -0.5 : 0.5) * length * axis;
    const Vec<3> down = axis.dot(i.up) * axis - i.up;  // across the axis
    const double steep = down.norm();
    const Vec<3> lowest = steep > 0 ? Vec<3>(down / steep) : axis.unitOrthogonal(), side = axis.cross(lowest);
    const int quarter = site % 4;
    const Vec<3> arm = (quarter < 2 ? 1 : -1) * rim * (quarter % 2 == 0 ? lowest : side);
    Touch<3> t = point_on_flat<3>(i, j, middle + arm, 0);
    // The places between stay as high as the middle of the rim, whichever point of the rim is there.
    if (quarter % 2 == 1) t.approach = -i.up.dot(j.velocity_at(middle) - i.velocity_at(middle));
    return t;
  }
};
}  // namespace mubody
