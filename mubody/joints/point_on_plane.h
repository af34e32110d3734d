#pragma once
// Point on plane: a point of body j stays in a plane of body i.
//
//   docs/theory/joints.md#point_on_plane
//
//   Φ = z_i·(o_j − o_i)
#include "mubody/joints/joint.h"

namespace mubody {
struct PointOnPlane {
  static constexpr Info info{"point_on_plane", "a point of one body stays in a plane of another"};
  static constexpr Use use = Use::joint;
  static constexpr Attach attach = Attach::pin;
  static constexpr int forbids(int D) { return D == 2 ? 0 : 1; }
  static constexpr std::array allow{slide_x, slide_y, turn_z, turn_y, turn_x};
  Marker i, j;

  void fields(Fields& f) {
    f.required("i", i, "m", "a point of the plane; z is its normal");
    f.required("j", j, "m", "the point that stays in it");
  }
  void draw(Sketch& s) const { s.on_plane(); }

  template <class F, class G, class E> void forbid(const F& i, const G& j, E& eq) const {
    eq.zero(dot(i.z(), j.o() - i.o()));
  }
};
}  // namespace mubody
