#include <Eigen/Eigenvalues>

#include "mubody/math/dense.h"

namespace mubody {
namespace {
std::vector<std::complex<double>> list(const Eigen::VectorXcd& values) {
  return {values.begin(), values.end()};
}
}  // namespace

SymmetricEigen symmetric_eigen(const MatX& A) {
  const Eigen::SelfAdjointEigenSolver<MatX> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

VecX symmetric_eigenvalues(const MatX& A) {
  return Eigen::SelfAdjointEigenSolver<MatX>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

SymmetricEigen3 symmetric_eigen3(const Eigen::Matrix3d& A) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

GeneralEigen general_eigen(const MatX& A) {
  const Eigen::EigenSolver<MatX> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

std::vector<std::complex<double>> general_eigenvalues(const MatX& A) {
  return list(Eigen::EigenSolver<MatX>(A, false).eigenvalues());
}

Hessenberg hessenberg(const MatX& A) {
  if (A.rows() < 2) return {MatX::Identity(A.rows(), A.rows()), A};
  const Eigen::HessenbergDecomposition<MatX> parts(A);
  return {parts.matrixQ(), parts.matrixH()};
}
}  // namespace mubody
