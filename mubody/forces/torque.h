#pragma once
// A torque vector on a body, in directions fixed in space or in the body; in the plane see moment.
//
//   T: virtual work T·δθ                                                docs/theory/forces.md#torque
#include "mubody/forces/force.h"

namespace mubody {
struct Torque {
  static constexpr Info info{"torque",
                             "a torque vector on a body, or between two; constant, of time, or of the state"};
  static constexpr Attach attach = Attach::frame;
  static constexpr bool in(int D) { return D == 3; }
  Marker i, j;
  std::vector<Signal> torque;
  Choice axes{{"global", "body"}};

  void fields(Fields& f) {
    f.required("j", j, "m", "the body it acts on");
    f.optional("i", i, "m", "the body that feels the opposite torque", "the ground");
    f.required("torque", torque, "N m", "components");
    f.optional("axes", axes, "", "directions of the components: fixed in space, or in the marker on body j");
  }
  void draw(Sketch& s) const { s.moment({"mx", "my", "mz"}).own = true; }

  template <class F, class G, class N, class S>
  void apply(const F& i, const G& j, const N& now, S& sink) const {
    using R = typename F::Real;
    Vec<3, R> T(now(torque[0]), now(torque[1]), now(torque[2]));
    if (axes.index == 1) T = in_global(j, T);
    sink.push(j, Vec<3, R>::Zero(), T);
    sink.push(i, Vec<3, R>::Zero(), -T);
    sink.supplies([&] { return T.dot(spin(j) - spin(i)); });
    sink.reports("mx", "N m", T.x());
    sink.reports("my", "N m", T.y());
    sink.reports("mz", "N m", T.z());
  }
};
}  // namespace mubody
