#pragma once
// A force at a point of a body that a function of the user's program computes.
//
//   F at the point P: virtual work F·δP                                 docs/theory/forces.md#force
#include "mubody/forces/force.h"

namespace mubody {
struct CallbackForce {
  static constexpr Info info{"callback", "a force at a point of a body, from a function of the program"};
  Marker i, j;
  std::function<Vec<3>(double t, const State&)> force;

  void fields(Fields& f) { f.required("j", j, "m", "the body, and the point on it"); }

  template <class F, class G, class N, class S> void apply(const F&, const G& j, const N& now, S& sink) const {
    constexpr int D = F::dim;
    const Vec<D> F_ = force(now.t, Signal::Seen<N>(now)).template head<D>();
    const auto o = j.o();
    sink.push(j, F_, Vec<spins<D>>::Zero());
    sink.supplies([&] { return F_.dot(o.v); });
    sink.reports("fx", "N", F_[0]);
    sink.reports("fy", "N", F_[1]);
    if constexpr (D == 3) sink.reports("fz", "N", F_[2]);
  }
};
}  // namespace mubody
