#pragma once
// Fixed joint (weld): markers i and j coincide, origin and axes.
//
//   Flores & Lankarani (2012), eqs. 71-73                               docs/theory/joints.md#fixed
//
//   Φ = o_i − o_j,  angle from x_i to x_j;   in space the twists about x, y and z
//
// Angles, not products of axes such as y_i·x_j, which also vanish for axes that point opposite ways; where products
// are the point (fully Cartesian coordinates) the assembly has chosen the way already.
#include "mubody/joints/joint.h"

namespace mubody {
struct Fixed {
  static constexpr Info info{"fixed", "two bodies move as one", "weld rigid lock clamp bracket"};
  static constexpr Use use = Use::joint;
  static constexpr Attach attach = Attach::frame;
  static constexpr int forbids(int D) { return D == 2 ? 3 : 6; }
  static constexpr std::array<Elementary, 0> allow{};
  Marker i, j;

  void fields(Fields& f) {
    f.required("i", i, "m", "a frame on the first body");
    f.required("j", j, "m", "the frame on the second body that coincides with it");
  }
  void draw(Sketch& s) const { s.weld(); }

  template <class F, class G, class E> void forbid(const F& i, const G& j, E& eq) const {
    eq.zero(i.o() - j.o());
    if constexpr (F::dim == 2) {
      eq.zero(misalignment(i, j));
    } else {
      eq.zero(twist_gap_about<0>(i, j));
      eq.zero(twist_gap_about<1>(i, j));
      eq.zero(twist_gap_about<2>(i, j));
    }
  }
};
}  // namespace mubody
