#pragma once
// Coulomb's friction that sticks: the surfaces hold each other by a spring that yields at the coefficient of friction.
//
//   docs/theory/friction.md#coulomb
//
//   sticks   F = F_N (σ₀ z + σ₁ v),  ż = v                  until σ₀ |z| > μ_s or σ₁ |v| > μ_s
//   slips    F = F_N μ(v) d,  d along v + v₀ z/|z|          until v·z/|z| < −v₀          μ(v) = μ + (μ_s − μ) exp(−(v/v_s)²)
//            ż = k (μ(v)/σ₀ d − z),  k = min(|v|/1 mm, 1000/s)
//                                                          z [m], v [m/s], σ₀ [1/m], σ₁ [s/m], v₀ = 1 µm/s, F [N]
//
// Source: Coulomb (1785); a spring that is anchored where surfaces stick, Cundall & Strack (1979).  While it slips, z only
// remembers the direction, and follows it; so the force in sliding is that of the law, and nothing is stiff.  The damping does
// not count against the limit: a load that comes at once would tear surfaces loose that can bear it.
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
  double damping = 630;  // σ₁ [s/m], about 2 √σ₀: a body under its own weight does not swing

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
    const double along = z.bending(v);
    if (slipped) return along + slow;
    return std::max(stiffness * z.length, damping * v.speed) - (1 + slightly) * mu_static.value_or(mu);
  }
  double rate(Slip v, const Bristle& z) const {
    constexpr double way = 1e-3, fastest = 1e3;  // [m, 1/s] in which the direction is followed
    if (!z.slips) return v.along;
    return std::min(v.speed / way, fastest) * (sliding(v.speed) / stiffness * direction(v, z) - z.along);
  }
  double force(Slip v, const Bristle& z) const {
    return z.slips ? sliding(v.speed) * direction(v, z) : stiffness * z.along + damping * v.along;
  }
  double spring(double z) const { return stiffness * z; }
  double stored(double z) const { return stiffness * z * z / 2; }

 private:
  static constexpr double slow = 1e-6;      // v₀: turned back by more, surfaces have come to rest [m/s]
  static constexpr double slightly = 1e-9;  // of the limit

  /// A component of d.
  static double direction(Slip v, const Bristle& z) {
    const double turned = z.length > 0 ? slow * z.along / z.length : 0;
    const double size2 = v.speed * v.speed + (z.length > 0 ? 2 * slow * z.bending(v) + slow * slow : 0);
    return size2 > 0 ? (v.along + turned) / std::sqrt(size2) : 0;
  }
};
}  // namespace mubody
