#pragma once
// A box on a plane in space: each of its eight corners may touch.
//
//   docs/theory/contact.md#box_on_plane
#include "mubody/contact/geometry/sites.h"

namespace mubody {
struct BoxOnPlane {
  static constexpr Info info{"box_on_plane", "a box on a plane"};
  static constexpr int dim = 3;
  Vec<3> size = Vec<3>::Zero();  // lengths of its sides along the axes of its body [m]

  void fields(Fields& f) { f.required("size", size, "m", "lengths of its sides along the axes of its body"); }
  void check() const {
    require(size.allFinite() && size.minCoeff() > 0, "size", "must be three positive lengths");
  }
  void draw(Sketch& s, Sketch::Arrow& force) const {
    s.box(Sketch::End::j, {size.x(), size.y(), size.z()});
    s.plane(), s.point(Sketch::End::j);
    force.point = {"x", "y", "z"};
  }
  std::optional<double> radius() const { return {}; }
  void prepare() const {}
  int sites() const { return 8; }
  Touch<3> touch(int site, const Placed<3>& i, const Placed<3>& j) const {
    const auto side = [&](int k) { return ((site >> k) & 1 ? 0.5 : -0.5) * size[k]; };
    return point_on_flat<3>(i, j, j.global({side(0), side(1), side(2)}), 0);
  }
};
}  // namespace mubody
