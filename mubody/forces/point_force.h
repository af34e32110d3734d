#pragma once
// A force at a point of a body, in directions fixed in space or in the body.
//
//   F at the point P: virtual work F·δP                                 docs/theory/forces.md#force
#include "mubody/forces/force.h"
#include "mubody/forces/signal_scalars.h"

namespace mubody {
struct PointForce {
  static constexpr Info info{"force", "a force at a point of a body; constant, of time, or of the state"};
  Marker i, j;
  std::vector<Signal> force;
  Choice axes{{"global", "body"}};

  void fields(Fields& f) {
    f.required("j", j, "m", "the body, and the point on it (its origin)");
    f.required("force", force, "N", "components");
    f.optional("axes", axes, "", "directions of the components: fixed in space, or in the marker on the body");
  }
  void draw(Sketch& s) const {
    s.point(Sketch::End::j);
    s.force({"fx", "fy", "fz"});
  }

  std::optional<ScalarForm> scalars(int D) const {
    if (axes.index == 1) return {};
    ScalarForm f;
    SignalScalars signals;
    for (int k = 0; k < D; ++k) {
      const Signal& s = force[std::size_t(k)];
      const bool none = !s.depends_on_state() && !s.depends_on_time() && s.function_of_time()(0).x == 0;
      if (!none) f.sees.push_back({Measure::coordinate, {}, j, k});
    }
    f.acts = int(f.sees.size());
    for (const Measure& m : std::vector<Measure>(f.sees))
      if (!signals.add(force[std::size_t(m.axis)], D, f.sees)) return {};
    f.acts_by([signals, acts = f.acts]<class R>(const R* x, const R* v, const R& t, R* F) {
      for (int k = 0; k < acts; ++k) F[k] = signals.value(std::size_t(k), x, v, t);
    });
    return f;
  }

  template <class F, class G, class N, class S> void apply(const F&, const G& j, const N& now, S& sink) const {
    constexpr int D = F::dim;
    using R = typename F::Real;
    Vec<D, R> F_;
    for (int k = 0; k < D; ++k) F_[k] = now(force[k]);
    const auto o = j.o();
    if (axes.index == 1) F_ = in_global(j, F_);
    sink.push(j, F_, Vec<spins<D>, R>::Zero());
    sink.supplies([&] { return F_.dot(o.v); });
    sink.reports("fx", "N", F_[0]);
    sink.reports("fy", "N", F_[1]);
    if constexpr (D == 3) sink.reports("fz", "N", F_[2]);
  }
};
}  // namespace mubody
