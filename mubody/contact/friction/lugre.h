#pragma once
// The LuGre model: two surfaces touch by bristles whose mean deflection z is a state.  It sticks, like a spring.
//
//   docs/theory/friction.md#lugre
//
//   ż = v − σ₀ |v| z/g(v),   g = μ_k + (μ_s − μ_k) exp(−|v/v_s|^γ)
//   F = F_N (σ₀ z + σ₁' ż + σ₂ v),   σ₁' = min(σ₁, 4 g/|v|)        z [m], v [m/s], σ₀ [1/m], σ₁ and σ₂ [s/m], F [N]
//
// Source: Canudas de Wit, Olsson, Åström & Lischinsky (1995); with the normal force as a factor, so that coefficients
// belong to the pair of surfaces and not to the load, Canudas de Wit & Tsiotras (1999).
//
// With a constant σ₁ the model releases energy that it never took up when |v| > 4 g/σ₁: there the damping of the
// bristles is limited so that it is passive at every z.  Steady sliding does not change (ż = 0), nor does anything
// slower.  |z| never grows beyond μ_s/σ₀.  The stored energy F_N σ₀ z²/2 is that of a steady normal force.
#include "mubody/contact/friction/friction.h"

namespace mubody {
struct Lugre {
  static constexpr Info info{"lugre", "bristles that bend, stick and slip; one state per direction"};
  static constexpr int states = 1;

  double mu = 0.1;          // μ_k
  double mu_static = 0.15;  // μ_s
  double stribeck = 1e-3;   // v_s [m/s]
  double shape = 2;         // γ
  double stiffness = 1e5;   // σ₀ [1/m]
  double damping = 316;     // σ₁ [s/m], about √σ₀
  double viscous = 0;       // σ₂ [s/m]

  void fields(Fields& f) {
    f.required("mu", mu, "", "coefficient of friction at high slip speed");
    f.required("mu_static", mu_static, "", "coefficient of friction that must be overcome");
    f.optional("stribeck", stribeck, "m/s", "slip speed at which friction has mostly dropped");
    f.optional("shape", shape, "", "exponent of the drop");
    f.optional("stiffness", stiffness, "1/m", "of the bristles, per newton of normal force");
    f.optional("damping", damping, "s/m", "of the bristles, per newton of normal force");
    f.optional("viscous", viscous, "s/m",
               "friction that grows with the slip speed, per newton of normal force");
  }
  void check() const {
    require(std::isfinite(mu) && mu > 0, "mu", "must be positive");
    require(std::isfinite(mu_static) && mu_static >= mu, "mu_static", "must not be less than 'mu'");
    require(std::isfinite(stribeck) && stribeck > 0, "stribeck", "must be positive");
    require(std::isfinite(shape) && shape > 0, "shape", "must be positive");
    require(std::isfinite(stiffness) && stiffness > 0, "stiffness", "must be positive");
    require(std::isfinite(damping) && damping >= 0, "damping", "must not be negative");
    require(std::isfinite(viscous) && viscous >= 0, "viscous", "must not be negative");
  }

  /// Coefficient of steady sliding, without the viscous part.
  double steady(double speed) const {
    return mu + (mu_static - mu) * std::exp(-std::pow(speed / stribeck, shape));
  }
  double rate(Slip v, Bristle z) const { return v.along - stiffness * v.speed * z.along / steady(v.speed); }
  double force(Slip v, Bristle z) const {
    const double limit = 4 * steady(v.speed);
    const double passive = damping * v.speed > limit ? limit / v.speed : damping;
    return stiffness * z.along + passive * rate(v, z) + viscous * v.along;
  }
  double spring(double z) const { return stiffness * z; }
  double stored(double z) const { return stiffness * z * z / 2; }
};
}  // namespace mubody
