// Radau IIA: its stages, its order, stiff equations, and the polynomial between steps.
#include "mubody/integrators/radau.h"

#include <gtest/gtest.h>

#include "mubody/integrators/stages/collocation.h"
#include "tests/integrators/equations.h"

namespace mubody::testing {
namespace {
constexpr int s = Collocation::stages;

// Hairer & Wanner (1996), sec. IV.5: B(2s − 1), C(s), and D(s − 1), from which the order 2s − 1 follows.
TEST(radau, has_the_conditions_of_its_order) {
  const Collocation& r = Collocation::radau();
  EXPECT_EQ(r.c[s - 1], 1);
  const Collocation::Numbers b = r.A.row(s - 1);
  for (int k = 1; k <= 2 * s - 1; ++k) {
    const Collocation::Numbers powers = r.c.array().pow(k - 1);
    EXPECT_NEAR(b.dot(powers), 1.0 / k, 2e-15) << k;
    if (k <= s)
      for (int i = 0; i < s; ++i)
        EXPECT_NEAR(r.A.row(i).dot(powers), std::pow(r.c[i], k) / k, 2e-15) << k << ' ' << i;
    if (k <= s - 1)
      for (int j = 0; j < s; ++j)
        EXPECT_NEAR((b.array() * powers.array()).matrix().dot(r.A.col(j)), b[j] * (1 - std::pow(r.c[j], k)) / k,
                    2e-15);
  }
}

TEST(radau, takes_its_stages_apart) {
  const Collocation& r = Collocation::radau();
  Eigen::Matrix<double, s, s> sum = r.real * r.from_real * r.to_real.transpose();
  for (int k = 0; k < Collocation::pairs; ++k)
    sum += 2 * (r.complex[k] * r.from_complex[k] * r.to_complex[k].transpose()).real();
  EXPECT_LE((sum - r.A).lpNorm<Eigen::Infinity>(), 1e-14);
}

// h μ₀ f(0) + Σ e z is zero for y' = x^k with k < s, whose increments are c^(k+1) / (k + 1).
TEST(radau, has_an_error_estimate_of_its_own_order) {
  const Collocation& r = Collocation::radau();
  for (int k = 0; k <= s; ++k) {
    const Collocation::Numbers z = r.c.array().pow(k + 1) / (k + 1);
    const double estimate = (k == 0 ? r.real : 0) + r.error.dot(z);
    if (k < s)
      EXPECT_NEAR(estimate, 0, 1e-13) << k;
    else
      EXPECT_GT(std::abs(estimate), 1e-5);
  }
}

TEST(radau, interpolates_polynomials) {
  const Collocation& r = Collocation::radau();
  for (const double x : {-0.3, 0.2, 0.77, 1.0, 1.9}) {
    const Collocation::Numbers z = r.c.array().pow(s) - 2 * r.c.array();
    EXPECT_NEAR(r.weights(x).dot(z), std::pow(x, s) - 2 * x, 1e-12) << x;
  }
}

VecX end_of(Ode& f, const VecX& start, double t_end, const StepControl& control,
            StepStatistics* count = nullptr) {
  const auto integrator = Radau::make(control);
  integrator->start(f, 0, start, t_end);
  while (integrator->t() < t_end)
    if (!integrator->advance(f)) {
      ADD_FAILURE() << integrator->why();
      break;
    }
  if (count) *count = integrator->statistics();
  return integrator->y();
}

// With steps of one size the error falls by 2⁹ for half of them.
TEST(radau, is_of_ninth_order) {
  Resonance f;
  double errors[2];
  int k = 0;
  for (const double h : {0.75, 0.375}) {
    StepControl c;
    c.step = c.max_step = h;
    c.rtol = 0.99;
    c.atol = 1e3;  // every step is accepted
    errors[k++] = (end_of(f, Resonance::exact(0), 3, c) - Resonance::exact(3)).norm();
  }
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 9, 0.5) << errors[0] << ' ' << errors[1];
}

/// Prothero & Robinson (1974): y' = −r (y − g) + g', with y = g = sin t whatever r.
struct Robinson final : Ode {
  explicit Robinson(double of) : rate(of) {}
  void rates(double t, const In& y, Out dy) override { dy[0] = -rate * (y[0] - std::sin(t)) + std::cos(t); }
  bool after_step(double, Out) override { return false; }
  double rate;
};

TEST(radau, needs_no_more_steps_where_equations_are_stiffer) {
  for (const double rate : {1e2, 1e5, 1e9}) {
    Robinson f(rate);
    StepControl c;
    c.rtol = 1e-10;
    StepStatistics count;
    const VecX y = end_of(f, VecX::Zero(1), 20, c, &count);
    EXPECT_NEAR(y[0], std::sin(20.), 1e-9) << rate;
    EXPECT_LT(count.steps, 300) << rate;
  }
}

/// Van der Pol's equation with ε = 1e-6, as the Test Set for Initial Value Problem Solvers has it (Mazzia & Magherini 2008).
struct VanDerPol final : Ode {
  void rates(double, const In& y, Out dy) override { dy << y[1], ((1 - y[0] * y[0]) * y[1] - y[0]) / 1e-6; }
  bool after_step(double, Out) override { return false; }
};

TEST(radau, follows_van_der_pols_oscillation) {
  VanDerPol f;
  StepControl c;
  c.rtol = getenv("RT") ? atof(getenv("RT")) : 1e-9;
  StepStatistics count;
  const VecX y = end_of(f, Vec<2>(2, 0), 2, c, &count);
  // The values of that test set at t = 2.
  EXPECT_NEAR(y[0], 1.706167732170483, 1e-11);
  EXPECT_NEAR(y[1], -0.8928097010247975, 1e-11);
  EXPECT_LT(count.steps, 2000);
}

// |R| ≤ 1 in the left half-plane, and 0 far from the origin.
TEST(radau, is_stable_for_all_decaying_solutions) {
  const StabilityPolynomial p = Radau::stability();
  for (double angle = 0.5; angle <= 1.0; angle += 0.05)
    for (const double size : {1e-2, 1.0, 10.0, 1e3, 1e6}) {
      const auto roots = p.roots(std::polar(size, angle * std::numbers::pi));
      ASSERT_EQ(roots.size(), 1u);
      EXPECT_LE(std::abs(roots[0]), 1 + 1e-13) << size << ' ' << angle;
      if (size > 1e5) EXPECT_LT(std::abs(roots[0]), 1e-3);
    }
  EXPECT_NEAR(std::abs(p.roots(0.3)[0] - std::exp(0.3)), 0, 1e-12);
}
}  // namespace
}  // namespace mubody::testing
