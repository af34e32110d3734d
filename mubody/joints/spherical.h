#pragma once
// Spherical joint: markers i and j share their origin; a ball in its socket.
//
//   Nikravesh (1988), sec. 7.1                                      docs/theory/joints.md#spherical
//
//   Φ1..3 = o_i − o_j
#include "mubody/joints/joint.h"

namespace mubody {
struct Spherical {
  static constexpr Info info{"spherical", "two bodies share a point and turn about it as they like",
                             "ball ball_joint ball_and_socket socket"};
  static constexpr Use use = Use::joint;
  static constexpr int forbids(int D) { return D == 2 ? 0 : 3; }
  static constexpr std::array allow{turn_z, turn_y, turn_x};
  Marker i, j;

  void fields(Fields& f) {
    f.required("i", i, "m", "the centre of the ball on the first body");
    f.required("j", j, "m", "the centre of the ball on the second body");
  }
  void draw(Sketch& s) const { s.ball(); }

  template <class F, class G, class E> void forbid(const F& i, const G& j, E& eq) const {
    eq.zero(i.o() - j.o());
  }
};
}  // namespace mubody
