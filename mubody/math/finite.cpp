#include "mubody/math/finite.h"

#include <algorithm>

#include "mubody/math/lanes.h"

namespace mubody {
// x − x is zero for finite numbers alone.
MUBODY_CLONES bool all_finite(const double* x, Eigen::Index count) {
  Quad none{};
  Eigen::Index k = 0;
  for (; k + 4 <= count; k += 4) {
    const Quad some = *reinterpret_cast<const Quad*>(x + k);
    none += some - some;
  }
  double rest = none[0] + none[1] + (none[2] + none[3]);
  for (; k < count; ++k) rest += x[k] - x[k];
  return rest == 0;
}

// The larger of two numbers may hide what is not one; a sum does not.
Magnitude magnitude_of(const double* x, Eigen::Index count) {
  const Eigen::Index whole = count - count % 4;
  Eigen::Array4d most = Eigen::Array4d::Zero(), sum = most;
  for (Eigen::Index k = 0; k < whole; k += 4) {
    const Eigen::Array4d some = Eigen::Array4d::Map(x + k);
    most = most.max(some.abs());
    sum += some * some;
  }
  double largest = most.maxCoeff(), squares = sum.sum();
  for (Eigen::Index k = whole; k < count; ++k) {
    largest = std::max(largest, std::abs(x[k]));
    squares += x[k] * x[k];
  }
  return {std::isnan(squares) ? squares : largest, squares};
}
}  // namespace mubody
