#pragma once
// Cylindrical joint: marker j turns about the z axis of marker i and slides along it.
//
//   Nikravesh (1988), sec. 7.2                                    docs/theory/joints.md#cylindrical
//
//   Φ1, Φ2 = x_i·(o_j − o_i), y_i·(o_j − o_i)     the point stays on the axis
//   Φ3, Φ4 = x_i·z_j, y_i·z_j                     the axes stay parallel
#include "mubody/joints/joint.h"

namespace mubody {
struct Cylindrical {
  static constexpr Info info{"cylindrical", "one body turns about an axis of another and slides along it",
                             "cylinder"};
  static constexpr Use use = Use::joint;
  static constexpr Attach attach = Attach::pin;
  static constexpr int forbids(int D) { return D == 2 ? 0 : 4; }
  static constexpr std::array same{2};
  static constexpr std::array allow{turn_z, slide_z};
  Marker i, j;

  void fields(Fields& f) {
    f.required("i", i, "m", "a point of the axis on the first body; z is the axis");
    f.required("j", j, "m", "a point of the axis on the second body");
  }
  void draw(Sketch& s) const { s.slider(2); }

  template <class F, class G, class E> void forbid(const F& i, const G& j, E& eq) const {
    const auto d = j.o() - i.o();
    const auto z = j.z();
    const auto x = i.x(), y = i.y();
    eq.zero(dot(x, d));
    eq.zero(dot(y, d));
    eq.zero(dot(x, z));
    eq.zero(dot(y, z));
  }
};
}  // namespace mubody
