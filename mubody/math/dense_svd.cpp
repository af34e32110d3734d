#include <Eigen/SVD>

#include "mubody/math/dense.h"

namespace mubody {
VecX singular_values(const MatX& A) { return Eigen::JacobiSVD<MatX>(A).singularValues(); }

SingularVectors left_singular(const MatX& A) {
  const Eigen::JacobiSVD<MatX> svd(A, Eigen::ComputeFullU);
  return {svd.singularValues(), svd.matrixU()};
}

SingularVectors right_singular(const MatX& A) {
  const Eigen::JacobiSVD<MatX> svd(A, Eigen::ComputeFullV);
  return {svd.singularValues(), svd.matrixV()};
}
}  // namespace mubody
