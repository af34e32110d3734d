#include "mubody/math/finite.h"

namespace mubody {
// x − x is zero for finite numbers alone.
bool all_finite(const double* x, Eigen::Index count) {
  const Eigen::Map<const VecX> all(x, count);
  return (all - all).sum() == 0;
}

double largest_size(const double* x, Eigen::Index count) {
  return count > 0 ? Eigen::Map<const VecX>(x, count).cwiseAbs().maxCoeff<Eigen::PropagateNaN>() : 0;
}
}  // namespace mubody
