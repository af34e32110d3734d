#pragma once
// A running maximum that does not lose what is not a number, as std::max does.
#include <cmath>

namespace mubody {
inline void keep_largest(double& so_far, double x) {
  if (!(x <= so_far) && !std::isnan(so_far)) so_far = x;
}
}  // namespace mubody
