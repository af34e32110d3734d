#pragma once
// A bar of rectangular section along z; its width is along x.     docs/theory/mass-properties.md#shapes
#include "mubody/shapes/block.h"

namespace mubody {
struct Bar {
  static constexpr Info info{"bar", "a straight bar of rectangular section"};
  static constexpr Stand stand = Stand::ends;
  double width = 0, thickness = 0;
  double length = 0;  // between its places [m]

  void fields(Fields& f) {
    f.required("width", width, "m", "across the bar: along y of the body, in the plane of a planar model");
    f.required("thickness", thickness, "m", "across the bar: along z of the body");
  }
  void check() const {
    require_positive(width, "width");
    require_positive(thickness, "thickness");
  }
  void reach(double distance) { length = distance; }
  MassProperties unit() const { return Block{{width, thickness, length}}.unit(); }
  Surface surface() const { return Block{{width, thickness, length}}.surface(); }
};
}  // namespace mubody
