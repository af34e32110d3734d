// The solver against dense factorizations of the same equations.
#include "mubody/math/saddle_point.h"

#include <array>
#include <random>

#include <gtest/gtest.h>

#include "mubody/math/dense.h"

namespace mubody::testing {
namespace {
// Random blocks for row groups that join pairs of column groups; body -1 is the ground.
struct Problem {
  SaddleStructure s;
  std::vector<double> M, D;
  VecX g, c;

  Problem(int bodies, int width, const std::vector<std::array<int, 3>>& joints, unsigned seed) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    s.n = bodies * width;
    for (int b = 0; b < bodies; ++b) {
      s.M.push_back({b * width, width, b * width * width});
      MatX A = MatX::NullaryExpr(width, width, [&] { return uniform(engine); });
      if (width == 3) A = A.diagonal().asDiagonal();
      const MatX block = product(A, A.transpose()) + MatX::Identity(width, width);
      M.insert(M.end(), block.data(), block.data() + width * width);
    }
    for (const auto& [i, j, rows] : joints) {
      for (int b : {i, j}) {
        if (b < 0) continue;
        s.D.push_back({s.m, rows, b * width, width, int(D.size())});
        for (int k = 0; k < rows * width; ++k) D.push_back(uniform(engine));
      }
      s.m += rows;
    }
    g = VecX::NullaryExpr(s.n, [&] { return uniform(engine); });
    c = VecX::NullaryExpr(s.m, [&] { return uniform(engine); });
  }

  std::pair<VecX, VecX> dense() const {
    MatX K = MatX::Zero(s.n + s.m, s.n + s.m);
    K.topLeftCorner(s.n, s.n) = s.full_mass(M);
    K.bottomLeftCorner(s.m, s.n) = s.full(D);
    K.topRightCorner(s.n, s.m) = s.full(D).transpose();
    VecX rhs(s.n + s.m);
    rhs << g, c;
    const VecX x = FullLu(K).solve(rhs);
    return {x.head(s.n), x.tail(s.m)};
  }
  std::pair<VecX, VecX> solved(bool redundant = false) const {
    SaddlePoint solver(s, redundant);
    solver.set_mass(M);
    solver.factor(D);
    VecX a(s.n), lambda(s.m);
    solver.solve(g, c, a, lambda);
    return {a, lambda};
  }
};

std::vector<std::array<int, 3>> ring(int bodies, int rows) {
  std::vector<std::array<int, 3>> joints{{-1, 0, rows}};
  for (int b = 1; b < bodies; ++b) joints.push_back({b - 1, b, rows});
  joints.push_back({bodies - 1, -1, 1});
  return joints;
}

// A limb of a tree in joint coordinates may have any number of velocities, and a direction without mass.
TEST(saddle_point, wide_blocks_may_be_singular) {
  Problem p(2, 9, {{-1, 0, 3}, {0, 1, 5}}, 4);
  Eigen::Map<MatX> block(p.M.data(), 9, 9);
  const VecX n = VecX::LinSpaced(9, -1, 2).normalized();
  const MatX without = MatX::Identity(9, 9) - n * n.transpose();
  block = congruent(without, block);
  const auto [a, lambda] = p.solved();
  const auto [a0, lambda0] = p.dense();
  const double scale = 1 + a0.norm() + lambda0.norm();
  EXPECT_LT((a - a0).norm(), 1e-8 * scale);
  EXPECT_LT((lambda - lambda0).norm(), 1e-8 * scale);
}

// x = 1 twice, slightly off the constraints: the second row is tilted by 1e-5 towards y and contradicts the
// first by as much.  Taken literally it would require y = 1.  Half the load in a tilted row gives y = 1e-5 / 2;
// with S + ε diag S, the solution and every round of refinement add 1e-10 / 2ε.
TEST(saddle_point, redundant_rows_that_contradict_each_other_a_little_are_not_followed) {
  constexpr double off = 1e-5;
  SaddleStructure s;
  s.n = 3, s.m = 2;
  s.M = {{0, 3, 0}};
  s.D = {{0, 1, 0, 3, 0}, {1, 1, 0, 3, 3}};
  const std::vector<double> M{1, 0, 0, 0, 1, 0, 0, 0, 1}, D{1, 0, 0, 1, off, 0};
  SaddlePoint solver(s, true);
  solver.set_mass(M);
  VecX a(3), lambda(2);
  const auto solved = [&] {
    solver.factor(D);
    solver.solve(VecX::Zero(3), Vec<2>(1, 1 + off), a, lambda);
    EXPECT_NEAR(a[0], 1, off);
    return std::abs(a[1]);
  };
  const double plain = solved();  // ε = 1e-7
  solver.choose_softness(D);      // ε = 1e-4
  const double chosen = solved();
  EXPECT_NEAR(chosen, off / 2, 4 * off * off / 2e-4);
  EXPECT_LT(chosen, 0.01 * plain);
}

TEST(saddle_point, agrees_with_a_dense_factorization) {
  unsigned seed = 1;
  for (int bodies : {1, 2, 3, 7, 20})
    for (int width : {3, 6, 4, 9, 17})
      for (int rows : {1, 2, 3}) {
        const Problem p(bodies, width, ring(bodies, std::min(rows, width - 1)), seed++);
        const auto [a, lambda] = p.solved();
        const auto [a0, lambda0] = p.dense();
        const double scale = 1 + a0.norm() + lambda0.norm();
        EXPECT_LT((a - a0).norm(), 1e-9 * scale) << bodies << " bodies, width " << width << ", rows " << rows;
        EXPECT_LT((lambda - lambda0).norm(), 1e-8 * scale);
      }
}

// Pins in the plane, two rows each with diagonal masses, have a solver of their own.  Tested are a closed
// chain, a ladder, and a net, whose factors fill in.
// Columns that no equation holds may have another width than those that are held.
TEST(saddle_point, columns_without_equations_may_be_wider_or_narrower) {
  for (const int width : {3, 4, 6})
    for (const int free : {1, 2, 5, 7}) {
      Problem p(2, width, {{-1, 0, 2}, {0, 1, 1}}, 5);
      for (auto& b : p.s.D) b.column += free;
      for (auto& b : p.s.M) b.column += free;
      p.s.M.insert(p.s.M.begin(), {0, free, int(p.M.size())});
      const MatX block = 2 * MatX::Identity(free, free);
      p.M.insert(p.M.end(), block.data(), block.data() + free * free);
      p.s.n += free;
      p.g = VecX::LinSpaced(p.s.n, -1, 2);
      const auto [a, lambda] = p.solved();
      const auto [dense_a, dense_lambda] = p.dense();
      EXPECT_LT((a - dense_a).norm(), 1e-11) << width << ", " << free;
      EXPECT_LT((lambda - dense_lambda).norm(), 1e-11) << width << ", " << free;
    }
}

TEST(saddle_point, pins_in_the_plane_agree_with_a_dense_factorization) {
  std::vector<std::array<int, 3>> loop{{-1, 0, 2}, {0, 1, 2}, {1, 2, 2}, {2, -1, 2}}, ladder, net{{-1, 0, 2}};
  constexpr int windows = 12, side = 4;
  for (int k = 0; k <= windows; ++k) ladder.push_back({-1, k, 2});
  for (int k = 0; k < windows; ++k) {
    ladder.push_back({k, windows + 1 + k, 2});
    ladder.push_back({windows + 1 + k, k + 1, 2});
  }
  for (int r = 0; r < side; ++r)
    for (int c = 0; c < side; ++c) {
      if (c + 1 < side) net.push_back({side * r + c, side * r + c + 1, 2});
      if (r + 1 < side && c != 1) net.push_back({side * r + c, side * (r + 1) + c, 2});
    }
  unsigned seed = 100;
  for (const auto& [bodies, joints] :
       {std::pair(3, loop), std::pair(2 * windows + 1, ladder), std::pair(side * side, net)}) {
    const Problem p(bodies, 3, joints, seed++);
    ASSERT_LE(p.s.m, p.s.n);
    const auto [a, lambda] = p.solved();
    const auto [a0, lambda0] = p.dense();
    const double scale = 1 + a0.norm() + lambda0.norm();
    EXPECT_LT((a - a0).norm(), 1e-9 * scale) << bodies << " bodies";
    EXPECT_LT((lambda - lambda0).norm(), 1e-8 * scale) << bodies << " bodies";
  }
}

// The same equations with one row group split in two use the general solver: both must find the same pivot.
TEST(saddle_point, pins_in_the_plane_are_as_independent_as_any_rows) {
  const Problem pins(3, 3, {{-1, 0, 2}, {0, 1, 2}, {1, 2, 2}}, 7);
  Problem mixed = pins;
  mixed.s.m += 1;  // an extra row on a separate body
  mixed.s.n += 3;
  mixed.s.M.push_back({9, 3, 27});
  for (const double x : {1, 0, 0, 0, 1, 0, 0, 0, 1}) mixed.M.push_back(x);
  mixed.s.D.push_back({6, 1, 9, 3, int(mixed.D.size())});
  for (const double x : {1, 0, 0}) mixed.D.push_back(x);
  SaddlePoint fast(pins.s), general(mixed.s);
  fast.set_mass(pins.M), general.set_mass(mixed.M);
  fast.factor(pins.D), general.factor(mixed.D);
  EXPECT_NEAR(fast.independence(), general.independence(), 1e-12 * general.independence());
  EXPECT_EQ(fast.weakest_row(), general.weakest_row());
}

// D a − C λ = c against the full matrix with −C in its corner; and the same equations without multipliers,
// (M + Dᵀ C⁻¹ D) a = g + Dᵀ C⁻¹ c.  Rows may then depend on each other.
TEST(saddle_point, rows_that_give_way) {
  for (const int width : {3, 6, 17})
    for (const int rows : {1, 2})
      for (const bool twice : {false, true}) {
        std::vector<std::array<int, 3>> joints = ring(4, rows);
        if (twice) joints.push_back({-1, 0, rows});
        Problem p(4, width, joints, 11);
        if (twice)  // the last joint is the first once more
          std::copy_n(p.D.begin(), rows * width, p.D.end() - rows * width);
        const VecX C = VecX::LinSpaced(p.s.m, 1e-7, 1e-3);
        const auto [M, D] = std::pair(p.s.full_mass(p.M), p.s.full(p.D));
        const VecX weights = C.cwiseInverse();
        const MatX K = M + product(D.transpose() * weights.asDiagonal(), D);
        const VecX a0 = FullLu(K).solve(p.g + D.transpose() * weights.cwiseProduct(p.c));
        const VecX lambda0 = weights.cwiseProduct(D * a0 - p.c);
        SaddlePoint solver(p.s, twice);
        solver.set_mass(p.M);
        solver.set_compliance(C);
        solver.factor(p.D);
        VecX a(p.s.n), lambda(p.s.m);
        solver.solve(p.g, p.c, a, lambda);
        // M + Dᵀ C⁻¹ D loses seven digits and its multipliers as many again; the residuals of what was solved do not.
        EXPECT_LT((a - a0).norm(), 1e-8 * (1 + a0.norm())) << width << ", " << rows << twice;
        EXPECT_LT((lambda - lambda0).norm(), 1e-5 * (1 + lambda0.norm()));
        EXPECT_LT((M * a + D.transpose() * lambda - p.g).norm(), 1e-12 * (1 + lambda.norm()));
        EXPECT_LT((D * a - C.cwiseProduct(lambda) - p.c).norm(), 1e-11 * (1 + a.norm()));
        EXPECT_GT(solver.yield(), 0);
      }
}

// Columns without a mobility stay, and the others do all that is asked for; with one of one, the shortest solution.
TEST(saddle_point, columns_that_stay) {
  for (const int width : {3, 6, 17}) {
    const Problem p(3, width, ring(3, 2), 12);
    const MatX D = p.s.full(p.D);
    VecX w = VecX::Ones(p.s.n), a(p.s.n), lambda(p.s.m);
    SaddlePoint solver(p.s);
    solver.set_inverse_mass(w);
    solver.factor(p.D);
    solver.solve(VecX::Zero(p.s.n), p.c, a, lambda);
    const VecX shortest = LeastSquares(D, 1e-12).solve(p.c);
    EXPECT_LT((a - shortest).norm(), 1e-11 * (1 + shortest.norm())) << width;
    w[1] = w[p.s.n - 1] = 0;
    solver.set_inverse_mass(w);
    solver.factor(p.D);
    solver.solve(VecX::Zero(p.s.n), p.c, a, lambda);
    EXPECT_EQ(a[1], 0);
    EXPECT_EQ(a[p.s.n - 1], 0);
    EXPECT_LT((D * a - p.c).norm(), 1e-10 * (1 + a.norm())) << width;
    const VecX others = w.asDiagonal() * (D.transpose() * lambda) + a;
    EXPECT_LT(others.norm(), 1e-10 * (1 + a.norm())) << width;
  }
}

TEST(saddle_point, a_hub_with_many_joints) {
  std::vector<std::array<int, 3>> joints;
  for (int b = 1; b < 30; ++b) joints.push_back({0, b, 2});
  const Problem p(30, 3, joints, 5);
  EXPECT_LT((p.solved().first - p.dense().first).norm(), 1e-10);
}

// A body without inertia whose motion the constraints determine.
TEST(saddle_point, a_massless_coordinate_is_no_problem) {
  Problem p(1, 3, {{-1, 0, 2}}, 3);
  p.M[8] = 0;
  const auto [a, lambda] = p.solved();
  const auto [a0, lambda0] = p.dense();
  EXPECT_LT((a - a0).norm(), 1e-13 * (1 + a0.norm()));
  EXPECT_LT((lambda - lambda0).norm(), 1e-13 * (1 + lambda0.norm()));
}

// The same joint twice: the motion is that of one joint, and the two share the load evenly, as far as round-off of
// 1e-16 over a softness of 1e-7 lets them.
TEST(saddle_point, a_repeated_joint_gives_the_motion_of_one) {
  const Problem once(2, 3, {{-1, 0, 2}, {0, 1, 2}}, 9);
  Problem twice = once;
  for (int k = 0; k < 2; ++k) {
    SaddleStructure::Block b = once.s.D[std::size_t(k + 1)];
    std::copy_n(once.D.begin() + b.offset, 6, std::back_inserter(twice.D));
    b.row = 4;
    b.offset = int(twice.D.size()) - 6;
    twice.s.D.push_back(b);
  }
  twice.s.m = 6;
  twice.c.conservativeResize(6);
  twice.c.tail(2) = twice.c.segment(2, 2);
  const auto [a, lambda] = twice.solved(true);
  const auto [a0, lambda0] = once.solved();
  EXPECT_LT((a - a0).norm(), 1e-12);
  EXPECT_LT((lambda.segment(2, 2) - 0.5 * lambda0.tail(2)).norm(), 1e-8);
  EXPECT_LT((lambda.tail(2) - 0.5 * lambda0.tail(2)).norm(), 1e-8);
}

// A row that is dependent at this moment only, and not announced, gives the least-squares answer.
TEST(saddle_point, a_momentary_dependence_is_solved_in_the_least_squares_sense) {
  Problem p(1, 3, {{-1, 0, 1}, {-1, 0, 1}}, 11);
  for (int k = 0; k < 3; ++k) p.D[std::size_t(3 + k)] = 2 * p.D[std::size_t(k)];
  p.c[1] = 2 * p.c[0];
  SaddlePoint solver(p.s);
  solver.set_mass(p.M);
  solver.factor(p.D);
  EXPECT_LT(solver.independence(), 1e-13);
  VecX a(3), lambda(2);
  solver.solve(p.g, p.c, a, lambda);
  EXPECT_LT((p.s.full(p.D) * a - p.c).norm(), 1e-12);
  EXPECT_LT((p.s.full_mass(p.M) * a + p.s.full(p.D).transpose() * lambda - p.g).norm(), 1e-12);
}

// Joints of one body are all neighbours: their number decides, before memory is taken for them.
TEST(saddle_point, a_body_with_thousands_of_joints_is_refused_at_once) {
  Problem wheel(1, 3, std::vector<std::array<int, 3>>(100'000, {0, -1, 1}), 13);
  EXPECT_THROW(SaddlePoint solver(wheel.s), TooDense);
}

// As corrections of gaps have none: blocks of any width, pins of the plane, redundant rows, and rows that depend on each other.
TEST(saddle_point, forces_that_are_left_out_are_zeros) {
  const auto compare = [](const Problem& p, bool redundant) {
    SaddlePoint solver(p.s, redundant);
    solver.set_mass(p.M);
    solver.factor(p.D);
    VecX a(p.s.n), lambda(p.s.m), a0(p.s.n), lambda0(p.s.m);
    solver.solve(VecX(), p.c, a, lambda);
    solver.solve(VecX(VecX::Zero(p.s.n)), p.c, a0, lambda0);
    const double scale = a0.norm() + lambda0.norm();
    EXPECT_LE((a - a0).norm() + (lambda - lambda0).norm(), 1e-14 * scale);
    EXPECT_GT(scale, 0);
  };
  for (const int width : {3, 4, 6, 9, 17}) compare(Problem(3, width, ring(3, 2), 19), false);
  compare(Problem(3, 3, {{-1, 0, 2}, {0, 1, 2}, {1, 2, 2}, {2, -1, 2}}, 20), false);
  Problem twice(2, 3, {{-1, 0, 1}, {0, 1, 1}, {0, 1, 1}}, 21);
  std::copy_n(twice.D.begin() + 3, 6, twice.D.begin() + 9);
  twice.c[2] = twice.c[1];
  compare(twice, true);
  compare(twice, false);
}

TEST(saddle_point, a_copy_of_the_analysis_solves_as_its_original_does) {
  const Problem p(2, 3, {{-1, 0, 2}, {0, 1, 2}}, 17);
  const SaddlePoint analysed(p.s, true);
  SaddlePoint copy(analysed, false);
  copy.set_mass(p.M);
  copy.factor(p.D);
  VecX a(p.s.n), lambda(p.s.m);
  copy.solve(p.g, p.c, a, lambda);
  const auto [a0, lambda0] = p.solved();
  EXPECT_LT((a - a0).norm() + (lambda - lambda0).norm(), 1e-13);
}
}  // namespace
}  // namespace mubody::testing
