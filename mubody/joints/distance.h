#pragma once
// Distance: two points keep a distance; a massless link with pins (plane) or balls (space) at its ends.
// With a function of time for its length it is a driver: a hydraulic cylinder that follows a command.
//
//   docs/theory/joints.md#distance
//
//   Φ = |o_j − o_i| − L(t)
//
// A length, not the square ½(d·d − L²): the residual of the square is an area, and one tolerance could not
// serve it and the coincidence equations beside it.  In fully Cartesian coordinates, where the square is the point,
// it is divided by L.
#include "mubody/joints/joint.h"

namespace mubody {
struct Distance {
  static constexpr Info info{"distance", "two points keep a distance: a massless link, or a commanded length",
                             "rod link massless_link"};
  static constexpr Use use = Use::both;
  static constexpr int forbids(int) { return 1; }
  static constexpr int allows(int D) { return D == 2 ? 2 : 5; }
  Marker i, j;
  std::optional<Function> length;

  void fields(Fields& f) {
    f.required("i", i, "m", "a point of the first body");
    f.required("j", j, "m", "a point of the second body");
    f.optional("length", length, "m", "distance of the two points, a function of time", "as at the start");
  }
  void draw(Sketch& s) const {
    const bool driven = s.driver || (length && length->varies());
    s.strut(driven ? Sketch::Tie::cylinder : Sketch::Tie::rod);
  }
  void start(const Pose& i, const Pose& j) {
    const double now = (j.at - i.at).norm();
    require(
        now > 1e-12 * (1 + i.at.norm()), "length",
        "the two points coincide at the start: a link of zero length has no direction; place the bodies apart, "
        "or use a revolute joint");
    if (!length) length = Function(now);
    require((*length)(0).x > 0, "length", "must be positive: a link of zero length has no direction");
  }

  template <class F, class G, class T, class E> void forbid(const F& i, const G& j, const T& t, E& eq) const {
    eq.zero(length_gap<F>(j.o() - i.o(), (*length)(t)));
  }
  template <class F, class G, class R> void measure(const F& i, const G& j, R& report) const {
    report("length", "m", mubody::length(j.o() - i.o()));
  }
};
}  // namespace mubody
