#pragma once
// Translational joint: marker j slides along the x axis of marker i and does not turn.
//
//   Flores & Lankarani (2012), eqs. 65-66                     docs/theory/joints.md#translational
//
//   Φ1 = angle from x_i to x_j    the slider does not turn on the guide (65); in space y_i·x_j
//   Φ2 = y_i · (o_j − o_i)        the slider stays on the guide (66)
//   Φ3..5 = z_i·x_j, z_i·y_j, z_i·(o_j − o_i)   (space only)
#include "mubody/joints/joint.h"

namespace mubody {
struct Translational {
  static constexpr Info info{"translational", "one body slides along a line of another without turning",
                             "prismatic slider sliding guide"};
  static constexpr Use use = Use::joint;
  static constexpr Attach attach = Attach::line;
  static constexpr int forbids(int D) { return D == 2 ? 2 : 5; }
  static constexpr std::array same{0, 1, 2};
  static constexpr std::array allow{slide_x};
  Marker i, j;

  void fields(Fields& f) {
    f.required("i", i, "m", "a point of the guide; its x axis is the line");
    f.required("j", j, "m", "the slider; its x axis stays on the line");
  }
  void draw(Sketch& s) const { s.slider(0); }

  template <class F, class G, class E> void forbid(const F& i, const G& j, E& eq) const {
    const auto d = j.o() - i.o();
    eq.zero(misalignment(i, j));
    eq.zero(dot(i.y(), d));
    if constexpr (F::dim == 3) {
      const auto z = i.z();
      eq.zero(dot(z, j.x()));
      eq.zero(dot(z, j.y()));
      eq.zero(dot(z, d));
    }
  }
};
}  // namespace mubody
