#pragma once
// All kinds of shapes; the list is generated from the headers of this folder.
#include <span>

#include "mubody/shapes/shape.h"

namespace mubody {
struct ShapeEntry {
  Info info;
  Stand stand;
  std::unique_ptr<AnyShape> (*make)();

  template <class S> static ShapeEntry of() {
    return {S::info, S::stand, [] { return std::unique_ptr<AnyShape>(std::make_unique<ShapeOf<S>>()); }};
  }
};
std::span<const ShapeEntry> shape_kinds();
}  // namespace mubody
