// Decompositions of matrices whose factors are known.
#include "mubody/math/dense.h"

#include <gtest/gtest.h>

#include "tests/near.h"

namespace mubody::testing {
namespace {
MatX of_rank_two() {
  MatX A(3, 4);
  A << 1, 2, 3, 4, 2, 4, 6, 8, 1, 0, 1, 0;
  return A;
}

TEST(dense, elimination_solves_and_knows_the_determinant) {
  MatX A(2, 2);
  A << 0, 2, 3, 4;
  const Lu lu(A);
  EXPECT_DOUBLE_EQ(lu.determinant(), -6);
  EXPECT_EQ(lu.sign(), -1);
  EXPECT_TRUE(lu.solve(Vec<2>(2, 10)).isApprox(Vec<2>(2, 1), 1e-15));
  EXPECT_TRUE(lu.solve_transposed(Vec<2>(3, 6)).isApprox(Vec<2>(1, 1), 1e-15));
  EXPECT_TRUE(inverse(A).isApprox(lu.solve_columns(MatX::Identity(2, 2)), 1e-15));
  const Lu copy = lu;  // the copy is independent
  VecX x;
  copy.solve(Vec<2>(2, 10), x);
  EXPECT_EQ(x, lu.solve(Vec<2>(2, 10)));
}

TEST(dense, ranks_and_null_spaces_agree) {
  const MatX A = of_rank_two();
  EXPECT_EQ(PivotedQr(A, 1e-9).rank(), 2);
  const FullLu lu(A, 1e-9);
  EXPECT_EQ(lu.rank(), 2);
  EXPECT_FALSE(lu.invertible());
  const MatX N = null_space(A, 1e-9);
  ASSERT_EQ(N.cols(), 2);
  EXPECT_LT(product(A, N).norm(), 1e-13);
  EXPECT_LT((transposed_product(N, N) - MatX::Identity(2, 2)).norm(), 1e-14);
  EXPECT_LT(product(A, lu.kernel()).norm(), 1e-13);
  MatX rows;
  RowSpace().of(A, 1e-9, rows);
  EXPECT_LT(transposed_product(N, rows).norm(), 1e-14);
}

TEST(dense, a_singular_matrix_has_no_condition) {
  MatX A = MatX::Zero(2, 2);
  A.col(0) << 1, 0.01;
  EXPECT_EQ(FullLu(A).rcond(), 0);
  A(1, 1) = 1;
  EXPECT_GT(FullLu(A).rcond(), 0.5);
}

TEST(dense, least_squares_takes_the_shortest_solution) {
  const MatX A = of_rank_two();
  const VecX wanted = A.transpose() * Vec<3>(0.5, -1, 2);  // in the row space
  const LeastSquares solver(A, 1e-9);
  EXPECT_LT((solver.solve(A * wanted) - wanted).norm(), 1e-13);
  EXPECT_LT((A.transpose() * solver.solve_transposed(wanted) - wanted).norm(), 1e-13);
}

TEST(dense, symmetric_matrices_have_real_eigenvalues) {
  MatX A(2, 2);
  A << 2, 1, 1, 2;
  const SymmetricEigen eigen = symmetric_eigen(A);
  EXPECT_TRUE(same(eigen.values[0], 1, 1));
  EXPECT_TRUE(same(eigen.values[1], 3, 1));
  EXPECT_LT((congruent(eigen.vectors, A) - MatX(eigen.values.asDiagonal())).norm(), 1e-15);
  ASSERT_TRUE(cholesky(A));
  EXPECT_LT((product(*cholesky(A), cholesky(A)->transpose()) - A).norm(), 1e-15);
  EXPECT_FALSE(cholesky(-A));
  EXPECT_TRUE(same(singular_values(A)[0], 3, 1));
  MatX turn(2, 2);
  turn << 0, -1, 1, 0;
  for (const std::complex<double>& value : general_eigenvalues(turn))
    EXPECT_TRUE(same(std::abs(value.imag()), 1, 1));
}
}  // namespace
}  // namespace mubody::testing
