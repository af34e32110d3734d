#pragma once
// Knife edge: a blade or a wheel of body j may go along its own x axis but not across, along y.
//
//   docs/theory/nonholonomic.md#knife_edge
//
//   y_j · v = 0       v the velocity of o_j as seen from body i
//
// A condition on velocities that restricts no position: going back and forth, the blade can reach any place.
#include "mubody/joints/joint.h"

namespace mubody {
struct KnifeEdge {
  static constexpr Info info{"knife_edge", "a blade goes along its own direction, not across it",
                             "skate blade"};
  static constexpr Use use = Use::joint;
  static constexpr Attach attach = Attach::guide;
  static constexpr int forbids(int) { return 1; }
  static constexpr int rolls(int) { return 1; }
  static constexpr int allows(int D) { return D == 2 ? 2 : 5; }
  Marker i, j;

  void fields(Fields& f) {
    f.required("i", i, "m", "a frame on the body where the blade runs");
    f.required("j", j, "m", "the blade; x is along it, y across");
  }
  void draw(Sketch& s) const { s.nothing("a blade has no size"); }

  // Components in the axes of i, so that motion shared with i does not count.
  template <class F, class G, class E> void forbid(const F& i, const G& j, E& eq) const {
    const auto d = j.o() - i.o();
    const auto across = j.y();
    auto speed = flow(dot(i.x(), across), dot(i.x(), d)) + flow(dot(i.y(), across), dot(i.y(), d));
    if constexpr (F::dim == 3) speed = speed + flow(dot(i.z(), across), dot(i.z(), d));
    eq.zero(speed);
  }
  template <class F, class G, class R> void measure(const F& i, const G& j, R& report) const {
    report("x", "m", coordinate(slide_x, i, j));
    report("y", "m", coordinate(slide_y, i, j));
    report("angle", "rad", angle_between(i, j));
  }
};
}  // namespace mubody
