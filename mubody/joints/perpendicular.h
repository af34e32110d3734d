#pragma once
// Perpendicular axes: the z axis of marker i and the x axis of marker j stay perpendicular, wherever they are.
//
//   Nikravesh (1988), sec. 7.1                                  docs/theory/joints.md#perpendicular
//
//   Φ = z_i·x_j
#include "mubody/joints/joint.h"

namespace mubody {
struct Perpendicular {
  static constexpr Info info{"perpendicular", "an axis of one body stays perpendicular to an axis of another"};
  static constexpr Use use = Use::joint;
  static constexpr Attach attach = Attach::cross;
  static constexpr int forbids(int D) { return D == 2 ? 0 : 1; }
  static constexpr std::array allow{slide_x, slide_y, slide_z, turn_z, turn_x};
  Marker i, j;

  void fields(Fields& f) {
    f.required("i", i, "m", "a frame on the first body; z is its axis");
    f.required("j", j, "m", "a frame on the second body; x is its axis");
  }
  void draw(Sketch& s) const { s.nothing("directions have no place of their own"); }

  template <class F, class G, class E> void forbid(const F& i, const G& j, E& eq) const {
    eq.zero(dot(i.z(), j.x()));
  }
};
}  // namespace mubody
