#include "mubody/signals/linear_block.h"

#include "mubody/signals/matrix_exponential.h"

namespace mubody {
void LinearBlock::prepare(double T) {
  const Eigen::Index n = b.size();
  MatX both = MatX::Zero(n + 1, n + 1);
  both.topLeftCorner(n, n) = T * A;
  both.topRightCorner(n, 1) = T * b;
  const MatX moved = matrix_exponential(both);
  Phi = moved.topLeftCorner(n, n);
  gamma = moved.topRightCorner(n, 1);
}
}  // namespace mubody
