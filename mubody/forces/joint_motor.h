#pragma once
// A motor at a joint whose torque, or force, is given: `motor = {torque = ...}` of a joint.
//
//   docs/theory/joint-parts.md#motors
//
//   F = f(t, state), or an input from outside; its power F ṡ is supplied
#include "mubody/forces/bases/on_coordinate.h"
#include "mubody/forces/signal_scalars.h"

namespace mubody {
struct JointMotor : OnCoordinate {
  static constexpr Info info{"joint_motor", "a given torque about the axis of a turn, or force along a slide"};
  Signal effort;  // torque or force

  void fields(Fields& f) {
    OnCoordinate::fields(f);
    f.required(of_joint ? (turns() ? "torque" : "force") : "effort", effort, unit_of_effort(),
               "torque or force on the second body");
  }

  std::optional<ScalarForm> scalars(int D) const {
    const auto s = scalar();
    if (!s) return {};
    ScalarForm f{{*s}, 1};
    SignalScalars signals;
    if (!signals.add(effort, D, f.sees)) return {};
    f.acts_by(
        [signals]<class R>(const R* x, const R* v, const R& t, R* F) { F[0] = signals.value(0, x, v, t); });
    return f;
  }
  template <class F, class G, class N, class S>
  void apply(const F& i, const G& j, const N& now, S& sink) const {
    const auto s = mubody::coordinate(coordinate(), i, j);
    const auto F_ = now(effort);
    sink.along(s, F_);
    sink.supplies([&] { return F_ * s.v; });
    sink.reports(effort_name(), unit_of_effort(), F_);
    sink.reports("power", "W", F_ * s.v);
  }
};
}  // namespace mubody
