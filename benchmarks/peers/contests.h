#pragma once
// The mechanisms that are compared with other programs, and the answers that are known.
#include <vector>

#include "benchmarks/problems/problems.h"

namespace mubody::bench {
struct Contest {
  Problem problem;
  std::string watched;  // the body whose motion is compared: its angle in the plane, its position in space
  double end;           // [s]
  double angle;         // the exact angle at the end; not a number if it is not known
};

/// P1, P2 and P3, the latter two small enough for programs that cannot read large models, and P9.
std::vector<Contest> contests();
}  // namespace mubody::bench
