#pragma once
// Universal joint (Cardan, Hooke): two bodies carry the two pins of a cross, which meet at a right angle.
//
//   Nikravesh (1988), sec. 7.1                                      docs/theory/joints.md#universal
//
//   Φ1..3 = o_i − o_j
//   Φ4    = z_i·x_j           the pin of body i, z, and the pin of body j, x, stay perpendicular
#include "mubody/joints/joint.h"

namespace mubody {
struct Universal {
  static constexpr Info info{"universal", "two bodies carry the two pins of a cross", "hooke cardan u_joint"};
  static constexpr Use use = Use::joint;
  static constexpr Attach attach = Attach::cross;
  static constexpr int forbids(int D) { return D == 2 ? 0 : 4; }
  static constexpr std::array allow{turn_z, turn_x};
  Marker i, j;

  void fields(Fields& f) {
    f.required("i", i, "m", "the centre of the cross on the first body; z is the pin in that body");
    f.required("j", j, "m", "the centre of the cross on the second body; x is the pin in that body");
  }
  void draw(Sketch& s) const { s.ball(); }

  template <class F, class G, class E> void forbid(const F& i, const G& j, E& eq) const {
    eq.zero(i.o() - j.o());
    eq.zero(dot(i.z(), j.x()));
  }
};
}  // namespace mubody
