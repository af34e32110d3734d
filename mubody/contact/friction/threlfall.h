#pragma once
// Threlfall's smooth approach to Coulomb's friction.
//
//   docs/theory/friction.md#threlfall
//
//   F = μ F_N (1 − exp(−3 min(v, v_r)/v_r))        v, v_r [m/s], F [N]
//
// Source: Threlfall (1978).  Beyond v_r the force stays at its value there, 1 − e⁻³ = 0.9502 of μ F_N; printed as 0.95,
// which would be a jump.  For sliding bodies; those that should stick creep at a speed below v_r.
#include <algorithm>

#include "mubody/contact/friction/friction.h"

namespace mubody {
struct Threlfall {
  static constexpr Info info{"threlfall", "Coulomb's friction, approached exponentially"};

  double mu = 0.1;     // μ
  double full = 1e-3;  // v_r [m/s]

  void fields(Fields& f) {
    f.required("mu", mu, "", "coefficient of friction, of which 95 % are reached");
    f.optional("full", full, "m/s", "slip speed from which on the friction is constant");
  }
  void check() const {
    require(std::isfinite(mu) && mu >= 0, "mu", "must not be negative");
    require(std::isfinite(full) && full > 0, "full", "must be positive");
  }
  double coefficient(double speed) const { return -mu * std::expm1(-3 * std::min(speed, full) / full); }
};
}  // namespace mubody
