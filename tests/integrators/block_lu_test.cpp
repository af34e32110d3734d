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
  /// Fills a matrix with A times a number.
  template <class T> void fill(const BlockStructure& places, BlockLu<T>& lu, T times) const {
    std::ranges::fill(lu.numbers(), T(0));
    for (const auto& [i, j] : pairs)
      for (int r = 0; r < sizes[std::size_t(i)]; ++r)
        for (int c = 0; c < sizes[std::size_t(j)]; ++c)
          lu.numbers()[std::size_t(places.place(i, r, j, c))] =
              times * A(first[std::size_t(i)] + r, first[std::size_t(j)] + c);
  }
};

TEST(block_lu, solves_as_dense_elimination_does) {
  std::mt19937 random(7);
  const Complex turned(0.6, -1.3);
  for (int trial = 0; trial < 60; ++trial) {
    const Blocks b(random, 2 + trial % 7, trial % 5);
    const auto structure = std::make_shared<const BlockStructure>(b.sizes, b.pairs, b.empty);
    BlockLu<double> lu(structure);
    BlockLu<Complex> complex(structure);
    const Lu dense(b.A);
    const VecX right = VecX::LinSpaced(b.A.rows(), -1, 2), expected = dense.solve(right);
    const double small = 1e-13 / dense.rcond() * expected.lpNorm<Eigen::Infinity>();
    for (const int again : {1, 2}) {  // its memory is used anew
      b.fill(*structure, lu, 1.0);
      ASSERT_TRUE(lu.factor()) << trial << ' ' << again;
      VecX x = right;
      lu.solve(x.data());
      EXPECT_LE((x - expected).lpNorm<Eigen::Infinity>(), small) << trial;
      b.fill(*structure, complex, turned);
      ASSERT_TRUE(complex.factor()) << trial << ' ' << again;
      Eigen::VectorXcd z = right.cast<Complex>();
      complex.solve(z.data());
      for (Eigen::Index k = 0; k < z.size(); ++k)
        EXPECT_LE(std::abs(z[k] * turned - expected[k]), small) << trial;
    }
  }
}

TEST(block_lu, says_where_a_pivot_is_zero) {
  const auto structure = std::make_shared<const BlockStructure>(
      std::vector<int>{1, 1}, std::vector<std::pair<int, int>>{{0, 0}, {0, 1}},
      std::vector<bool>{false, false});
  BlockLu<double> lu(structure);
  lu.numbers()[std::size_t(structure->place(0, 0, 0, 0))] = 1;
  lu.numbers()[std::size_t(structure->place(0, 0, 1, 0))] = 3;
  EXPECT_FALSE(lu.factor());
}
}  // namespace
}  // namespace mubody::testing
