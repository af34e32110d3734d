#pragma once
// A moment on a body about an axis.
//
//   M about z of j: virtual work M δθ                                       docs/theory/forces.md#moment
#include "mubody/forces/force.h"
#include "mubody/forces/signal_scalars.h"

namespace mubody {
struct Moment {
  static constexpr Info info{"moment",
                             "a moment on a body, or between two bodies; constant, of time, or of the state"};
  static constexpr Attach attach = Attach::angle;
  Marker i, j;
  Signal moment;

  void fields(Fields& f) {
    f.required("j", j, "m", "the body it acts on; z is the axis, fixed in it");
    f.optional("i", i, "m", "the body that feels the opposite moment", "the ground");
    f.required("moment", moment, "N m", "counter-clockwise about z");
  }
  void draw(Sketch& s) const {
    Sketch::Arrow& a = s.moment({"", "", "moment"});
    a.axes = Sketch::End::j, a.both = true;
  }

  std::optional<ScalarForm> scalars(int D) const {
    if (D == 3) return {};  // a turn about an axis of body j is the rate of no angle
    ScalarForm f{{{Measure::angle, i, j, 0}}, 1};
    SignalScalars signals;
    if (!signals.add(moment, D, f.sees)) return {};
    f.acts_by(
        [signals]<class R>(const R* x, const R* v, const R& t, R* F) { F[0] = signals.value(0, x, v, t); });
    return f;
  }

  template <class F, class G, class N, class S>
  void apply(const F& i, const G& j, const N& now, S& sink) const {
    using R = typename F::Real;
    const R M = now(moment);
    if constexpr (has_angle<F>) {
      const auto angle = angle_between(i, j);
      sink.along(angle, M);
      sink.supplies([&] { return M * angle.v; });
    } else {
      const Vec<3, R> vector = M * j.z().x;
      sink.push(j, Vec<3, R>::Zero(), vector);
      sink.push(i, Vec<3, R>::Zero(), -vector);
      sink.supplies([&] { return vector.dot(spin(j) - spin(i)); });
    }
    sink.reports("moment", "N m", M);
  }
};
}  // namespace mubody
