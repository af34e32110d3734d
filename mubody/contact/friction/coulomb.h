#pragma once
// Coulomb's friction that sticks: the surfaces hold each other by a spring that yields at the coefficient of friction.
//
//   docs/theory/friction.md#coulomb
//
//   sticks   F = F_N (σ₀ z + σ₁' v),  σ₁' = min(σ₁, μ_s/|v|),  ż = v          until |F| > μ_s F_N
//   slips    F = F_N μ(v) d,  ż = k (μ(v)/σ₀ d − z),  k = min(|v|/1 mm, 1000/s)  until v·e < −v₀,  e = z/|z|
//
//   μ(v) = μ + (μ_s − μ) exp(−(v/v_s)²);   d along v − (v·e) e + (max(v·e, 0) + v₀) e,  in the plane e
//                                                          z [m], v [m/s], σ₀ [1/m], σ₁ [s/m], v₀ = 1 µm/s, F [N]
//
// Source: Coulomb (1785); a spring that is anchored where surfaces stick, Cundall & Strack (1979).  While it slips, z only
// remembers the direction, and follows it; so the force in sliding is that of the law, and nothing is stiff.  Where the
// damper bears more than a twentieth of the limit, only the spring counts against it: a load that comes at once would tear
// surfaces loose that can bear it.
#include <algorithm>

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
  double damping = 316;  // σ₁ [s/m], √σ₀: a body does not swing where F_N/m is above 4 m/s²

  void fields(Fields& f) {
    f.required("mu", mu, "", "coefficient of friction when sliding");
    f.optional("mu_static", mu_static, "", "coefficient of friction that must be overcome", "as mu");
    f.optional("stribeck", stribeck, "m/s", "slip speed over which the one becomes the other");
    f.optional("stiffness", stiffness, "1/m", "of the surfaces that stick, per newton of normal force");
    f.optional("damping", damping, "s/m", "of the surfaces that stick, per newton of normal force");
  }
  void check() const {
    require(std::isfinite(mu) && mu > 0, "mu", "must be positive");
    require(!mu_static || (std::isfinite(*mu_static) && *mu_static >= mu), "mu_static",
            "must not be less than 'mu'");
    require(std::isfinite(stribeck) && stribeck > 0, "stribeck", "must be positive");
    require(std::isfinite(stiffness) && stiffness > 0, "stiffness", "must be positive");
    require(std::isfinite(damping) && damping >= 0, "damping", "must not be negative");
  }

  /// The coefficient of sliding at a speed.
  double sliding(double speed) const {
    if (!mu_static) return mu;
    const double x = speed / stribeck;
    return mu + (*mu_static - mu) * std::exp(-x * x);
  }
  double beyond(Slip v, const Bristle& z, bool slipped) const {
    if (slipped && z.length > 0) return z.bending(v) + slow;
    const double bent = stiffness * z.length, damped = damping * v.speed, limit = (1 + slightly) * most();
    const double both = bent * bent + 2 * bent * damping * z.bending(v) + damped * damped;
    return std::max(bent - limit, std::min(std::sqrt(std::max(0.0, both)) - limit, few * most() - damped));
  }
  double rate(Slip v, const Bristle& z) const {
    constexpr double way = 1e-3, fastest = 1e3;  // [m, 1/s] in which the direction is followed
    if (!z.slips) return v.along;
    return std::min(v.speed / way, fastest) * (sliding(v.speed) / stiffness * direction(v, z) - z.along);
  }
  double force(Slip v, const Bristle& z) const {
    if (z.slips) return sliding(v.speed) * direction(v, z);
    const double passive = damping * v.speed > most() ? most() / v.speed : damping;
    return stiffness * z.along + passive * v.along;
  }
  double spring(double z) const { return stiffness * z; }
  double stored(double z) const { return stiffness * z * z / 2; }

 private:
  static constexpr double slow = 1e-6;      // v₀: turned back by more, surfaces have come to rest [m/s]
  static constexpr double slightly = 1e-9;  // of the limit
  static constexpr double few = 0.05;       // of the limit: a damper that bears more is that of a blow

  double most() const { return mu_static.value_or(mu); }
  /// A component of d.
  static double direction(Slip v, const Bristle& z) {
    if (z.length == 0) return v.speed > 0 ? v.along / v.speed : 0;
    const double bending = z.bending(v), ahead = std::max(bending, 0.0) + slow, e = z.along / z.length;
    const double across = std::max(0.0, v.speed * v.speed - bending * bending);
    return (v.along + (ahead - bending) * e) / std::sqrt(across + ahead * ahead);
  }
};
}  // namespace mubody
