#pragma once
// Numbers that are not finite are never lost on the way.
#include <cmath>

#include "mubody/math/space.h"

namespace mubody {
/// A running maximum that keeps what is not a number, as std::max does not.
inline void keep_largest(double& so_far, double x) {
  if (!(x <= so_far) && !std::isnan(so_far)) so_far = x;
}
/// Whether all numbers are finite: x − x is zero for those alone.
inline bool all_finite(const In& x) {
  const double* const each = x.data();
  double none = 0;
  for (Eigen::Index k = 0; k < x.size(); ++k) none += each[k] - each[k];
  return none == 0;
}
}  // namespace mubody
