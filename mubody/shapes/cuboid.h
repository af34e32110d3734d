#pragma once
// A box with its sides along x, y and z.                          docs/theory/mass-properties.md#shapes
#include "mubody/shapes/block.h"

namespace mubody {
struct Cuboid {
  static constexpr Info info{"box", "a block with its sides along the axes of the body"};
  static constexpr Stand stand = Stand::point;
  double length = 0, width = 0, thickness = 0;

  void fields(Fields& f) {
    f.required("length", length, "m", "along x");
    f.required("width", width, "m", "along y");
    f.required("thickness", thickness, "m", "along z");
  }
  void check() const {
    require_positive(length, "length");
    require_positive(width, "width");
    require_positive(thickness, "thickness");
  }
  MassProperties unit() const { return Block{{length, width, thickness}}.unit(); }
  Surface surface() const { return Block{{length, width, thickness}}.surface(); }
};
}  // namespace mubody
