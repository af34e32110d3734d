#pragma once
// Bengisu and Akay's friction: up to the static coefficient along a parabola, from there down to the kinetic one.
//
//   docs/theory/friction.md#bengisu_akay
//
//   F = μ_s F_N (1 − (v/v₀ − 1)²)                          v < v₀
//   F = F_N (μ_k + (μ_s − μ_k) exp(−ξ (v − v₀)))           v ≥ v₀        v, v₀ [m/s], ξ [s/m], F [N]
//
// Source: Bengisu & Akay (1994).  For sliding with a drop of friction at low speed (Stribeck's effect), such as
// chatter; bodies that should stick creep at a speed below v₀.
#include "mubody/contact/friction/friction.h"

namespace mubody {
struct BengisuAkay {
  static constexpr Info info{"bengisu_akay", "friction with a static peak and a drop to the kinetic value"};

  double mu = 0.1;          // μ_k
  double mu_static = 0.15;  // μ_s
  double peak = 1e-3;       // v₀ [m/s]
  double drop = 1e3;        // ξ [s/m]

  void fields(Fields& f) {
    f.required("mu", mu, "", "coefficient of friction at high slip speed");
    f.required("mu_static", mu_static, "", "largest coefficient of friction");
    f.optional("peak", peak, "m/s", "slip speed of the largest friction");
    f.optional("drop", drop, "s/m", "how fast friction falls beyond it: by a factor e within 1/drop");
  }
  void check() const {
    require(std::isfinite(mu) && mu >= 0, "mu", "must not be negative");
    require(std::isfinite(mu_static) && mu_static >= mu, "mu_static", "must not be less than 'mu'");
    require(std::isfinite(peak) && peak > 0, "peak", "must be positive");
    require(std::isfinite(drop) && drop > 0, "drop", "must be positive");
  }
  double coefficient(double speed) const {
    if (speed >= peak) return mu + (mu_static - mu) * std::exp(-drop * (speed - peak));
    const double x = speed / peak;
    return mu_static * x * (2 - x);
  }
};
}  // namespace mubody
