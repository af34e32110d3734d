#pragma once
// A hollow cylinder along z.                                      docs/theory/mass-properties.md#shapes
//
//   V = π (r² − a²) h,   I_zz = V (r² + a²)/2,   I_xx = I_yy = V (3 (r² + a²) + h²)/12
#include <numbers>

#include "mubody/shapes/shape.h"

namespace mubody {
struct Tube {
  static constexpr Info info{"tube", "a hollow cylinder"};
  static constexpr Stand stand = Stand::axis;
  double radius = 0, inner = 0, width = 0;

  void fields(Fields& f) {
    f.required("radius", radius, "m", "of the outside");
    f.required("inner", inner, "m", "radius of the inside");
    f.optional("width", width, "m", "along the axis", "as far as its two places are apart");
  }
  void check() const {
    require_positive(radius, "radius");
    require_positive(inner, "inner");
    require(inner < radius, "inner", "must be smaller than the outer radius");
    require_positive(width, "width");
  }
  void reach(double length) { width = length; }
  MassProperties unit() const {
    const double squares = radius * radius + inner * inner;
    // As a product, which does not lose the digits of a thin wall.
    const double V = std::numbers::pi * (radius - inner) * (radius + inner) * width;
    const double across = V * (3 * squares + width * width) / 12;
    return {V, Vec<3>::Zero(), Vec<3>(across, across, V * squares / 2).asDiagonal()};
  }
  Surface surface() const {
    const double h = width / 2;
    return revolved({{inner, -h}, {radius, -h}, {radius, h}, {inner, h}}, true);
  }
};
}  // namespace mubody
