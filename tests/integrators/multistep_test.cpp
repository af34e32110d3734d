// Formulas of multistep methods, and the methods with fixed steps that use them.
#include "mubody/integrators/multistep.h"

#include <gtest/gtest.h>

#include "mubody/integrators/abm4.h"
#include "mubody/integrators/gear4.h"
#include "tests/integrators/equations.h"
#include "tests/near.h"

namespace mubody::testing {
namespace {
// The integral from 0 to 1 of t^m is 1 / (m + 1); a formula with k rates at t = −j (or 1 − j) has it if m < k.
TEST(formulas, integrate_polynomials_exactly) {
  for (int k = 1; k <= 13; ++k)
    for (const bool moulton : {false, true}) {
      const std::vector<double> b = moulton ? adams_moulton(k) : adams_bashforth(k);
      ASSERT_EQ(int(b.size()), k);
      for (int m = 0; m <= k; ++m) {
        double sum = 0, size = 0;
        for (int j = 0; j < k; ++j) {
          const double term = b[j] * std::pow(double(moulton) - j, m);
          sum += term;
          size += std::abs(term);
        }
        if (m < k) {
          EXPECT_NEAR(sum, 1.0 / (m + 1), 1e-14 * size) << k << " rates, t^" << m;
        } else {
          EXPECT_GT(std::abs(sum - 1.0 / (m + 1)), 1e-3) << k << " rates are of no higher order";
        }
      }
    }
}

// Backward differences give the exact derivative of t^m at t = 0 for m ≤ k.
TEST(formulas, differentiate_polynomials_exactly) {
  for (int k = 1; k <= 6; ++k) {
    const std::vector<double> a = backward_differences(k);
    for (int m = 0; m <= k; ++m) {
      double sum = 0;
      for (int j = 0; j <= k; ++j) sum += a[j] * std::pow(-double(j), m);
      EXPECT_NEAR(sum, m == 1 ? 1 : 0, 1e-11) << k << " steps, t^" << m;
    }
  }
}

// Flores & Lankarani (2012), eqs. 164, 167 and 170.
TEST(formulas, of_fourth_order_are_the_published_ones) {
  for (std::size_t j = 0; j < 4; ++j) {
    EXPECT_TRUE(same(adams_bashforth(4)[j], Abm4::predictor[j], 1));
    EXPECT_TRUE(same(adams_moulton(4)[j], Abm4::corrector[j], 1));
    EXPECT_TRUE(same(-backward_differences(4)[j + 1] * Gear4::rate, Gear4::past[j], 1));
  }
  EXPECT_TRUE(same(backward_differences(4)[0] * Gear4::rate, 1, 1));
}

TEST(formulas, have_the_polynomials_of_the_methods_with_fixed_steps) {
  const StabilityPolynomial gear = Gear4::stability(), bdf = stability_of_backward_differences(4);
  for (const Complex mu : {Complex(-0.3, 0.2), Complex(0.1, 0), Complex(-5, 3)})
    for (const Complex& zeta : gear.roots(mu)) {
      double least = 1;
      for (const Complex& other : bdf.roots(mu)) least = std::min(least, std::abs(zeta - other));
      EXPECT_LT(least, 1e-13);
    }
  // Known ends on the real axis: the trapezoidal rule has none, Adams-Moulton of order 3 has −6, of order 4 −3
  // (Hairer & Wanner, Solving ODEs II, sec. V.1).
  EXPECT_TRUE(std::isinf(largest_step(stability_of_adams_moulton(2), {1, 1})));
  EXPECT_NEAR(largest_step(stability_of_adams_moulton(3), {1, 1}), 6, 1e-12);
  EXPECT_NEAR(largest_step(stability_of_adams_moulton(4), {1, 1}), 3, 1e-12);
}

double dense_error(const IntegratorEntry& kind, double h) {
  Resonance f;
  const auto integrator = kind.make(steps_of(h));
  integrator->start(f, 0, Resonance::exact(0), 2);
  VecX y(2);
  double most = 0;
  while (integrator->t() < 2) {
    const double before = integrator->t();
    EXPECT_TRUE(integrator->advance(f));
    for (const double share : {0.2, 0.5, 0.9}) {
      const double t = before + share * (integrator->t() - before);
      integrator->interpolate(f, t, y);
      most = std::max(most, (y - Resonance::exact(t)).norm());
    }
  }
  return most;
}

TEST(fixed_multistep, gives_states_within_a_step_with_its_order) {
  for (const char* name : {"abm4", "gear4"}) {
    const IntegratorEntry& kind = *find_integrator(name);
    EXPECT_NEAR(std::log2(dense_error(kind, 0.02) / dense_error(kind, 0.01)), 4, 0.2) << name;
  }
}

// 0.37 is not a multiple of the step: Runge-Kutta takes the rest, and the error remains that of the method.
TEST(fixed_multistep, ends_exactly_and_begins_again) {
  Resonance f;
  for (const char* name : {"abm4", "gear4"}) {
    const auto integrator = find_integrator(name)->make(steps_of(0.01));
    VecX y = Resonance::exact(0);
    double t = 0;
    for (const double end : {0.37 + 1e-3, 0.375, 1.0, 1.7}) {
      integrator->start(f, t, y, end);
      while (integrator->t() < end) ASSERT_TRUE(integrator->advance(f));
      EXPECT_EQ(integrator->t(), end);
      EXPECT_LE(integrator->statistics().largest, 0.01 * (1 + 1e-9));
      t = end, y = integrator->y();
      EXPECT_LT((y - Resonance::exact(t)).norm(), 1e-7) << name;
    }
  }
}

TEST(abm4, evaluates_twice_a_step) {
  Resonance f;
  const auto integrator = find_integrator("abm4")->make(steps_of(0.01));
  integrator->start(f, 0, Resonance::exact(0), 10);
  while (integrator->t() < 10) ASSERT_TRUE(integrator->advance(f));
  EXPECT_EQ(integrator->statistics().steps, 1000);
  EXPECT_LE(integrator->statistics().evaluations, 2 * 1000 + 3 * 4);
}

// y' = −λ (y − cos t) − sin t, y = cos t.  With hλ = 2 the start by Runge-Kutta is stable; abm4 is not.
struct Stiff final : Ode {
  double rate;
  explicit Stiff(double r) : rate(r) {}
  void rates(double t, const In& y, Out dy) override { dy[0] = -rate * (y[0] - std::cos(t)) - std::sin(t); }
  bool after_step(double, Out) override { return false; }
};

TEST(gear4, takes_steps_beyond_the_border_of_explicit_methods) {
  Stiff f(40);
  for (const char* name : {"gear4", "abm4"}) {
    const auto integrator = find_integrator(name)->make(steps_of(0.05));  // hλ = −2
    integrator->start(f, 0, VecX::Ones(1), 5);
    bool going = true;
    while (going && integrator->t() < 5) going = integrator->advance(f);
    const double error = std::abs(integrator->y()[0] - std::cos(integrator->t()));
    if (name == std::string("gear4")) {
      EXPECT_LT(error, 1e-6);
    } else {
      EXPECT_GT(error, 1);
    }
  }
}
}  // namespace
}  // namespace mubody::testing
