#pragma once
// Shared by the laws of Hunt and Crossley's kind: damping that grows with the depth, so that the force neither
// starts nor ends with a jump.
//
//   docs/theory/contact.md#hysteresis
//
//   F = max(0, K δⁿ (1 + c δ̇/max(δ̇₀, v)))
//
// Each law is a factor c(e), its own guess at the damping that makes bodies part with e times the speed at
// which they met.  The restitution that free bodies really show is in restitution.h; it depends on c alone.
//
// Two cases that publications leave open.  Bodies pulled apart faster than δ̇₀/c would stick: the force is cut at
// zero, which it reaches continuously (in a free collision 1 + c δ̇/δ̇₀ stays positive).  Bodies that touch at no
// speed, as when one is laid on the other, would be damped without bound: below the speed v the damping is that
// of bodies that met at v.  Then c δ̇₀/v takes the place of c, and restitution tends to one with the speed.
#include <algorithm>

#include "mubody/contact/laws/contact_law.h"

namespace mubody {
template <class Law> struct Hysteresis : ElasticPart {
  static constexpr bool tensile = false;

  double restitution = 0.9;  // e, as the law means it
  double slowest = 1e-3;     // v [m/s]

  void fields(Fields& f) {
    ElasticPart::fields(f);
    f.optional("restitution", restitution, "",
               "speed after a collision over speed before, as the law means it");
    f.optional("slowest", slowest, "m/s", "first speed below which the damping grows no further");
  }
  void check() const {
    ElasticPart::check();
    require(restitution <= 1 && (Law::from_zero ? restitution >= 0 : restitution > 0), "restitution",
            Law::from_zero ? "must lie between 0 and 1" : "must lie above 0 and not above 1");
    require(std::isfinite(slowest) && slowest > 0, "slowest", "must be positive");
  }
  double c() const { return Law::factor(restitution); }
  double force(double depth, double rate, double first_speed) const {
    if (depth <= 0) return 0;
    return std::max(0.0, elastic(depth) * (1 + c() * rate / std::max(first_speed, slowest)));
  }
};
}  // namespace mubody
