#pragma once
// Slot: a pin of body j runs in a straight slot of body i and is free to turn (translational-revolute).
//
//   Nikravesh (1988), sec. 4.2                                            docs/theory/joints.md#slot
//
//   Φ1 = y_i · (o_j − o_i)       the pin stays on the line through o_i along x_i
//   Φ2 = z_i · (o_j − o_i)       (space only: a point on a line)
#include "mubody/joints/joint.h"

namespace mubody {
struct Slot {
  static constexpr Info info{"slot",
                             "a pin of one body runs in a straight slot of another and may turn: point on line",
                             "pin_in_slot pin_slot point_on_line"};
  static constexpr Use use = Use::joint;
  static constexpr Attach attach = Attach::line;
  static constexpr int forbids(int D) { return D - 1; }
  static constexpr int allows(int D) { return D == 2 ? 2 : 4; }
  static std::vector<Elementary> moves(int D) {
    if (D == 2) return {slide_x, turn_z};
    return {slide_x, turn_z, turn_y, turn_x};
  }
  Marker i, j;

  void fields(Fields& f) {
    f.required("i", i, "m", "a point of the slot; its x axis is the slot's line");
    f.required("j", j, "m", "the pin");
  }
  void draw(Sketch& s) const { s.slot(0); }

  template <class F, class G, class E> void forbid(const F& i, const G& j, E& eq) const {
    const auto d = j.o() - i.o();
    eq.zero(dot(i.y(), d));
    if constexpr (F::dim == 3) eq.zero(dot(i.z(), d));
  }
  template <class F, class G, class R> void measure(const F& i, const G& j, R& report) const {
    report("slide", "m", dot(i.x(), j.o() - i.o()));
    if constexpr (F::dim == 2)
      report("angle", "rad", angle_between(i, j));
    else
      for (const Elementary m : {turn_z, turn_y, turn_x}) report(name_of(m), "rad", coordinate(m, i, j));
  }
};
}  // namespace mubody
