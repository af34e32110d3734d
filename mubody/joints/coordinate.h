#pragma once
// Coordinate: x, y (or z) of a point of a body, or its angle, has a value or follows a function of time.
//
//   Flores & Lankarani (2012), sec. 4 (simple, driving and guiding constraints); eqs. 76, 78, 82, 83 with the
//   errata applied                                                  docs/theory/joints.md#coordinate
//
//   Φ = x_j − f(t)   or   y_j − f(t)   or   φ_j − f(t)
//
// The residual of an angle is brought to (−π, π]: a whole turn more is the same position.
#include "mubody/joints/joint.h"

namespace mubody {
struct Coordinate {
  static constexpr Info info{"coordinate", "x, y or angle of a body, or x or y of one of its points, is given"};
  static constexpr Use use = Use::both;
  static constexpr int forbids(int) { return 1; }
  static constexpr int allows(int D) { return D == 2 ? 2 : 5; }
  Marker i, j;
  Choice coordinate{{"x", "y", "angle"}};
  std::optional<Function> value;

  void fields(Fields& f) {
    f.required("j", j, "m", "the body, and the point on it (its origin)");
    f.required("coordinate", coordinate, "", "which coordinate");
    f.optional("value", value, is_angle() ? "rad" : "m", "its value, a function of time; as at the start");
  }
  void start(const Pose&, const Pose& j) {
    if (!value) value = Function(is_angle() ? j.angle : j.at[axis()]);
  }

  template <class F, class G, class E> void forbid(const F& i, const G& j, double t, E& eq) const {
    if (is_angle())
      eq.zero(wrapped(angle_between(i, j) - (*value)(t)));
    else
      eq.zero(component(i, j) - (*value)(t));
  }
  template <class F, class G, class R> void measure(const F& i, const G& j, R& report) const {
    if (is_angle())
      report("angle", "rad", angle_between(i, j));
    else
      report(axis() == 0 ? "x" : "y", "m", component(i, j));
  }

 private:
  bool is_angle() const { return coordinate.index == 2; }
  int axis() const { return coordinate.index; }
  // Along the ground's own axis, so that the ground feels the opposite of what the body feels.
  template <class F, class G> auto component(const F& i, const G& j) const {
    return dot(axis() == 0 ? i.x() : i.y(), j.o() - i.o());
  }
};
}  // namespace mubody
