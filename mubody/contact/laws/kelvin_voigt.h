#pragma once
// Kelvin and Voigt's spring and damper side by side.
//
//   docs/theory/contact.md#kelvin_voigt
//
//   F = K δⁿ + D s(δ/r) δ̇,   s(x) = 3x² − 2x³, 1 beyond x = 1        K [N/mⁿ], D [N s/m], δ and r [m]; n = 1
//
// Source: Kelvin and Voigt, as in Goldsmith (1960); the ramp r is that of the impact functions of multibody programs.
// Without a ramp the force starts with a jump D δ̇₀, and in both forms it pulls before the bodies part, as only glue
// does.  It suits contacts that are always pressed, and comparisons; the restitution depends on the mass:
// without a ramp and for n = 1, e = exp(−π ζ/√(1 − ζ²)) with ζ = D/(2 √(K m)).
#include <algorithm>

#include "mubody/contact/laws/contact_law.h"

namespace mubody {
struct KelvinVoigt : ElasticPart {
  static constexpr Info info{"kelvin_voigt", "spring and damper side by side; pulls before separation"};
  static constexpr bool tensile = true;

  double damping = 0;  // D [N s/m]
  double ramp = 0;     // r [m]

  KelvinVoigt() { exponent = 1; }
  void fields(Fields& f) {
    ElasticPart::fields(f);
    f.optional("damping", damping, "N s/m", "of the damper beside the spring");
    f.optional("ramp", ramp, "m", "depth over which the damping sets in; 0: at once, with a jump of the force");
  }
  void check() const {
    ElasticPart::check();
    require(std::isfinite(damping) && damping >= 0, "damping", "must not be negative");
    require(std::isfinite(ramp) && ramp >= 0, "ramp", "must not be negative");
  }
  bool jumps() const { return damping > 0 && ramp == 0; }
  double force(double depth, double rate, double) const {
    if (depth <= 0) return 0;
    const double x = depth < ramp ? depth / ramp : 1;
    return elastic(depth) + damping * x * x * (3 - 2 * x) * rate;
  }
};
}  // namespace mubody
