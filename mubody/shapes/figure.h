#pragma once
// What a body is made of, as it is drawn, in body axes.
#include "mubody/shapes/surface.h"

namespace mubody {
struct Figure {
  std::vector<Vec<3>> through;    // points that it reaches to: ends of a thin rod, corners of a thin plate
  std::vector<Surface> surfaces;  // of its solids
};
}  // namespace mubody
