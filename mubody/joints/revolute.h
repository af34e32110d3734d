#pragma once
// Revolute joint: markers i and j share their origin and turn about their common z axis.
//
//   Flores & Lankarani (2012), eq. 47                              docs/theory/joints.md#revolute
//
//   Φ1,2(,3) = o_i − o_j          the two points coincide
//   Φ4, Φ5   = x_i·z_j, y_i·z_j   the two pins stay parallel (space only)
#include "mubody/joints/joint.h"

namespace mubody {
struct Revolute {
  static constexpr Info info{"revolute", "two bodies share a point and turn about it",
                             "hinge pin pivot rotational turning"};
  static constexpr Use use = Use::joint;
  static constexpr Attach attach = Attach::pin;
  static constexpr int forbids(int D) { return D == 2 ? 2 : 5; }
  static constexpr std::array same{2};
  static constexpr std::array allow{turn_z};
  static constexpr std::string_view clearance = "journal_bearing";
  Marker i, j;

  void fields(Fields& f) {
    f.required("i", i, "m", "the pin on the first body; z is the pin's axis");
    f.required("j", j, "m", "the pin on the second body");
  }
  void draw(Sketch& s) const { s.pin(); }

  template <class F, class G, class E> void forbid(const F& i, const G& j, E& eq) const {
    eq.zero(i.o() - j.o());
    if constexpr (F::dim == 3) {
      const auto z = j.z();
      eq.zero(dot(i.x(), z));
      eq.zero(dot(i.y(), z));
    }
  }
};
}  // namespace mubody
