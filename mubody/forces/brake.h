#pragma once
// A brake or a clutch at a turn or a slide: it rubs with a torque that may change, and holds when it is at rest.
//
//   docs/theory/tyres.md#brakes
//
//   ż = (ṡ − ψ k z)/(1 + ψ k τ),   ψ = (k z/T)² |ṡ|/T        z: how far the pads are dragged along
//   F = −(k z + k τ ż), |F| ≤ T                     T where it slips; a stiff spring where it holds
//
// It is the contact patch of a tyre (bases/tyre_contact.h) with the friction T: no instant needs to be located, nothing creeps.
// The square lets it slide little as long as it holds little, so that loads to and fro hardly move it.  Where T falls below
// what is held, z gives way within τ.  No rate is above 3/τ.
#include "mubody/forces/bases/on_coordinate.h"

namespace mubody {
struct Brake : OnCoordinate {
  static constexpr Info info{
      "brake", "rubs with a given torque or force at a turn or slide, and holds it at rest", "clutch"};
  static constexpr int states() { return 1; }
  Signal effort;
  double stiffness = 0, bend_time = 3e-3;

  void fields(Fields& f) {
    OnCoordinate::fields(f);
    f.required("effort", effort, unit_of_effort(),
               "the most that it rubs or holds with; none where it is negative");
    f.required("stiffness", stiffness, unit_of_stiffness(), "of what holds at rest");
    f.optional("bend_time", bend_time, "s", "its damping over its stiffness");
  }
  void check(int D) const {
    OnCoordinate::check(D);
    require(stiffness > 0, "stiffness", "must be positive");
    require(bend_time > 0, "bend_time", "must be positive");
  }

  template <class F, class G, class N, class S>
  void apply(const F& i, const G& j, const N& now, S& sink) const {
    using R = typename F::Real;
    const auto s = mubody::coordinate(coordinate(), i, j);
    const R most = larger_of(R(now(effort)), R(0)), z = *now.own.z, held = stiffness * abs(z);
    const R share = smaller_of(R(held / larger_of(most, R(1e-9))), R(1));
    const R ease = share * share * abs(s.v) / larger_of(most, R(1e-9));
    const double damping = stiffness * bend_time;
    const R rate = choose(most > R(0), (s.v - ease * stiffness * z) / (1 + ease * damping), R(0));
    const R gives_way = larger_of(R(0), R(1 - most / larger_of(held, R(1e-30)))) / bend_time;
    *now.own.rate = rate - gives_way * z;
    const R force = smaller_of(larger_of(R(stiffness * z + damping * rate), -most), most);
    sink.along(s, -force);
    sink.stores([&] { return 0.5 * stiffness * z * z; });
    sink.dissipates([&] { return force * s.v - stiffness * z * *now.own.rate; }, Loss::friction);
    sink.reports(effort_name(), unit_of_effort(), -force);
    sink.reports("power", "W", -force * s.v);
  }
};
}  // namespace mubody
