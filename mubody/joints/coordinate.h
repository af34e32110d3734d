#pragma once
// Coordinate: x, y or z of a point of a body has a value or follows a function of time; in the plane also the angle
// of a body (in space see orientation).
//
//   Flores & Lankarani (2012), sec. 4 (simple, driving and guiding constraints); eqs. 76, 78, 82, 83 with the
//   errata applied                                                  docs/theory/joints.md#coordinate
//
//   Φ = x_j − f(t)   or   y_j − f(t)   or   z_j − f(t)   or   φ_j − f(t)
//
// The residual of an angle is brought to (−π, π]: a whole turn more is the same position.
#include "mubody/joints/joint.h"

namespace mubody {
struct Coordinate {
  static constexpr Info info{"coordinate",
                             "x, y, z or angle of a body, or x, y or z of one of its points, is given"};
  static constexpr Use use = Use::both;
  static constexpr int forbids(int) { return 1; }
  static constexpr int allows(int D) { return D == 2 ? 2 : 5; }
  Marker i, j;
  Choice coordinate{{"x", "y", "z", "angle"}};
  std::optional<Function> value;

  void fields(Fields& f) {
    f.required("j", j, "m", "the body, and the point on it (its origin)");
    f.required("coordinate", coordinate, "", "which coordinate; z in space, the angle in the plane");
    f.optional("value", value, is_angle() ? "rad" : "m", "its value, a function of time", "as at the start");
  }
  void draw(Sketch& s) const {
    if (s.driver) return s.nothing("a coordinate that is given has no other end");
    s.point(Sketch::End::j);
  }
  void check(int D) const {
    require(D == 3 || coordinate.index != 2, "coordinate", "in the plane there is no z");
    require(
        D == 2 || !is_angle(), "coordinate",
        "in space an angle is one between two bodies: use type \"angle\", or \"orientation\" for all three");
  }
  void start(const Pose&, const Pose& j) {
    if (!value) value = Function(is_angle() ? j.angle : j.at[coordinate.index]);
  }

  template <class F, class G, class T, class E> void forbid(const F& i, const G& j, const T& t, E& eq) const {
    if (is_angle())
      eq.zero(angle_gap(turn_z, i, j, (*value)(t)));
    else
      eq.zero(mubody::coordinate(motion(), i, j) - (*value)(t));
  }
  template <class F, class G, class R> void measure(const F& i, const G& j, R& report) const {
    report(coordinate.word(), is_angle() ? "rad" : "m", mubody::coordinate(motion(), i, j));
  }

 private:
  bool is_angle() const { return coordinate.index == 3; }
  // Measured along the ground's own axis, so that the force on the ground is opposite to that on the body.
  Elementary motion() const {
    constexpr Elementary all[] = {slide_x, slide_y, slide_z, turn_z};
    return all[coordinate.index];
  }
};
}  // namespace mubody
