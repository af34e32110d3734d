#pragma once
// Slide: the way of marker j along the x axis (or another axis) of marker i follows a function of time.
//
//   Flores & Lankarani (2012), sec. 4 (driving constraints)              docs/theory/joints.md#slide
//
//   Φ = x_i · (o_j − o_i) − f(t)       or y_i, z_i: a cylindrical joint slides along z
#include "mubody/joints/joint.h"

namespace mubody {
struct Slide {
  static constexpr Info info{"slide", "travel of one body along a line of another follows a function of time",
                             "linear_motor displacement"};
  static constexpr Use use = Use::both;
  static constexpr Attach attach = Attach::line;
  static constexpr int forbids(int) { return 1; }
  static constexpr int allows(int D) { return D == 2 ? 2 : 5; }
  Marker i, j;
  std::optional<Function> value;
  Choice along{{"x", "y", "z"}};

  void fields(Fields& f) {
    f.required("i", i, "m", "origin of the travel; its x axis is the line");
    f.required("j", j, "m", "the point that travels");
    f.optional("value", value, "m", "the travel, a function of time", "as at the start");
    f.optional("along", along, "", "which axis of i");
  }
  void draw(Sketch& s) const {
    if (s.driver) return s.nothing("the joint that slides shows its guide");
    s.slot(along.index);
  }
  bool follow(std::span<const Elementary> motions) {
    for (const Elementary m : motions)
      if (!is_turn(m)) return along.index = int(m) - int(slide_x), true;
    return false;
  }
  void check(int D) const { require(D == 3 || along.index < 2, "along", "z points out of the plane"); }
  void start(const Pose& i, const Pose& j) {
    if (!value) value = Function((i.turn.conjugate() * (j.at - i.at))[along.index]);
  }

  template <class F, class G, class T, class E> void forbid(const F& i, const G& j, const T& t, E& eq) const {
    eq.zero(coordinate(motion(), i, j) - (*value)(t));
  }
  template <class F, class G, class R> void measure(const F& i, const G& j, R& report) const {
    report("slide", "m", coordinate(motion(), i, j));
  }

 private:
  Elementary motion() const {
    constexpr Elementary all[] = {slide_x, slide_y, slide_z};
    return all[along.index];
  }
};
}  // namespace mubody
