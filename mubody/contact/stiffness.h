#pragma once
// The stiffness K of Hertz's law F = K δ^1.5 from the radii and materials of two bodies that touch in a point.
//
//   docs/theory/contact.md#stiffness
//
//   K = 4 √R / (3 (s_i + s_j)),   1/R = 1/R_i + 1/R_j,   s = (1 − ν²)/E                        [N/m^1.5]
//
// R_i is negative where body i is hollow (a bearing around its journal) and infinite where it is flat.
// Source: Hertz (1882); Goldsmith (1960); with s/π and 4/(3π) also Lankarani & Nikravesh (1990).
// Valid for elastic bodies whose area of contact is small beside R.  For a journal in a bearing, which touch along
// a line, it is the customary approximation of Flores et al. (2008): sound for a large clearance and a small load.
#include <cmath>

#include "mubody/model/errors.h"
#include "mubody/model/fields.h"

namespace mubody {
/// An elastic material, as far as contact needs it; steel by default.
struct Material {
  double young = 207e9;  // modulus E [Pa]
  double poisson = 0.3;  // ratio ν

  void fields(Fields& f) {
    f.optional("young", young, "Pa", "Young's modulus");
    f.optional("poisson", poisson, "", "Poisson's ratio");
  }
  void check() const {
    require(std::isfinite(young) && young > 0, "young", "must be positive");
    require(poisson > -1 && poisson <= 0.5, "poisson", "must lie above -1 and not above 0.5");
  }
  /// s = (1 − ν²)/E [1/Pa].
  double compliance() const { return (1 - poisson * poisson) / young; }
};

/// R of two surfaces [m]; negative radius: hollow, infinite: flat.
inline double relative_radius(double i, double j) { return 1 / (1 / i + 1 / j); }

/// K [N/m^1.5] for the relative radius R > 0.
inline double hertz_stiffness(double relative_radius, const Material& i, const Material& j) {
  return 4 * std::sqrt(relative_radius) / (3 * (i.compliance() + j.compliance()));
}
}  // namespace mubody
