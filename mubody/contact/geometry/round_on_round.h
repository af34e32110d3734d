#pragma once
// Two discs or two spheres side by side: gap = |d| − R_i − R_j with d from centre i to centre j, normal = d/|d|.
#include "mubody/contact/geometry/touch.h"
#include "mubody/contact/stiffness.h"

namespace mubody {
template <int D> struct RoundOnRound {
  double radius_i = 0, radius_j = 0;  // [m]

  void fields(Fields& f) {
    f.required("radius_i", radius_i, "m", "of the first body");
    f.required("radius_j", radius_j, "m", "of the second body");
  }
  void check() const {
    require(std::isfinite(radius_i) && radius_i > 0, "radius_i", "must be positive");
    require(std::isfinite(radius_j) && radius_j > 0, "radius_j", "must be positive");
  }
  void draw(Sketch& s, Sketch::Arrow& force) const {
    s.round_on_round(radius_i, radius_j);
    force.beyond = -radius_j;
  }
  /// Where the centre of one lies on the other.
  double most_depth() const { return std::min(radius_i, radius_j); }
  double relative_radius() const { return mubody::relative_radius(radius_i, radius_j); }
  Touch<D> touch(const Moving<D>& i, const Moving<D>& j) const {
    const Vec<D> d = j.x - i.x, n = direction<D>(d, j.v - i.v);
    return touch_at<D>(i, j, d.norm() - radius_i - radius_j, n, i.x + radius_i * n, j.x - radius_j * n);
  }
};
}  // namespace mubody
