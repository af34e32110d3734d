#pragma once
// Coulomb's friction that sticks: the surfaces hold each other by a spring that yields at the coefficient of friction.
//
//   docs/theory/friction.md#coulomb
//
//   ż = v − α (e·v)₊ e,   e = z/|z|,   α = s², beyond s = 1 its tangent,   s = (|z| σ₀/g − 0.9)₊/0.1
//   g = μ + (μ_s − μ) exp(−(v/v_s)²)
//   F = F_N (σ₀ z + σ₁' ż),   σ₁' = min(σ₁, g/|v|)               z [m], v [m/s], σ₀ [1/m], σ₁ [s/m], F [N]
//
// Source: Coulomb (1785); elastic up to nearly the limit and plastic at it, Dupont, Hayward, Armstrong & Altpeter (2002).
// Up to 90 % of the limit the surfaces are elastic: whatever shakes them, nothing creeps.  In steady sliding α = 1 and ż = 0,
// so that F is μ F_N.
#include "mubody/contact/friction/friction.h"

namespace mubody {
struct Coulomb {
  static constexpr Info info{"coulomb", "Coulomb's friction that really sticks; one state per direction",
                             "dry stick_slip"};
  static constexpr int states = 1;

  double mu = 0.1;                    // μ
  std::optional<double> mu_static{};  // μ_s
  double stribeck = 1e-3;             // v_s [m/s]
  double stiffness = 1e5;             // σ₀ [1/m]
  double damping = 316;               // σ₁ [s/m], about √σ₀

  void fields(Fields& f) {
    f.required("mu", mu, "", "coefficient of friction when sliding");
    f.optional("mu_static", mu_static, "", "coefficient of friction that must be overcome", "as mu");
    f.optional("stribeck", stribeck, "m/s", "slip speed over which the one becomes the other");
    f.optional("stiffness", stiffness, "1/m", "of the surfaces at rest, per newton of normal force");
    f.optional("damping", damping, "s/m", "of the surfaces at rest, per newton of normal force");
  }
  void check() const {
    require(std::isfinite(mu) && mu > 0, "mu", "must be positive");
    require(!mu_static || (std::isfinite(*mu_static) && *mu_static >= mu), "mu_static",
            "must not be less than 'mu'");
    require(std::isfinite(stribeck) && stribeck > 0, "stribeck", "must be positive");
    require(std::isfinite(stiffness) && stiffness > 0, "stiffness", "must be positive");
    require(std::isfinite(damping) && damping >= 0, "damping", "must not be negative");
  }

  /// The coefficient at which the surfaces yield at a slip speed.
  double limit(double speed) const {
    if (!mu_static) return mu;
    const double x = speed / stribeck;
    return mu + (*mu_static - mu) * std::exp(-x * x);
  }
  double rate(Slip v, const Bristle& z) const {
    constexpr double elastic = 0.9;  // share of the limit
    const double beyond = (z.length * stiffness / limit(v.speed) - elastic) / (1 - elastic),
                 bending = z.bending(v);
    if (!(beyond > 0) || !(bending > 0)) return v.along;
    const double yields = beyond < 1 ? beyond * beyond : 2 * beyond - 1;
    return v.along - yields * bending * (z.along / z.length);
  }
  double force(Slip v, const Bristle& z) const {
    const double most = limit(v.speed), passive = damping * v.speed > most ? most / v.speed : damping;
    return stiffness * z.along + passive * rate(v, z);
  }
  double spring(double z) const { return stiffness * z; }
  double stored(double z) const { return stiffness * z * z / 2; }
};
}  // namespace mubody
