// Runge-Kutta tables against the order conditions: Σ_i b_i Φ_i(τ) = 1 / γ(τ) for every rooted tree τ up to the order.
// A table with a wrong coefficient does not pass.  Hairer, Nørsett & Wanner, Solving ODEs I, theorem II.2.13.
#include <gtest/gtest.h>

#include "mubody/integrators/dormand_prince.h"
#include "mubody/integrators/euler.h"
#include "mubody/integrators/heun.h"
#include "mubody/integrators/merson.h"
#include "mubody/integrators/rk4.h"
#include "mubody/integrators/verner.h"
#include "tests/integrators/equations.h"
#include "tests/near.h"

namespace mubody::testing {
namespace {
/// A root with trees on it.
struct Tree {
  std::vector<Tree> branches;

  int size() const {
    int n = 1;
    for (const Tree& b : branches) n += b.size();
    return n;
  }
  double density() const {
    double gamma = size();
    for (const Tree& b : branches) gamma *= b.density();
    return gamma;
  }
  /// Φ_i: the product over the branches of Σ_j a_ij Φ_j(branch).
  std::vector<double> weights(const Tableau& T) const {
    std::vector<double> phi(T.b.size(), 1);
    for (const Tree& b : branches) {
      const std::vector<double> of_branch = b.weights(T);
      for (std::size_t i = 0; i < phi.size(); ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < T.a[i].size(); ++j) sum += T.a[i][j] * of_branch[j];
        phi[i] *= sum;
      }
    }
    return phi;
  }
};

std::vector<Tree> trees(int size);

// All sets of branches with `size` vertices in all, none larger than (most, index) in the list of all trees.
void grow(int size, int most, std::size_t index, Tree& tree, std::vector<Tree>& found) {
  if (size == 0) {
    found.push_back(tree);
    return;
  }
  for (int n = std::min(size, most); n >= 1; --n) {
    const std::vector<Tree> all = trees(n);
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (n == most && k > index) break;
      tree.branches.push_back(all[k]);
      grow(size - n, n, k, tree, found);
      tree.branches.pop_back();
    }
  }
}

std::vector<Tree> trees(int size) {
  std::vector<Tree> found;
  Tree root;
  grow(size - 1, size - 1, std::size_t(-1), root, found);
  return found;
}

// Largest violation of the conditions of one order.
double violation(const Tableau& T, const std::vector<double>& b, int order) {
  double worst = 0;
  for (const Tree& tree : trees(order)) {
    const std::vector<double> phi = tree.weights(T);
    double sum = 0;
    for (std::size_t i = 0; i < b.size(); ++i) sum += b[i] * phi[i];
    worst = std::max(worst, std::abs(sum - 1 / tree.density()));
  }
  return worst;
}

TEST(trees, are_as_many_as_known) {
  const std::size_t number[] = {1, 1, 2, 4, 9, 20, 48};
  for (int n = 1; n <= 7; ++n) EXPECT_EQ(trees(n).size(), number[n - 1]);
}

void check(const char* name, const Tableau& T, int order, int embedded) {
  constexpr double exact = 1e-14, far = 1e-5;
  for (std::size_t i = 0; i < T.c.size(); ++i) {
    double sum = 0;
    for (double a : T.a[i]) sum += a;
    EXPECT_NEAR(sum, T.c[i], exact) << name << " row " << i;
  }
  for (int p = 1; p <= order; ++p) EXPECT_LT(violation(T, T.b, p), exact) << name << " order " << p;
  EXPECT_GT(violation(T, T.b, order + 1), far) << name << " is better than declared";
  if (T.e.empty()) return;
  std::vector<double> b = T.b;
  for (std::size_t i = 0; i < b.size(); ++i) b[i] -= T.e[i];
  for (int p = 1; p <= embedded; ++p) EXPECT_LT(violation(T, b, p), exact) << name << " embedded, order " << p;
  EXPECT_GT(violation(T, b, embedded + 1), far) << name << ": its estimate is no estimate";
}

TEST(tables, satisfy_the_order_conditions) {
  check("euler", Euler::table(), 1, 0);
  check("heun", Heun::table(), 2, 0);
  check("rk4", Rk4::table(), 4, 0);
  check("merson", Merson::table(), 4, 3);
  check("dormand-prince", DormandPrince::table(), 5, 4);
  check("verner", Verner::table(), 6, 5);
}

// For linear equations with constant coefficients only the tall trees matter, bᵀA^(p−1)1 = 1/p!.  Merson's
// second formula satisfies these up to order 5, so that its estimate is the error itself.
TEST(merson, estimates_the_error_of_linear_equations_exactly) {
  const Tableau& T = Merson::table();
  std::vector<double> power(5, 1);
  double factorial = 1;
  for (int p = 1; p <= 6; ++p) {
    factorial *= p;
    double sum = 0;
    for (std::size_t i = 0; i < 5; ++i) sum += (T.b[i] - T.e[i]) * power[i];
    if (p <= 5) {
      EXPECT_TRUE(same(sum, 1 / factorial, 1)) << p;
    } else {
      EXPECT_GT(std::abs(sum - 1 / factorial), 1e-4);
    }
    std::vector<double> next(5);
    for (std::size_t i = 0; i < 5; ++i)
      for (std::size_t j = 0; j < T.a[i].size(); ++j) next[i] += T.a[i][j] * power[j];
    power = next;
  }
}

/// Keeps the last state whose rates were asked for.
struct Kept final : Ode {
  void rates(double t, const In& y, Out dy) override { inner.rates(t, y, dy), time = t, state = y; }
  bool after_step(double t, Out y) override {
    is_there = is_there && t == time && VecX(y) == state;
    ++steps;
    return false;
  }
  Resonance inner;
  double time = 0;
  VecX state;
  bool is_there = true;
  long steps = 0;
};

// To the last digit, so that what was computed for it serves the end of the step.
TEST(dormand_prince, takes_its_last_stage_at_the_end_of_the_step) {
  Kept f;
  const auto method = DormandPrince::make({});
  method->start(f, 0.1, Resonance::exact(0.1), 7.3);
  while (method->t() < 7.3) ASSERT_TRUE(method->advance(f));
  EXPECT_TRUE(f.is_there);
  EXPECT_GT(f.steps, 5);
}
}  // namespace
}  // namespace mubody::testing
