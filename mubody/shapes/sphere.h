#pragma once
// A solid sphere.                                                 docs/theory/mass-properties.md#shapes
//
//   V = 4/3 π r³,   I = 2/5 V r²
#include <numbers>

#include "mubody/shapes/shape.h"

namespace mubody {
struct Sphere {
  static constexpr Info info{"sphere", "a solid sphere"};
  static constexpr Stand stand = Stand::point;
  double radius = 0;

  void fields(Fields& f) { f.required("radius", radius, "m", "of the sphere"); }
  void check() const { require_positive(radius, "radius"); }
  MassProperties unit() const {
    const double V = 4.0 / 3 * std::numbers::pi * radius * radius * radius;
    return {V, Vec<3>::Zero(), 0.4 * V * radius * radius * Eigen::Matrix3d::Identity()};
  }
  Surface surface() const {
    constexpr int rings = 24;
    std::vector<Vec<2>> line;
    for (int k = 0; k <= rings; ++k) {
      const double angle = std::numbers::pi * (double(k) / rings - 0.5);
      line.emplace_back(k == 0 || k == rings ? 0 : radius * std::cos(angle), radius * std::sin(angle));
    }
    return revolved(line, false);
  }
};
}  // namespace mubody
