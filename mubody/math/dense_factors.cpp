#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/QR>

#include "mubody/math/dense.h"

namespace mubody {
template <class T> Hidden<T>::Hidden() : own_(std::make_unique<T>()) {}
template <class T> Hidden<T>::Hidden(const Hidden& other) : own_(std::make_unique<T>(*other.own_)) {}
template <class T> Hidden<T>::Hidden(Hidden&& other) noexcept : own_(std::move(other.own_)) {}
template <class T> Hidden<T>& Hidden<T>::operator=(const Hidden& other) {
  if (this != &other) own_ = std::make_unique<T>(*other.own_);
  return *this;
}
template <class T> Hidden<T>& Hidden<T>::operator=(Hidden&& other) noexcept {
  own_ = std::move(other.own_);
  return *this;
}
template <class T> Hidden<T>::~Hidden() = default;

// Elimination ----------------------------------------------------------------------------------------------

struct Lu::Factors {
  Eigen::PartialPivLU<MatX> of;
};
template class Hidden<Lu::Factors>;

void Lu::compute(const MatX& A) { own_->of.compute(A); }
VecX Lu::solve(const In& b) const { return own_->of.solve(b); }
void Lu::solve(const In& b, VecX& x) const { x = own_->of.solve(b); }
MatX Lu::solve_columns(const MatX& B) const { return own_->of.solve(B); }
VecX Lu::solve_transposed(const In& b) const { return own_->of.transpose().solve(b); }
double Lu::determinant() const { return own_->of.determinant(); }
double Lu::rcond() const { return own_->of.rcond(); }

int Lu::sign() const {
  int sign = int(own_->of.permutationP().determinant());
  const MatX& factors = own_->of.matrixLU();
  for (Eigen::Index k = 0; k < factors.rows(); ++k)
    if (factors(k, k) < 0) sign = -sign;
  return sign;
}

bool Lu::pivots_above(double share) const {
  const auto sizes = own_->of.matrixLU().diagonal().cwiseAbs();
  return sizes.minCoeff() > share * sizes.maxCoeff();
}

struct FullLu::Factors {
  Eigen::FullPivLU<MatX> of;
};
template class Hidden<FullLu::Factors>;

FullLu::FullLu(const MatX& A) { own_->of.compute(A); }
FullLu::FullLu(const MatX& A, double threshold) : FullLu(A) { set_threshold(threshold); }
void FullLu::set_threshold(double share) { own_->of.setThreshold(share); }
Eigen::Index FullLu::rank() const { return own_->of.rank(); }
bool FullLu::invertible() const { return own_->of.isInvertible(); }
double FullLu::largest_pivot() const { return own_->of.maxPivot(); }
double FullLu::rcond() const { return own_->of.rcond(); }
VecX FullLu::solve(const In& b) const { return own_->of.solve(b); }
MatX FullLu::kernel() const { return own_->of.kernel(); }
std::vector<int> FullLu::column_order() const {
  const auto& order = own_->of.permutationQ().indices();
  return {order.data(), order.data() + order.size()};
}

struct Ldlt::Factors {
  Eigen::LDLT<MatX> of;
};
template class Hidden<Ldlt::Factors>;

void Ldlt::compute(const MatX& A) { own_->of.compute(A); }
VecX Ldlt::solve(const In& b) const { return own_->of.solve(b); }
void Ldlt::solve(const In& b, VecX& x) const { x = own_->of.solve(b); }
MatX Ldlt::solve_columns(const MatX& B) const { return own_->of.solve(B); }

std::optional<MatX> cholesky(const MatX& A) {
  const Eigen::LLT<MatX> llt(A);
  if (llt.info() != Eigen::Success) return {};
  return MatX(llt.matrixL());
}

MatX solve_lower(const MatX& L, const MatX& B) { return L.triangularView<Eigen::Lower>().solve(B); }

MatX product(const MatX& A, const MatX& B) { return A * B; }
MatX transposed_product(const MatX& A, const MatX& B) { return A.transpose() * B; }
MatX congruent(const MatX& A, const MatX& B) { return A.transpose() * B * A; }
MatX inverse(const MatX& A) { return A.inverse(); }

// Orthogonal factors ---------------------------------------------------------------------------------------

struct PivotedQr::Factors {
  Eigen::ColPivHouseholderQR<MatX> of;
};
template class Hidden<PivotedQr::Factors>;

void PivotedQr::set_threshold(double share) { own_->of.setThreshold(share); }
void PivotedQr::compute(const MatX& A) { own_->of.compute(A); }
Eigen::Index PivotedQr::rank() const { return own_->of.rank(); }
MatX PivotedQr::q() const { return own_->of.householderQ(); }
VecX PivotedQr::pivots() const { return own_->of.matrixQR().diagonal().cwiseAbs(); }
double PivotedQr::pivot(Eigen::Index k) const { return std::abs(own_->of.matrixQR()(k, k)); }
VecX PivotedQr::solve(const In& b) const { return own_->of.solve(b); }
void PivotedQr::solve(const In& b, VecX& x) const { x = own_->of.solve(b); }
std::vector<int> PivotedQr::column_order() const {
  const auto& order = own_->of.colsPermutation().indices();
  return {order.data(), order.data() + order.size()};
}

struct LeastSquares::Factors {
  Eigen::CompleteOrthogonalDecomposition<MatX> of;
};
template class Hidden<LeastSquares::Factors>;

void LeastSquares::set_threshold(double share) { own_->of.setThreshold(share); }
void LeastSquares::compute(const MatX& A) { own_->of.compute(A); }
VecX LeastSquares::solve(const In& b) const { return own_->of.solve(b); }
void LeastSquares::solve(const In& b, VecX& x) const { x = own_->of.solve(b); }
MatX LeastSquares::solve_columns(const MatX& B) const { return own_->of.solve(B); }
VecX LeastSquares::solve_transposed(const In& b) const { return own_->of.transpose().solve(b); }

MatX null_space(const MatX& A, double threshold) {
  const PivotedQr qr(A.transpose(), threshold);
  return qr.q().rightCols(A.cols() - qr.rank());
}

MatX orthonormal(const MatX& A) {
  return Eigen::HouseholderQR<MatX>(A).householderQ() * MatX::Identity(A.rows(), A.cols());
}

MatX closest(const MatX& A, const MatX& B) { return Eigen::HouseholderQR<MatX>(A).solve(B); }
}  // namespace mubody
