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
    ScalarForm f{{s}, 1, {}, {}};
    f.force = [own = *this, free](const double* x, const double* v, double t, double* F) {
      const double deflection = x[0] - free;
      const double elastic = own.law ? own.law->force({deflection, v[0], x[0], t}) : own.stiffness * deflection;
      F[0] = -(elastic + own.damping * v[0] + own.actuator(t).x);
    };
    if (damping != 0)
      f.lost = [c = damping](const double*, const double* v, double) { return c * v[0] * v[0]; };
    f.code = [own = *this, free](const ScalarForm::Names& n) -> std::vector<std::string> {
      const std::string deflection = "(" + n.x[0] + " - " + number_in_c(free) + ")";
      const std::string elastic = own.law ? own.law->kind().code({deflection, n.v[0], n.x[0], n.t})
                                          : number_in_c(own.stiffness) + " * " + deflection;
      const std::string pull = own.actuator.kind().code(n.t);
      if (elastic.empty() || pull.empty()) return {};
      return {"-(" + elastic + " + " + number_in_c(own.damping) + " * " + n.v[0] + " + " + pull + ")"};
    };
    return f;
  }

  /// Acts on s with −F; returns F.
  template <class Scalar, class N, class S>
  auto act(const Scalar& s, double free, const N& now, S& sink) const {
    using R = std::remove_cvref_t<decltype(s.x)>;
    const R deflection = s.x - free;
    const R elastic = law ? law->force(DeflectionOf<R>{deflection, s.v, s.x, now.t}) : stiffness * deflection;
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
