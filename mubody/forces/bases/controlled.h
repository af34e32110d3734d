#pragma once
// Shared by motors that control a turn or a slide of a joint, with a limit of their force.
//
//   docs/theory/joint-parts.md#motors
#include "mubody/forces/bases/on_coordinate.h"
#include "mubody/forces/bases/saturation.h"

namespace mubody {
struct Controlled : OnCoordinate {
  static constexpr bool saturates = true;
  Saturation saturation;

  void limit_field(Fields& f) {
    f.optional("limit", saturation.limit, unit_of_effort(), "the largest torque or force that it has", "none");
  }
  int corners() const { return saturation.corners(); }
  void watch(std::shared_ptr<Switches> switches) { saturation.switches = std::move(switches); }

 protected:
  /// Acts with a force that is wanted, as far as there is one.
  template <class Scalar, class R, class S> void drive(const Scalar& s, const R& wanted, S& sink) const {
    const R F = saturation(wanted);
    sink.along(s, F);
    sink.supplies([&] { return F * s.v; });
    sink.reports(effort_name(), unit_of_effort(), F);
    sink.reports("power", "W", F * s.v);
  }
  /// The same in terms of scalars; `wanted(x, v, t)` of any scalar.
  template <class Wanted> std::optional<ScalarForm> scalar_form(Wanted wanted) const {
    const auto s = scalar();
    if (!s) return {};
    ScalarForm f{{*s}, 1};
    f.acts_by([wanted = std::move(wanted), bound = Saturation{saturation.limit}]<class R>(
                  const R* x, const R* v, const R& t, R* F) { F[0] = bound(wanted(x[0], v[0], t)); });
    return f;
  }
};
}  // namespace mubody
