// Elimination in blocks: against dense elimination, for patterns that are random, and for constraints.
#include "mubody/integrators/block_lu.h"

#include <random>

#include "mubody/math/dense.h"

namespace mubody::testing {
namespace {
struct Blocks {
  std::vector<int> sizes, first;
  std::vector<std::pair<int, int>> pairs;
  std::vector<bool> empty;
  MatX A;

  explicit Blocks(std::mt19937& random, int bodies, int joints) {
    std::uniform_real_distribution<double> any(-1, 1);
    std::uniform_int_distribution<int> size(1, 6), body(0, bodies - 1);
    int n = 0;
    for (int k = 0; k < bodies + joints; ++k) {
      empty.push_back(k >= bodies);
      sizes.push_back(k < bodies ? 2 + size(random) % 5 : 1);
      first.push_back(n);
      n += sizes.back();
      pairs.push_back({k, k});
    }
    for (int k = 0; k < bodies; ++k) pairs.push_back({body(random), body(random)});
    for (int k = bodies; k < bodies + joints; ++k) {
      const int on = (k - bodies) % bodies, other = body(random);
      for (const int b : {on, other}) pairs.push_back({k, b}), pairs.push_back({b, k});
    }
    A = MatX::Zero(n, n);
    for (const auto& [i, j] : pairs)
      for (int r = 0; r < sizes[std::size_t(i)]; ++r)
        for (int c = 0; c < sizes[std::size_t(j)]; ++c)
          if (i != j || !empty[std::size_t(i)])
            A(first[std::size_t(i)] + r, first[std::size_t(j)] + c) = any(random);
  }
  void fill(BlockLu& lu) const {
    std::ranges::fill(lu.numbers(), 0);
    for (const auto& [i, j] : pairs)
      for (int r = 0; r < sizes[std::size_t(i)]; ++r)
        for (int c = 0; c < sizes[std::size_t(j)]; ++c)
          lu.numbers()[std::size_t(lu.place(i, r, j, c))] =
              A(first[std::size_t(i)] + r, first[std::size_t(j)] + c);
  }
};

TEST(block_lu, solves_as_dense_elimination_does) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 60; ++trial) {
    const Blocks b(random, 2 + trial % 7, trial % 5);
    BlockLu lu(b.sizes, b.pairs, b.empty);
    const Lu dense(b.A);
    const VecX right = VecX::LinSpaced(b.A.rows(), -1, 2);
    for (const int again : {1, 2}) {  // its memory is used anew
      b.fill(lu);
      ASSERT_TRUE(lu.factor()) << trial << ' ' << again;
      VecX x = right;
      lu.solve(x);
      const VecX expected = dense.solve(right);
      EXPECT_LE((x - expected).lpNorm<Eigen::Infinity>(),
                1e-13 / dense.rcond() * expected.lpNorm<Eigen::Infinity>())
          << trial;
    }
  }
}

TEST(block_lu, says_where_a_pivot_is_zero) {
  BlockLu lu({1, 1}, {{0, 0}, {0, 1}}, {false, false});
  lu.numbers()[std::size_t(lu.place(0, 0, 0, 0))] = 1;
  lu.numbers()[std::size_t(lu.place(0, 0, 1, 0))] = 3;
  EXPECT_FALSE(lu.factor());
}
}  // namespace
}  // namespace mubody::testing
