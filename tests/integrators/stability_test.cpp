// Roots in the z-plane against published numbers, closed forms and direct simulation.

#include <gtest/gtest.h>

#include "mubody/integrators/integrator.h"
#include "tests/near.h"
#include "tests/reference.h"

namespace mubody::testing {
namespace {
StabilityPolynomial method(const char* name) { return find_integrator(name)->stability(); }
double degrees(double angle) { return angle * 180 / pi; }

// R is the exponential up to the order of the method; beyond, Dormand and Prince have z⁶/600 (Hairer & Wanner,
// Solving ODEs II, eq. IV.2.11).
TEST(stability, polynomials_follow_from_the_tables) {
  const auto expect = [](const char* name, const std::vector<double>& R) {
    const StabilityPolynomial m = method(name);
    ASSERT_EQ(m.p.size(), 2U) << name;
    EXPECT_EQ(m.p[1], std::vector<double>{1}) << name;
    ASSERT_EQ(m.p[0].size(), R.size()) << name;
    for (std::size_t k = 0; k < R.size(); ++k) EXPECT_TRUE(same(-m.p[0][k], R[k], 1)) << name << " z^" << k;
  };
  expect("euler", {1, 1});
  expect("heun", {1, 1, 1. / 2});
  expect("rk4", {1, 1, 1. / 2, 1. / 6, 1. / 24});
  expect("merson", {1, 1, 1. / 2, 1. / 6, 1. / 24, 1. / 144});
  expect("dormand-prince", {1, 1, 1. / 2, 1. / 6, 1. / 24, 1. / 120, 1. / 600});
}

// The root next to 1 is exp(μ) up to an error C μ^(p+1) (1 + O(μ)); between μ and −μ the next term cancels.
TEST(stability, agrees_with_the_order_of_every_integrator) {
  for (const IntegratorEntry& kind : integrator_kinds())
    for (int order = kind.lowest; order <= std::min(kind.order, 8); ++order) {  // above 8: rounding
      const auto error = [&](double mu) {
        double product = 1;
        for (const double x : {mu, -mu}) {
          double least = 1;
          for (const Complex& zeta : kind.stability_at(order).roots(x))
            least = std::min(least, std::abs(zeta - std::exp(x)));
          product *= least;
        }
        return std::sqrt(product);
      };
      EXPECT_NEAR(std::log2(error(0.1) / error(0.05)), order + 1, 0.2) << kind.info.name;
    }
}

// Flores & Lankarani (2012), Table 1, with two corrections: (10, 14) is printed with 1.3°, (1000, 1414) with 0.990.
// |z|² = β²h² − 2αh + 1 for complex roots, 1 − αh for double ones.
TEST(stability, reproduces_the_published_table_of_euler) {
  struct Row {
    double alpha, beta, size, angle;
    Decay decay;
    bool oscillates;
  };
  for (const Row& r : {Row{-5, -5, 1.005, 0, Decay::unstable, false},
                       {5, 5, 0.995, 0, Decay::stable, false},
                       {20, 20, 0.980, 0, Decay::stable, false},
                       {10, 14, 0.990, 0.567, Decay::stable, true},
                       {1000, 1414, 0.9997, 90, Decay::stable, true},
                       {0.8, 2100, 2.326, 64.6, Decay::unstable, true}}) {
    const Stability s = stability(method("euler"), {r.alpha, r.beta}, 1e-3);
    EXPECT_NEAR(s.largest(), r.size, r.alpha == 1000 ? 5e-5 : 5e-4) << r.alpha;
    EXPECT_NEAR(degrees(s.angle()), r.angle, r.alpha == 10 ? 5e-4 : 5e-2) << r.alpha;
    EXPECT_EQ(s.decay(), r.decay) << r.alpha;
    EXPECT_EQ(s.oscillates(), r.oscillates) << r.alpha;
    // Eq. 212: z² + (2αh − 2) z + (β²h² − 2αh + 1) = 0.
    const double ah = r.alpha * 1e-3, b2h2 = r.beta * r.beta * 1e-6;
    for (const DiscreteRoot& root : s.roots)
      EXPECT_LT(std::abs(root.z * root.z + (2 * ah - 2) * root.z + (b2h2 - 2 * ah + 1)), 1e-14) << r.alpha;
  }
}

struct Violation final : Ode {
  TestEquation e;
  explicit Violation(const TestEquation& equation) : e(equation) {}
  void rates(double, const In& y, Out dy) override { dy << y[1], -2 * e.alpha * y[1] - e.beta * e.beta * y[0]; }
  bool after_step(double, Out) override { return false; }
};

// The states (e, ė) after 0, 1, ... steps of one size, taken by the integrator itself.
std::vector<VecX> simulated(const IntegratorEntry& kind, const TestEquation& e, double h, int steps) {
  Violation f(e);
  StepControl control;
  control.step = h;
  control.max_step = h;
  control.rtol = 0.99;  // adaptive methods accept every step
  control.atol = 1e300;
  const auto integrator = kind.make(control);
  integrator->start(f, 0, Vec<2>(1, -0.3), 1000 * h);
  std::vector<VecX> states{integrator->y()};
  for (int k = 0; k < steps; ++k) {
    EXPECT_TRUE(integrator->advance(f));
    EXPECT_NEAR(integrator->t(), (k + 1) * h, 1e-12 * h * (k + 1));
    states.push_back(integrator->y());
  }
  return states;
}

// (e, ė) is a sum of eigenvectors (1, s₁) and (1, s₂); ė − s₂ e is a multiple of the first alone, on which the method
// acts as on y' = s₁ y: Σ_j p_j(hs₁) y_n+j = 0, for one-step methods y_n+1 = z₁ y_n.
// Over-, critically and under-damped: the response starts with speed one and satisfies its equation.
TEST(stability, response_satisfies_the_test_equation) {
  for (const TestEquation e : {TestEquation{20, 5}, {10, 9.9999}, {5, 5}, {5, 5 + 1e-9}, {5, 20}, {0, 3}}) {
    constexpr double h = 1e-4;
    EXPECT_EQ(e.response(0), 0);
    EXPECT_NEAR((e.response(h) - e.response(-h)) / (2 * h), 1, 1e-5);
    for (const double t : {0.05, 0.2, 0.5, 1.}) {
      const double before = e.response(t - h), now = e.response(t), after = e.response(t + h);
      const double rate = (after - before) / (2 * h), bend = (after - 2 * now + before) / (h * h);
      EXPECT_NEAR(bend + 2 * e.alpha * rate + e.beta * e.beta * now, 0, 2e-4)
          << e.alpha << ' ' << e.beta << ' ' << t;
    }
  }
}

TEST(stability, roots_are_those_of_a_simulation) {
  for (const IntegratorEntry& kind : integrator_kinds()) {
    if (kind.varies_order()) continue;
    for (const TestEquation& e : {TestEquation{5, 5}, {10, 14}, {20, 3}, {0.8, 21}, {0, 30}, {-5, -5}})
      for (const double h : {1e-3, 0.03, 0.2}) {
        const int steps = 20;
        const std::vector<VecX> y = simulated(kind, e, h, steps);
        const StabilityPolynomial pi = kind.stability();
        const int back = int(pi.p.size()) - 1;
        const auto s = e.roots();
        for (const int k : {0, 1}) {
          for (int n = 0; n + back <= steps; ++n) {
            Complex sum = 0;
            double size = 0;
            for (int j = 0; j <= back; ++j) {
              Complex p = 0;
              for (auto c = pi.p[j].rbegin(); c != pi.p[j].rend(); ++c) p = p * (h * s[k]) + *c;
              sum += p * (y[n + j][1] - s[1 - k] * y[n + j][0]);
              size += (1 + std::abs(p)) * y[n + j].norm() * (1 + std::abs(s[1 - k]));
            }
            EXPECT_LE(std::abs(sum), 1e-13 * size)
                << kind.info.name << " alpha " << e.alpha << " beta " << e.beta << " h " << h << " step " << n;
          }
        }
      }
  }
}

TEST(stability, verdict_is_that_of_a_long_simulation) {
  const IntegratorEntry& rk4 = *find_integrator("rk4");
  for (const TestEquation& e : {TestEquation{5, 5}, {10, 14}, {20, 3}, {0.8, 21}}) {
    const double limit = largest_step(rk4.stability(), e);
    for (const double share : {0.9, 0.99, 1.01, 1.1}) {
      const std::vector<VecX> y = simulated(rk4, e, share * limit, 300);
      EXPECT_EQ(y[300].norm() < y[150].norm(), share < 1) << e.alpha << " " << e.beta << " " << share;
      EXPECT_EQ(stability(rk4.stability(), e, share * limit).decay() == Decay::stable, share < 1);
    }
  }
}

// A double root −1: the border of the real axis.  On the imaginary axis |R|² = 1 − y⁶/72 + y⁸/576 for rk4, y = √8.
TEST(stability, borders_are_the_known_ones) {
  EXPECT_NEAR(largest_step(method("euler"), {1, 1}), 2, 1e-13);
  EXPECT_NEAR(largest_step(method("heun"), {1, 1}), 2, 1e-7) << "touches the circle, |R(-2)| = 1";
  EXPECT_NEAR(largest_step(method("rk4"), {1, 1}), 2.785293563405282, 1e-13);
  EXPECT_NEAR(largest_step(method("rk4"), {0, 1}), std::sqrt(8.), 1e-12);
  EXPECT_EQ(largest_step(method("euler"), {0, 1}), 0);
  EXPECT_EQ(largest_step(method("heun"), {0, 1}), 0);
  EXPECT_EQ(largest_step(method("rk4"), {-1, 1}), 0);
  // Euler: β²h² < 2αh with complex roots.
  EXPECT_NEAR(largest_step(method("euler"), {10, 14}), 20. / 196, 1e-13);
}

TEST(stability, region_of_euler_is_a_triangle) {
  const Extent extent = stability_extent(method("euler"));
  EXPECT_NEAR(extent.alpha_h, 2, 1e-12);
  EXPECT_NEAR(extent.beta2_h2, 4, 1e-12);
  for (double a = 0.05; a < 2.2; a += 0.1)
    for (double b = 0.03; b < 4.4; b += 0.1) {
      const bool inside = b < 2 * a && b > 4 * a - 4;
      EXPECT_EQ(stability(method("euler"), {a, std::sqrt(b)}, 1).decay() == Decay::stable, inside)
          << a << ' ' << b;
    }
}

TEST(stability, regions_lie_within_their_extents) {
  for (const IntegratorEntry& kind : integrator_kinds()) {
    const StabilityPolynomial m = kind.stability();
    const Extent extent = stability_extent(m);
    if (extent.alpha_h == 10) continue;  // unbounded
    for (double a = 0.05; a < 2 * extent.alpha_h; a += 0.05)
      for (double b = 0.05; b < 2 * extent.beta2_h2; b += 0.05)
        if (stability(m, {a, std::sqrt(b)}, 1).decay() == Decay::stable) {
          EXPECT_LT(a, extent.alpha_h * 1.001) << kind.info.name;
          EXPECT_LT(b, extent.beta2_h2 * 1.001) << kind.info.name;
        }
  }
}

// Two-step Adams-Bashforth: ζ² − (1 + 3μ/2) ζ + μ/2 = 0, stable on the real axis from −1 to 0.  The trapezoidal rule
// is stable in the whole left half-plane.
TEST(stability, takes_multistep_and_implicit_methods) {
  const StabilityPolynomial adams{{{0, 0.5}, {-1, -1.5}, {1}}};
  EXPECT_NEAR(largest_step(adams, {1, 1}), 1, 1e-13);
  const Stability s = stability(adams, {10, 14}, 1e-3);
  ASSERT_EQ(s.roots.size(), 4U);
  for (const DiscreteRoot& r : s.roots)
    EXPECT_LT(std::abs(r.z * r.z - (1. + 1.5e-3 * r.s) * r.z + 0.5e-3 * r.s), 1e-14);
  EXPECT_NEAR(std::abs(s.roots[0].z - std::exp(1e-3 * s.roots[0].s)), 0, 1e-5);

  const StabilityPolynomial trapezoidal{{{-1, -0.5}, {1, -0.5}}};
  EXPECT_TRUE(std::isinf(largest_step(trapezoidal, {1, 1})));
  EXPECT_TRUE(std::isinf(largest_step(trapezoidal, {0, 1})));
  EXPECT_EQ(stability_extent(trapezoidal).alpha_h, 10);
}

TEST(stability, knows_the_margin) {
  const Stability nothing = stability(method("rk4"), {0, 0}, 1e-3);
  EXPECT_EQ(nothing.decay(), Decay::marginal);
  EXPECT_TRUE(nothing.repeated()) << "errors grow in proportion to time";
  EXPECT_TRUE(std::isinf(nothing.time_constant()));
  EXPECT_EQ(stability(method("rk4"), {5, 0}, 1e-3).decay(), Decay::marginal);
  EXPECT_NEAR(stability(method("rk4"), {5, 5}, 1e-3).time_constant(), 0.2, 1e-9);
  EXPECT_LT(stability(method("rk4"), {-5, 5}, 1e-3).time_constant(), 0);
  EXPECT_EQ(stability(method("rk4"), {1e300, 1e300}, 1e300).decay(), Decay::unstable);
  // No digits are lost if the roots are far apart.
  EXPECT_NEAR(TestEquation({1e9, 1}).roots()[0].real(), -5e-10, 1e-24);
}
}  // namespace
}  // namespace mubody::testing
