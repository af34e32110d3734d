#pragma once
// A disc on a straight line in the plane: the line is the x axis of marker i, the disc lies on the side of its y axis.
//
//   docs/theory/contact.md#disc_on_line
#include "mubody/contact/geometry/round_on_flat.h"

namespace mubody {
struct DiscOnLine : RoundOnFlat<2> {
  static constexpr Info info{"disc_on_line", "a disc on a straight line"};
  static constexpr int dim = 2;
};
}  // namespace mubody
