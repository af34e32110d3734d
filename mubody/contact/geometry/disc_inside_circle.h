#pragma once
// A disc that moves within a circle in the plane: gap = R_i − R_j − |d| with d from the centre of the circle to that
// of the disc.  The normal points to the inside, −d/|d|.  In the centre all directions are equally near: there
// the direction of motion counts, so that the one-sided rate of the gap is right.
//
//   docs/theory/contact.md#disc_inside_circle
#include "mubody/contact/geometry/touch.h"
#include "mubody/contact/stiffness.h"

namespace mubody {
struct DiscInsideCircle {
  static constexpr Info info{"disc_inside_circle", "a disc that moves within a circle"};
  static constexpr int dim = 2;
  double radius_i = 0, radius_j = 0;  // [m]

  void fields(Fields& f) {
    f.required("radius_i", radius_i, "m", "of the circle, which is hollow");
    f.required("radius_j", radius_j, "m", "of the disc within it");
  }
  void check() const {
    require(std::isfinite(radius_i) && radius_i > 0, "radius_i", "must be positive");
    require(radius_j > 0, "radius_j", "must be positive");
    require(radius_j < radius_i, "radius_j", "must be less than 'radius_i', in which it moves");
  }
  double clearance() const { return radius_i - radius_j; }
  void draw(Sketch& s, Sketch::Arrow& force) const {
    s.round_inside(radius_i, radius_j);
    force.beyond = radius_j;
  }
  double relative_radius() const { return mubody::relative_radius(-radius_i, radius_j); }
  Touch<2> touch(const Moving<2>& i, const Moving<2>& j) const {
    const Vec<2> d = j.x - i.x, n = -direction<2>(d, j.v - i.v);
    return touch_at<2>(i, j, clearance() - d.norm(), n, i.x - radius_i * n, j.x - radius_j * n);
  }
};
}  // namespace mubody
