// Tangents, weights and |B| of equations J ṗ = 0 with random numbers, computed in two ways.
#include "mubody/solvers/variable_choice.h"

#include <random>

#include <gtest/gtest.h>

#include "mubody/math/dense.h"

namespace mubody::testing {
namespace {
MatX random_matrix(std::mt19937& random, int rows, int columns) {
  std::normal_distribution<double> normal;
  return MatX::NullaryExpr(rows, columns, [&] { return normal(random); });
}

double norm(const MatX& B) { return singular_values(B)[0]; }

TEST(variable_choice, finds_the_tangent) {
  std::mt19937 random(3);
  for (int f = 1; f <= 4; ++f) {
    const int n = 8;
    MatX J = random_matrix(random, n - f, n);
    // Adds two dependent rows, one row of round-off, and one that is much larger.
    J.conservativeResize(n - f + 3, n);
    J.row(n - f) = J.row(0) + 2 * J.row(1);
    J.row(n - f + 1) = -3 * J.row(1);
    J.row(n - f + 2) = 1e-16 * random_matrix(random, 1, n);
    J.row(2) *= 1e5;
    const VariableChoice c = choose_variables(J);
    ASSERT_EQ(c.freedoms, f);
    ASSERT_EQ(c.rank, n - f);
    EXPECT_LT(product(J, c.V).norm(), 1e-12 * J.norm());
    EXPECT_LT((transposed_product(c.V, c.V) - MatX::Identity(f, f)).norm(), 1e-13);
    // The projector on the null space is the same from singular vectors.
    const MatX V = right_singular(J).vectors.rightCols(f);
    EXPECT_LT((product(V, V.transpose()) - product(c.V, c.V.transpose())).norm(), 1e-9);
    EXPECT_NEAR(c.weights.squaredNorm(), f, 1e-12) << "weights share the freedoms among the variables";
    for (const auto& set : {c.lu, c.qr, c.svd, c.best}) {
      ASSERT_EQ(int(set.size()), f);
      const MatX B = velocity_coefficients(c.V, set);
      EXPECT_LT(product(J, B).norm(), 1e-9 * J.norm() * B.norm());
      for (int k = 0; k < f; ++k)
        EXPECT_NEAR((B.row(set[std::size_t(k)]) - MatX::Identity(f, f).row(k)).norm(), 0, 1e-10);
      EXPECT_NEAR(norm(B) * hold_of(c.V, set), 1, 1e-10);
      EXPECT_GE(norm(B), 1 - 1e-12) << "eq. 4.5.16";
      EXPECT_GE(hold_of(c.V, c.best), hold_of(c.V, set) * (1 - 1e-12));
    }
    if (f == 1) {
      Eigen::Index largest = 0;
      c.weights.maxCoeff(&largest);
      EXPECT_EQ(c.best, VariableSet{int(largest)});
    }
  }
}

// Condition numbers by eigenvalues of AᵀA in place of singular values.
TEST(variable_choice, tells_condition_numbers) {
  std::mt19937 random(5);
  const MatX J = random_matrix(random, 4, 6);
  const VariableChoice c = choose_variables(J);
  const auto condition = [&](const MatX& rows) {
    MatX A(J.rows() + rows.rows(), J.cols());
    A << J, rows;
    const VecX values = symmetric_eigen(transposed_product(A, A)).values;
    return std::sqrt(values[values.size() - 1] / values[0]);
  };
  EXPECT_NEAR(c.condition, condition(c.V.transpose()), 1e-10 * c.condition);
  MatX held = MatX::Zero(2, 6);
  held(0, 1) = held(1, 4) = 1;
  EXPECT_NEAR(condition_with(J, {1, 4}), condition(held), 1e-9 * condition(held));
}

TEST(variable_choice, knows_the_extremes) {
  const VariableChoice open = choose_variables(MatX(0, 3));  // an open chain: everything is free
  EXPECT_EQ(open.freedoms, 3);
  EXPECT_EQ(open.best, (VariableSet{0, 1, 2}));
  EXPECT_EQ(open.lu, open.best);
  EXPECT_DOUBLE_EQ(open.condition, 1);
  const VariableChoice rigid = choose_variables(MatX::Identity(3, 3));
  EXPECT_EQ(rigid.freedoms, 0);
  EXPECT_TRUE(rigid.best.empty());
  // The second variable stands still: it cannot move the others.
  const VariableChoice still = choose_variables((MatX(1, 2) << 0, 1).finished());
  EXPECT_EQ(still.best, VariableSet{0});
  EXPECT_TRUE(std::isinf(condition_with((MatX(1, 2) << 0, 1).finished(), {1})));
}

// There are too many sets of 12 of 30 to try: single exchanges must do as well as any decomposition.
TEST(variable_choice, chooses_among_very_many_sets) {
  std::mt19937 random(9);
  const VariableChoice c = choose_variables(random_matrix(random, 18, 30));
  for (const auto& set : {c.lu, c.qr, c.svd}) EXPECT_GE(hold_of(c.V, c.best), hold_of(c.V, set));
}
}  // namespace
}  // namespace mubody::testing
