#pragma once
// Coulomb's friction with Ambrósio's ramp: no force below one slip speed, the full force above another.
//
//   docs/theory/friction.md#modified_coulomb
//
//   F = μ r(v) F_N,   r = 0 for v ≤ v₀, (v − v₀)/(v₁ − v₀) between, 1 for v ≥ v₁        v, v₀, v₁ [m/s], F [N]
//
// Source: Ambrósio (2003), on Coulomb (1785).  For sliding bodies.  Bodies that should stick creep at a speed below v₁,
// and slide freely below v₀; v₁ well below the speeds of interest keeps that small and makes the equations stiff.
#include "mubody/contact/friction/friction.h"

namespace mubody {
struct ModifiedCoulomb {
  static constexpr Info info{"modified_coulomb", "Coulomb's friction with a ramp at low speed (Ambrosio)"};

  double mu = 0.1;     // μ
  double none = 0;     // v₀ [m/s]
  double full = 1e-3;  // v₁ [m/s]

  void fields(Fields& f) {
    f.required("mu", mu, "", "coefficient of friction");
    f.optional("none", none, "m/s", "slip speed up to which there is no friction");
    f.optional("full", full, "m/s", "slip speed from which on there is full friction");
  }
  void check() const {
    require(std::isfinite(mu) && mu >= 0, "mu", "must not be negative");
    require(none >= 0, "none", "must not be negative");
    require(std::isfinite(full) && full > none, "full", "must be greater than 'none'");
  }
  double coefficient(double speed) const {
    if (speed <= none) return 0;
    return speed < full ? mu * (speed - none) / (full - none) : mu;
  }
};
}  // namespace mubody
