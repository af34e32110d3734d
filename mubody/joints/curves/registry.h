#pragma once
// All kinds of curves; the list is generated from the headers of this folder.
#include <span>

#include "mubody/joints/curves/body_curve.h"

namespace mubody {
struct CurveEntry {
  Info info;
  std::unique_ptr<CurveKind> (*make)();

  template <class Kind> static CurveEntry of() {
    return {Kind::info, [] { return std::unique_ptr<CurveKind>(std::make_unique<BodyCurve::Of<Kind>>()); }};
  }
};
std::span<const CurveEntry> curve_kinds();
}  // namespace mubody
