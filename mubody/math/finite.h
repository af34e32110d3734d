#pragma once
// Numbers that are not finite are never lost on the way.
#include <cmath>

#include "mubody/math/space.h"

namespace mubody {
/// A running maximum that keeps what is not a number, as std::max does not.
inline void keep_largest(double& so_far, double x) {
  if (!(x <= so_far) && !std::isnan(so_far)) so_far = x;
}
/// Whether all numbers are finite.
bool all_finite(const double* x, Eigen::Index count);
inline bool all_finite(const In& x) { return all_finite(x.data(), x.size()); }
template <class V> bool all_finite(const Eigen::PlainObjectBase<V>& x) {
  return all_finite(x.data(), x.size());
}
/// The largest size of some numbers and the sum of their squares; not a number if one of them is not.
struct Magnitude {
  double largest = 0, squares = 0;
};
Magnitude magnitude_of(const double* x, Eigen::Index count);
}  // namespace mubody
