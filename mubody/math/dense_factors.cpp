#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>

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

namespace {
// Eigen's solutions of many right-hand sides at once take long to compile, and pay for matrices larger than those here.
template <class Factors> MatX column_by_column(const Factors& factors, const MatX& B) {
  MatX X(B.rows(), 0);
  VecX x;
  for (Eigen::Index k = 0; k < B.cols(); ++k) {
    factors.solve(B.col(k), x);
    if (k == 0) X.resize(x.size(), B.cols());
    X.col(k) = x;
  }
  return X;
}
}  // namespace

// Elimination ----------------------------------------------------------------------------------------------

struct Lu::Factors {
  Eigen::PartialPivLU<MatX> of;
};
template class Hidden<Lu::Factors>;

void Lu::compute(const MatX& A) { own_->of.compute(A); }
VecX Lu::solve(const In& b) const { return own_->of.solve(b); }
void Lu::solve(const In& b, VecX& x) const { x = own_->of.solve(b); }
MatX Lu::solve_columns(const MatX& B) const { return column_by_column(*this, B); }
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

void FullLu::compute(const MatX& A) { own_->of.compute(A); }
void FullLu::set_threshold(double share) { own_->of.setThreshold(share); }
Eigen::Index FullLu::rank() const { return own_->of.rank(); }
bool FullLu::invertible() const { return own_->of.isInvertible(); }
double FullLu::largest_pivot() const { return own_->of.maxPivot(); }
// Eigen's estimate leaves out pivots that vanish, so that a singular matrix would seem as good as any.
double FullLu::rcond() const { return own_->of.isInvertible() ? own_->of.rcond() : 0; }
VecX FullLu::solve(const In& b) const { return own_->of.solve(b); }
MatX FullLu::kernel() const { return own_->of.kernel(); }
std::vector<int> FullLu::column_order() const {
  const auto& order = own_->of.permutationQ().indices();
  return {order.data(), order.data() + order.size()};
}

int FullLu::column(Eigen::Index k) const { return own_->of.permutationQ().indices()[k]; }

struct Ldlt::Factors {
  Eigen::LDLT<MatX> of;
};
template class Hidden<Ldlt::Factors>;

void Ldlt::compute(const MatX& A) { own_->of.compute(A); }
VecX Ldlt::solve(const In& b) const { return own_->of.solve(b); }
void Ldlt::solve(const In& b, VecX& x) const { x = own_->of.solve(b); }
MatX Ldlt::solve_columns(const MatX& B) const { return column_by_column(*this, B); }

std::optional<MatX> cholesky(const MatX& A) {
  const Eigen::LLT<MatX> llt(A);
  if (llt.info() != Eigen::Success) return {};
  return MatX(llt.matrixL());
}

MatX solve_lower(const MatX& L, const MatX& B) { return L.triangularView<Eigen::Lower>().solve(B); }

MatX product(const MatX& A, const MatX& B) { return A * B; }
MatX transposed_product(const MatX& A, const MatX& B) { return A.transpose() * B; }
void transposed_product(const MatX& A, const MatX& B, MatX& C) { C.noalias() = A.transpose() * B; }
MatX congruent(const MatX& A, const MatX& B) { return A.transpose() * B * A; }
MatX inverse(const MatX& A) {
  Lu lu;
  lu.compute(A);
  return lu.solve_columns(MatX::Identity(A.rows(), A.cols()));
}

// Orthogonal factors ---------------------------------------------------------------------------------------

namespace {
// Solutions of one right-hand side are written out here: Eigen allocates in each of them.

// x − τ w (w·x) with w = (1, v), where x is a first number and the rest.
template <class V, class X> void reflect(const V& v, double tau, double& first, X rest) {
  const double along = tau * (first + v.dot(rest));
  first -= along;
  rest -= along * v;
}
// The k-th reflection of Q = H₀ H₁ H₂ ...
void apply_q(const MatX& qr, const VecX& tau, Eigen::Index k, Out x) {
  const Eigen::Index rest = x.size() - k - 1;
  reflect(qr.col(k).tail(rest), tau[k], x[k], x.tail(rest));
}
}  // namespace

struct PivotedQr::Factors {
  Eigen::ColPivHouseholderQR<MatX> of;
  mutable VecX work;  // of solutions
};
template class Hidden<PivotedQr::Factors>;

void PivotedQr::set_threshold(double share) { own_->of.setThreshold(share); }
void PivotedQr::compute(const MatX& A) { own_->of.compute(A); }
Eigen::Index PivotedQr::rank() const { return own_->of.rank(); }
MatX PivotedQr::q() const {
  MatX Q;
  q(Q);
  return Q;
}
void PivotedQr::q(MatX& Q) const {
  const auto& qr = own_->of;
  Q.setIdentity(qr.rows(), qr.rows());
  // The k-th reflection leaves the columns before the k-th as they are.
  for (Eigen::Index k = qr.hCoeffs().size(); k-- > 0;)
    for (Eigen::Index c = k; c < Q.cols(); ++c) apply_q(qr.matrixQR(), qr.hCoeffs(), k, Q.col(c));
}
VecX PivotedQr::pivots() const { return own_->of.matrixQR().diagonal().cwiseAbs(); }
double PivotedQr::pivot(Eigen::Index k) const { return std::abs(own_->of.matrixQR()(k, k)); }
std::vector<int> PivotedQr::column_order() const {
  const auto& order = own_->of.colsPermutation().indices();
  return {order.data(), order.data() + order.size()};
}
int PivotedQr::column(Eigen::Index k) const { return own_->of.colsPermutation().indices()[k]; }
VecX PivotedQr::solve(const In& b) const {
  VecX x;
  solve(b, x);
  return x;
}
void PivotedQr::solve(const In& b, VecX& x) const {
  const auto& qr = own_->of;
  const Eigen::Index rank = qr.nonzeroPivots();
  VecX& c = own_->work;
  c = b;
  for (Eigen::Index k = 0; k < rank; ++k) apply_q(qr.matrixQR(), qr.hCoeffs(), k, c);
  qr.matrixR().topLeftCorner(rank, rank).triangularView<Eigen::Upper>().solveInPlace(c.head(rank));
  x.setZero(qr.cols());
  for (Eigen::Index k = 0; k < rank; ++k) x[column(k)] = c[k];
}

struct LeastSquares::Factors {
  Eigen::CompleteOrthogonalDecomposition<MatX> of;
  mutable VecX work;  // of solutions

  // The k-th reflection of Z, A P = Q [T 0; 0 0] Z.
  void apply_z(Eigen::Index k, Out x) const {
    const Eigen::Index last = of.rank() - 1, rest = of.cols() - of.rank();
    std::swap(x[k], x[last]);
    reflect(of.matrixQTZ().row(k).tail(rest).transpose(), of.zCoeffs()[k], x[last], x.tail(rest));
    std::swap(x[k], x[last]);
  }
  // Work space for right-hand sides and solutions.
  VecX& space() const {
    work.resize(std::max(of.rows(), of.cols()));
    return work;
  }
  auto T() const { return of.matrixT().topLeftCorner(of.rank(), of.rank()); }
};
template class Hidden<LeastSquares::Factors>;

void LeastSquares::set_threshold(double share) { own_->of.setThreshold(share); }
void LeastSquares::compute(const MatX& A) { own_->of.compute(A); }
VecX LeastSquares::solve(const In& b) const {
  VecX x;
  solve(b, x);
  return x;
}
void LeastSquares::solve(const In& b, VecX& x) const {
  const auto& cod = own_->of;
  const Eigen::Index rank = cod.rank();
  VecX& space = own_->space();
  auto rows = space.head(cod.rows()), c = space.head(cod.cols());
  rows = b;
  for (Eigen::Index k = 0; k < rank; ++k) apply_q(cod.matrixQTZ(), cod.hCoeffs(), k, rows);
  own_->T().triangularView<Eigen::Upper>().solveInPlace(c.head(rank));
  c.tail(cod.cols() - rank).setZero();
  if (rank < cod.cols())
    for (Eigen::Index k = 0; k < rank; ++k) own_->apply_z(k, c);
  x.resize(cod.cols());
  for (Eigen::Index k = 0; k < cod.cols(); ++k) x[cod.colsPermutation().indices()[k]] = c[k];
}
MatX LeastSquares::solve_columns(const MatX& B) const { return column_by_column(*this, B); }
VecX LeastSquares::solve_transposed(const In& b) const {
  VecX x;
  solve_transposed(b, x);
  return x;
}
void LeastSquares::solve_transposed(const In& b, VecX& x) const {
  const auto& cod = own_->of;
  const Eigen::Index rank = cod.rank();
  auto c = own_->space().head(cod.cols());
  for (Eigen::Index k = 0; k < cod.cols(); ++k) c[k] = b[cod.colsPermutation().indices()[k]];
  if (rank < cod.cols())
    for (Eigen::Index k = rank; k-- > 0;) own_->apply_z(k, c);
  own_->T().transpose().triangularView<Eigen::Lower>().solveInPlace(c.head(rank));
  x.setZero(cod.rows());
  x.head(rank) = c.head(rank);
  for (Eigen::Index k = rank; k-- > 0;) apply_q(cod.matrixQTZ(), cod.hCoeffs(), k, x);
}

MatX null_space(const MatX& A, double threshold) {
  const PivotedQr qr(A.transpose(), threshold);
  return qr.q().rightCols(A.cols() - qr.rank());
}

// Gram and Schmidt's method, twice: once is not enough for columns that are nearly dependent (Giraud, Langou & Rozložník 2005).
void orthonormalize(MatX& A) {
  for (Eigen::Index c = 0; c < A.cols(); ++c) {
    for (int pass = 0; pass < 2; ++pass)
      for (Eigen::Index k = 0; k < c; ++k) A.col(c) -= A.col(k).dot(A.col(c)) * A.col(k);
    if (const double size = A.col(c).norm(); size > 0) A.col(c) /= size;
  }
}

struct SingularValues::Factors {
  Eigen::JacobiSVD<MatX> of;
};
template class Hidden<SingularValues::Factors>;

VecX singular_values(const MatX& A) { return Eigen::JacobiSVD<MatX>(A).singularValues(); }

SingularVectors left_singular(const MatX& A) {
  const Eigen::JacobiSVD<MatX> svd(A, Eigen::ComputeFullU);
  return {svd.singularValues(), svd.matrixU()};
}

SingularVectors right_singular(const MatX& A) {
  const Eigen::JacobiSVD<MatX> svd(A, Eigen::ComputeFullV);
  return {svd.singularValues(), svd.matrixV()};
}

const VecX& SingularValues::of(const MatX& A) { return own_->of.compute(A).singularValues(); }

struct RowSpace::Factors {
  Eigen::JacobiSVD<MatX> of;
};
template class Hidden<RowSpace::Factors>;

void RowSpace::of(const MatX& A, double threshold, MatX& V) {
  own_->of.compute(A, Eigen::ComputeThinV);
  own_->of.setThreshold(threshold);
  V = own_->of.matrixV().leftCols(own_->of.rank());
}

VecX closest(const MatX& A, const In& b) { return A.cols() == 0 ? VecX() : PivotedQr(A).solve(b); }
}  // namespace mubody
