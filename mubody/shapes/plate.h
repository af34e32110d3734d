#pragma once
// A flat plate over a polygon, with round holes.                  docs/theory/mass-properties.md#shapes
//
//   A = Σ w/2,   ∫ x dA = Σ w (x + x')/6,   ∫ x² dA = Σ w (x² + x x' + x'²)/12,
//   ∫ x y dA = Σ w (x y' + 2 x y + 2 x' y' + x' y)/24,      w = x y' − x' y      over the edges from (x, y) to (x', y')
//
// A hole takes away π r², and π r⁴/4 about its own centre.
#include "mubody/shapes/shape.h"

namespace mubody {
struct Plate {
  static constexpr Info info{"plate", "a flat plate whose corners are three or more places"};
  static constexpr Stand stand = Stand::corners;
  double thickness = 0;
  std::vector<Vec<2>> corners{};  // [m], in order around it, either way
  std::vector<RoundHole> holes{};

  void fields(Fields& f) { f.optional("thickness", thickness, "m", "across the plate", "thin"); }
  /// Throws FieldError, about `through` and `holes` too.
  void check() const;
  void cover(const std::vector<Vec<2>>& places) { corners = places; }
  void pierce(const std::vector<RoundHole>& all) { holes = all; }
  bool is_thin() const { return thickness == 0; }
  MassProperties unit() const;
  Surface surface() const;
};
}  // namespace mubody
