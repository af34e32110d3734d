#pragma once
// Angle: the angle of body j as seen from body i follows a function of time: a motor.  In space it is one of the
// three angles of kinematics/relative.h; about z, that of a pin.
//
//   Flores & Lankarani (2012), sec. 4 (driving constraints); eqs. 82-83 with the errata applied
//                                                                        docs/theory/joints.md#angle
//
//   Φ = θ_ij − f(t), brought to (−π, π]
//
// The residual of an assembled mechanism is near zero, so that whole turns drop out and nothing needs to be
// remembered.
#include "mubody/joints/joint.h"

namespace mubody {
struct Angle {
  static constexpr Info info{"angle", "the angle between two bodies follows a function of time",
                             "motor rotation servo"};
  static constexpr Use use = Use::both;
  static constexpr Attach attach = Attach::angle;
  static constexpr int forbids(int) { return 1; }
  static constexpr int allows(int D) { return D == 2 ? 2 : 5; }
  Marker i, j;
  std::optional<Function> value;
  Choice about{{"z", "y", "x"}};

  void fields(Fields& f) {
    f.required("i", i, "m", "a frame on the first body; angles are counted about its z axis");
    f.required("j", j, "m", "a frame on the second body");
    f.optional("value", value, "rad", "angle from x of i to x of j, a function of time", "as at the start");
    f.optional("about", about, "", "in space: which angle of the chain z, y, x that leads from i to j");
  }
  void draw(Sketch& s) const { s.nothing("an angle has no place of its own"); }
  bool follow(std::span<const Elementary> motions) {
    for (const Elementary m : motions)
      if (is_turn(m)) return about.index = int(turn_z) - int(m), true;
    return false;
  }
  void check(int D) const {
    require(D == 3 || about.index == 0, "about", "in the plane all turns are about z");
  }
  void start(const Pose& i, const Pose& j) {
    if (!value) value = Function(cardan_angle(i, j, about.index));
  }

  template <class F, class G, class T, class E> void forbid(const F& i, const G& j, const T& t, E& eq) const {
    eq.zero(angle_gap(motion(), i, j, (*value)(t)));
  }
  // Among the angles that differ by whole turns, it reports the one that the function asks for.
  template <class F, class G, class T, class R>
  void measure(const F& i, const G& j, const T& t, R& report) const {
    report(about.index == 0 ? "angle" : name_of(motion()), "rad",
           nearest(coordinate(motion(), i, j), (*value)(t).x));
  }

 private:
  Elementary motion() const {
    constexpr Elementary all[] = {turn_z, turn_y, turn_x};
    return all[about.index];
  }
};
}  // namespace mubody
