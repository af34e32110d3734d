#pragma once
// A disc on a line or a sphere on a plane: gap = n·d − R with d from a point of the plane to the centre.
#include "mubody/contact/geometry/touch.h"
#include "mubody/contact/stiffness.h"

namespace mubody {
template <int D> struct RoundOnFlat {
  double radius = 0;  // [m]

  void fields(Fields& f) { f.required("radius", radius, "m", "of the round body"); }
  void check() const { require(std::isfinite(radius) && radius > 0, "radius", "must be positive"); }
  /// Where the centre lies on the line or plane.
  double most_depth() const { return radius; }
  double relative_radius() const { return radius; }
  void draw(Sketch& s, Sketch::Arrow& force) const {
    s.round_on_flat(radius);
    force.below = radius;
  }
  /// i is on the line or plane, its `up` points out of the material.
  Touch<D> touch(const Moving<D>& i, const Moving<D>& j) const {
    const double height = i.up.dot(j.x - i.x);
    return touch_at<D>(i, j, height - radius, i.up, j.x - height * i.up, j.x - radius * i.up);
  }
};
}  // namespace mubody
