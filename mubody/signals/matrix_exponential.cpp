#include "mubody/signals/matrix_exponential.h"

#include <algorithm>
#include <cmath>

#include "mubody/math/dense.h"

namespace mubody {
MatX matrix_exponential(const MatX& A) {
  constexpr int terms = 18;
  constexpr double small = 0.5;
  const Eigen::Index n = A.rows();
  double norm = 0;
  for (Eigen::Index r = 0; r < n; ++r) norm = std::max(norm, A.row(r).cwiseAbs().sum());
  constexpr double largest = 1e300;  // beyond, the result is as little known
  const int squarings = norm > small ? int(std::ceil(std::log2(std::min(norm, largest) / small))) : 0;
  const MatX scaled = A * std::ldexp(1.0, -squarings);
  MatX sum = MatX::Identity(n, n), term = sum;
  for (int k = 1; k <= terms; ++k) {
    term = product(term, scaled) / k;
    sum += term;
  }
  for (int k = 0; k < squarings; ++k) sum = product(sum, sum);
  return sum;
}
}  // namespace mubody
