#pragma once
// Decompositions of dense matrices of any size, as plain functions and classes.
//
// Eigen compiles a decomposition anew in every source that names one, which takes seconds each time.  Here they are
// compiled once, in the sources dense_*.cpp, with Eigen's algorithms and pivoting; no other source includes them.
// Golub & Van Loan (2013), chs. 3-8.
#include <complex>
#include <memory>
#include <optional>
#include <vector>

#include "mubody/math/space.h"

namespace mubody {
/// A value whose type is known to one source alone; it is copied with its owner.
template <class T> class Hidden {
 public:
  Hidden();
  Hidden(const Hidden&);
  Hidden(Hidden&&) noexcept;
  Hidden& operator=(const Hidden&);
  Hidden& operator=(Hidden&&) noexcept;
  ~Hidden();
  T* operator->() { return own_.get(); }
  const T* operator->() const { return own_.get(); }

 private:
  std::unique_ptr<T> own_;
};

// Products and inverses ------------------------------------------------------------------------------------

MatX product(const MatX& A, const MatX& B);
/// Aᵀ B.
MatX transposed_product(const MatX& A, const MatX& B);
/// As above, writing into memory that is reused.
void transposed_product(const MatX& A, const MatX& B, MatX& C);
/// Aᵀ B A.
MatX congruent(const MatX& A, const MatX& B);
/// Computed by elimination with partial pivoting; entries are not finite where A is singular.
MatX inverse(const MatX& A);

// Factors --------------------------------------------------------------------------------------------------

/// Gauss elimination of a square matrix with partial pivoting.
class Lu {
 public:
  Lu() = default;
  explicit Lu(const MatX& A) { compute(A); }
  void compute(const MatX& A);
  VecX solve(const In& b) const;
  /// As above, writing into memory that is reused.
  void solve(const In& b, VecX& x) const;
  MatX solve_columns(const MatX& B) const;
  VecX solve_transposed(const In& b) const;
  double determinant() const;
  /// 1, or -1 if the determinant is negative; it does not underflow.
  int sign() const;
  /// An estimate of the reciprocal condition number.
  double rcond() const;
  /// Whether the smallest pivot is larger than this share of the largest.
  bool pivots_above(double share) const;

 private:
  struct Factors;
  Hidden<Factors> own_;
};

/// Gauss elimination with full pivoting.
class FullLu {
 public:
  FullLu() = default;
  explicit FullLu(const MatX& A) { compute(A); }
  /// A pivot counts as zero below this share of the largest.
  FullLu(const MatX& A, double threshold) : FullLu(A) { set_threshold(threshold); }
  void set_threshold(double share);
  void compute(const MatX& A);
  Eigen::Index rank() const;
  bool invertible() const;
  double largest_pivot() const;
  double rcond() const;
  VecX solve(const In& b) const;
  /// A basis of the null space; one column of zeros if there is none.
  MatX kernel() const;
  /// The columns of A in the order of elimination, and the k-th of them.
  std::vector<int> column_order() const;
  int column(Eigen::Index k) const;

 private:
  struct Factors;
  Hidden<Factors> own_;
};

/// Householder's elimination with column pivoting, A P = Q R.
class PivotedQr {
 public:
  PivotedQr() = default;
  explicit PivotedQr(const MatX& A) { compute(A); }
  /// A pivot counts as zero below this share of the largest.
  PivotedQr(const MatX& A, double threshold) : PivotedQr(A) { set_threshold(threshold); }
  void set_threshold(double share);
  void compute(const MatX& A);
  Eigen::Index rank() const;
  /// The whole of Q, square.
  MatX q() const;
  void q(MatX& Q) const;
  /// The sizes of the pivots, the largest first.
  VecX pivots() const;
  double pivot(Eigen::Index k) const;
  /// The columns of A in the order of elimination, and the k-th of them.
  std::vector<int> column_order() const;
  int column(Eigen::Index k) const;
  VecX solve(const In& b) const;
  void solve(const In& b, VecX& x) const;

 private:
  struct Factors;
  Hidden<Factors> own_;
};

/// Least squares for any rank, with the shortest of all solutions (complete orthogonal decomposition).
class LeastSquares {
 public:
  LeastSquares() = default;
  /// A pivot counts as zero below this share of the largest.
  explicit LeastSquares(double threshold) { set_threshold(threshold); }
  LeastSquares(const MatX& A, double threshold) : LeastSquares(threshold) { compute(A); }
  void set_threshold(double share);
  void compute(const MatX& A);
  VecX solve(const In& b) const;
  void solve(const In& b, VecX& x) const;
  MatX solve_columns(const MatX& B) const;
  VecX solve_transposed(const In& b) const;
  void solve_transposed(const In& b, VecX& x) const;

 private:
  struct Factors;
  Hidden<Factors> own_;
};

/// Symmetric matrices, A = L D Lᵀ with diagonal pivoting.
class Ldlt {
 public:
  Ldlt() = default;
  explicit Ldlt(const MatX& A) { compute(A); }
  void compute(const MatX& A);
  VecX solve(const In& b) const;
  void solve(const In& b, VecX& x) const;
  MatX solve_columns(const MatX& B) const;

 private:
  struct Factors;
  Hidden<Factors> own_;
};

/// An orthonormal basis of the vectors x with A x = 0.
MatX null_space(const MatX& A, double threshold);
/// Replaces independent columns by an orthonormal basis of their space.
void orthonormalize(MatX& A);
/// The x that comes closest to A x = b; the columns of A are independent.
VecX closest(const MatX& A, const In& b);
/// L of A = L Lᵀ; none if A is not positive definite.
std::optional<MatX> cholesky(const MatX& A);
/// L⁻¹ B.
MatX solve_lower(const MatX& L, const MatX& B);

// Eigenvalues and singular values --------------------------------------------------------------------------

/// Eigenvalues, smallest first, with a column of `vectors` for each.
struct SymmetricEigen {
  VecX values;
  MatX vectors;
};
SymmetricEigen symmetric_eigen(const MatX& A);
VecX symmetric_eigenvalues(const MatX& A);
struct SymmetricEigen3 {
  Vec<3> values;
  Eigen::Matrix3d vectors;
};
SymmetricEigen3 symmetric_eigen3(const Eigen::Matrix3d& A);

struct GeneralEigen {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd vectors;
};
GeneralEigen general_eigen(const MatX& A);
std::vector<std::complex<double>> general_eigenvalues(const MatX& A);

/// A = Q H Qᵀ, where H is zero below its first subdiagonal.
struct Hessenberg {
  MatX Q, H;
};
Hessenberg hessenberg(const MatX& A);

/// Singular values, largest first.
VecX singular_values(const MatX& A);
/// The same of square matrices one after the other; once it has seen a size, it takes no memory.
class SingularValues {
 public:
  const VecX& of(const MatX& A);

 private:
  struct Factors;
  Hidden<Factors> own_;
};
/// A = U S Vᵀ with all of U, or with all of V.
struct SingularVectors {
  VecX values;
  MatX vectors;
};
SingularVectors left_singular(const MatX& A);
SingularVectors right_singular(const MatX& A);
/// Orthonormal bases of row spaces, in columns; once it has seen a size, it takes no memory.
class RowSpace {
 public:
  /// A singular value counts as zero below this share of the largest.
  void of(const MatX& A, double threshold, MatX& V);

 private:
  struct Factors;
  Hidden<Factors> own_;
};
}  // namespace mubody
