#pragma once
// A straight rod along z: slender, or round where its radius is given.
//                                                                 docs/theory/mass-properties.md#shapes
//
//   slender: m = μ l,   I_xx = I_yy = m l²/12,   I_zz = 0
#include "mubody/shapes/cylinder.h"

namespace mubody {
struct Rod {
  static constexpr Info info{"rod", "a straight rod between two places: slender, or round with a radius"};
  static constexpr Stand stand = Stand::ends;
  double radius = 0;
  double length = 0;  // between its places [m]

  void fields(Fields& f) { f.optional("radius", radius, "m", "of a round rod", "slender"); }
  void check() const { require(std::isfinite(radius) && radius >= 0, "radius", "must not be negative"); }
  void reach(double distance) { length = distance; }
  bool is_thin() const { return radius == 0; }
  MassProperties unit() const {
    if (!is_thin()) return Cylinder{radius, length}.unit();
    const double across = length * length * length / 12;
    return {length, Vec<3>::Zero(), Vec<3>(across, across, 0).asDiagonal()};
  }
  Surface surface() const { return is_thin() ? Surface{} : Cylinder{radius, length}.surface(); }
};
}  // namespace mubody
