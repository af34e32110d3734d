#pragma once
// A cone along z, or a truncated one, which grows from radius R below to radius r above.
//                                                                 docs/theory/mass-properties.md#shapes
//
//   V = π h (R² + R r + r²)/3,   centre h (R² + 2 R r + 3 r²) / (4 (R² + R r + r²)) above the base
//   I_zz = π h P/10,   I_xx = I_yy = π h P/20 + π h³ (R²/30 + R r/10 + r²/5) − V c²
//   P = R⁴ + R³ r + R² r² + R r³ + r⁴
#include <numbers>

#include "mubody/shapes/shape.h"

namespace mubody {
struct Cone {
  static constexpr Info info{"cone", "a cone, or a truncated one"};
  static constexpr Stand stand = Stand::axis;
  double radius = 0, top = 0, width = 0;

  void fields(Fields& f) {
    f.required("radius", radius, "m", "of the base, where the axis begins");
    f.optional("top", top, "m", "radius at the end of the axis");
    f.optional("width", width, "m", "along the axis", "as far as its two places are apart");
  }
  void check() const {
    require_positive(radius, "radius");
    require(std::isfinite(top) && top >= 0, "top", "must not be negative");
    require_positive(width, "width");
  }
  void reach(double length) { width = length; }
  MassProperties unit() const {
    using std::numbers::pi;
    const double R = radius, r = top, h = width, squares = R * R + R * r + r * r;
    const double fourth = R * R * R * R + R * R * R * r + R * R * r * r + R * r * r * r + r * r * r * r;
    const double V = pi * h * squares / 3, c = h * (R * R + 2 * R * r + 3 * r * r) / (4 * squares);
    const double across =
        pi * h * fourth / 20 + pi * h * h * h * (R * R / 30 + R * r / 10 + r * r / 5) - V * c * c;
    return {V, Vec<3>(0, 0, c - h / 2), Vec<3>(across, across, pi * h * fourth / 10).asDiagonal()};
  }
  Surface surface() const {
    const double h = width / 2;
    std::vector<Vec<2>> line{{0, -h}, {radius, -h}, {top, h}};
    if (top > 0) line.emplace_back(0, h);
    return revolved(line, false);
  }
};
}  // namespace mubody
