#pragma once
// Parallel axes: the z axes of markers i and j stay parallel, wherever they are.
//
//   Nikravesh (1988), sec. 7.1                                       docs/theory/joints.md#parallel
//
//   Φ1, Φ2 = x_i·z_j, y_i·z_j
#include "mubody/joints/joint.h"

namespace mubody {
struct Parallel {
  static constexpr Info info{"parallel", "an axis of one body stays parallel to an axis of another"};
  static constexpr Use use = Use::joint;
  static constexpr Attach attach = Attach::angle;
  static constexpr int forbids(int D) { return D == 2 ? 0 : 2; }
  static constexpr std::array same{2};
  static constexpr std::array allow{slide_x, slide_y, slide_z, turn_z};
  Marker i, j;

  void fields(Fields& f) {
    f.required("i", i, "m", "a frame on the first body; z is the axis");
    f.required("j", j, "m", "a frame on the second body; its z stays parallel");
  }
  void draw(Sketch& s) const { s.nothing("directions have no place of their own"); }

  template <class F, class G, class E> void forbid(const F& i, const G& j, E& eq) const {
    const auto z = j.z();
    eq.zero(dot(i.x(), z));
    eq.zero(dot(i.y(), z));
  }
};
}  // namespace mubody
