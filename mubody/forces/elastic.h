#pragma once
// Shared by straight and torsional springs: an elastic part or a law, a damper and an actuator along one scalar
// s, a length or an angle.
//
//   F = k (s − s0) + c ṡ + f(t)       a law takes the place of k (s − s0)
#include "mubody/forces/force.h"
#include "mubody/forces/laws/law.h"

namespace mubody {
struct Elastic {
  double stiffness = 0, damping = 0;
  std::optional<Law> law;
  Function actuator;

  void check() const {
    require(!law || stiffness == 0, "law", "takes the place of 'stiffness': give one of the two");
  }

  /// The same in terms of the scalar alone.
  ScalarForm scalar_form(const Measure& s, double free) const {
    ScalarForm f{{s}, 1};
    f.acts_by([own = *this, free]<class R>(const R* x, const R* v, const R& t, R* F) {
      const R deflection = x[0] - free;
      const R elastic = own.elastic_part(DeflectionOf<R>{deflection, v[0], x[0], t});
      F[0] = -(elastic + own.damping * v[0] + own.actuator(t).x);
    });
    if (damping != 0)
      f.lost = [c = damping](const double*, const double* v, double) { return c * v[0] * v[0]; };
    return f;
  }

  /// The force of the elastic part or the law.
  template <class R> R elastic_part(const DeflectionOf<R>& d) const {
    return law ? law->force(d) : stiffness * d.deflection;
  }

  /// Acts on s with −F; returns F.
  template <class Scalar, class N, class S>
  auto act(const Scalar& s, double free, const N& now, S& sink) const {
    using R = std::remove_cvref_t<decltype(s.x)>;
    const R deflection = s.x - free;
    const R elastic = elastic_part(DeflectionOf<R>{deflection, s.v, s.x, now.t});
    const R pull = actuator(now.t).x;
    const R force = elastic + damping * s.v + pull;
    sink.along(s, -force);

    if (!law)
      sink.stores([&] { return 0.5 * stiffness * deflection * deflection; });
    else if (law->stores_energy())
      sink.stores([&] { return law->potential(deflection); });
    else
      sink.supplies([&] { return -elastic * s.v; });
    sink.dissipates([&] { return damping * s.v * s.v; });
    sink.supplies([&] { return -pull * s.v; });
    return force;
  }
};
}  // namespace mubody
