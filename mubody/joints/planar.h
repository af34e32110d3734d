#pragma once
// Planar joint: a plane of body j stays in a plane of body i.
//
//   Nikravesh (1988), sec. 7.2                                         docs/theory/joints.md#planar
//
//   Φ1     = z_i·(o_j − o_i)     the point stays in the plane
//   Φ2, Φ3 = x_i·z_j, y_i·z_j    the normals stay parallel
#include "mubody/joints/joint.h"

namespace mubody {
struct Planar {
  static constexpr Info info{"planar", "one body slides and turns on a plane of another", "plane e_joint"};
  static constexpr Use use = Use::joint;
  static constexpr Attach attach = Attach::pin;
  static constexpr int forbids(int D) { return D == 2 ? 0 : 3; }
  static constexpr std::array same{2};
  static constexpr std::array allow{slide_x, slide_y, turn_z};
  Marker i, j;

  void fields(Fields& f) {
    f.required("i", i, "m", "a point of the plane on the first body; z is its normal");
    f.required("j", j, "m", "a point of the plane on the second body");
  }
  void draw(Sketch& s) const { s.on_plane(); }

  template <class F, class G, class E> void forbid(const F& i, const G& j, E& eq) const {
    const auto z = j.z();
    eq.zero(dot(i.z(), j.o() - i.o()));
    eq.zero(dot(i.x(), z));
    eq.zero(dot(i.y(), z));
  }
};
}  // namespace mubody
