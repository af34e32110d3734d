#pragma once
// A block with its sides along x, y and z: what a box and a bar have in common.
//                                                                 docs/theory/mass-properties.md#shapes
//
//   V = a b c,   I_xx = V (b² + c²)/12 and so on
#include "mubody/shapes/shape.h"

namespace mubody {
struct Block {
  Vec<3> sides = Vec<3>::Zero();

  MassProperties unit() const {
    const double V = sides.prod();
    const Vec<3> squares = sides.cwiseAbs2();
    const Vec<3> principal = V / 12 * (Vec<3>::Constant(squares.sum()) - squares);
    return {V, Vec<3>::Zero(), principal.asDiagonal()};
  }
  Surface surface() const {
    const double x = sides.x() / 2, y = sides.y() / 2, z = sides.z() / 2;
    return extruded({{-x, -y}, {x, -y}, {x, y}, {-x, y}}, {}, -z, z);
  }
};
}  // namespace mubody
