#pragma once
// A cylinder along z.                                             docs/theory/mass-properties.md#shapes
//
//   V = π r² h,   I_zz = V r²/2,   I_xx = I_yy = V (3 r² + h²)/12
#include <numbers>

#include "mubody/shapes/shape.h"

namespace mubody {
struct Cylinder {
  static constexpr Info info{"cylinder", "a round bar, or a disc"};
  static constexpr Stand stand = Stand::axis;
  double radius = 0, width = 0;

  void fields(Fields& f) {
    f.required("radius", radius, "m", "of the cylinder");
    f.optional("width", width, "m", "along the axis", "as far as its two places are apart");
  }
  void check() const {
    require_positive(radius, "radius");
    require_positive(width, "width");
  }
  void reach(double length) { width = length; }
  MassProperties unit() const {
    const double V = std::numbers::pi * radius * radius * width, across = 3 * radius * radius + width * width;
    return {V, Vec<3>::Zero(), Vec<3>(V * across / 12, V * across / 12, V * radius * radius / 2).asDiagonal()};
  }
  Surface surface() const {
    const double h = width / 2;
    return revolved({{0, -h}, {radius, -h}, {radius, h}, {0, h}}, false);
  }
};
}  // namespace mubody
