// Methods that vary their order: the order of every formula they use, and the result of using them together.
#include <gtest/gtest.h>

#include "mubody/integrators/shampine_gordon.h"
#include "tests/integrators/equations.h"

namespace mubody::testing {
namespace {
double hill_error(int order, double h) {
  Hill f;
  StepControl control = steps_of(h);
  control.max_order = order;
  const auto integrator = ShampineGordon::make(control);
  integrator->start(f, 0, Hill::exact(0), 12);
  double most = 0;
  while (integrator->t() < 12) {
    EXPECT_TRUE(integrator->advance(f));
    most = std::max(most, (integrator->y() - Hill::exact(integrator->t())).norm());
  }
  return most;
}

TEST(shampine_gordon, has_every_order_from_2_to_13) {
  for (int order = ShampineGordon::lowest; order <= ShampineGordon::order; ++order)
    EXPECT_NEAR(std::log(hill_error(order, 0.07) / hill_error(order, 0.05)) / std::log(1.4), order, 0.2);
}

// Between the ends of steps the solution is as accurate as at the ends.
TEST(shampine_gordon, dense_output_has_the_order_of_the_steps) {
  for (int order : {2, 4, 7, 10}) {
    const auto worst = [&](double h) {
      Hill f;
      StepControl control = steps_of(h);
      control.max_order = order;
      const auto integrator = ShampineGordon::make(control);
      integrator->start(f, 0, Hill::exact(0), 12);
      VecX y(1);
      double most = 0;
      while (integrator->t() < 12) {
        const double before = integrator->t();
        EXPECT_TRUE(integrator->advance(f));
        for (const double share : {0.0, 0.3, 0.5, 0.8}) {
          const double t = before + share * (integrator->t() - before);
          integrator->interpolate(f, t, y);
          most = std::max(most, (y - Hill::exact(t)).norm());
        }
      }
      return most;
    };
    EXPECT_NEAR(std::log(worst(0.07) / worst(0.05)) / std::log(1.4), order, 0.3) << order;
  }
}

// With equal steps the formula is that of adams_bashforth and adams_moulton, which the stability polynomial is made of:
// on y' = λ y, Σ_j p_j(hλ) y_n+j = 0 once the order is reached.
TEST(shampine_gordon, steps_as_its_stability_polynomial_says) {
  struct Decay final : Ode {
    void rates(double, const In& y, Out dy) override { dy = -y; }
    bool after_step(double, Out) override { return false; }
  } f;
  const double h = 0.1;
  for (int order = 2; order <= 8; ++order) {
    StepControl control = steps_of(h);
    control.max_order = order;
    const auto integrator = ShampineGordon::make(control);
    integrator->start(f, 0, VecX::Ones(1), 100);
    std::vector<double> y{1};
    for (int k = 0; k < 30; ++k) {
      ASSERT_TRUE(integrator->advance(f));
      y.push_back(integrator->y()[0]);
    }
    const StabilityPolynomial pi = ShampineGordon::stability(order);
    const std::size_t steps = pi.p.size() - 1;
    for (std::size_t n = 14 - steps; n + steps < 18; ++n) {
      double sum = 0;
      for (std::size_t j = 0; j <= steps; ++j) {
        double p = 0;
        for (auto c = pi.p[j].rbegin(); c != pi.p[j].rend(); ++c) p = p * -h + *c;
        sum += p * y[n + j];
      }
      EXPECT_LT(std::abs(sum), 1e-14) << order << " after " << n << " steps";
    }
  }
}

struct Solved {
  double error = 0;
  StepStatistics statistics;
};
Solved resonance(const IntegratorEntry& kind, double tolerance) {
  Resonance f;
  StepControl control;
  control.rtol = control.atol.emplace(tolerance);
  const auto integrator = kind.make(control);
  integrator->start(f, 0, Resonance::exact(0), 20);
  while (integrator->t() < 20 && integrator->advance(f)) continue;
  EXPECT_EQ(integrator->t(), 20) << kind.info.name;
  return {(integrator->y() - Resonance::exact(20)).norm(), integrator->statistics()};
}

// A hundred thousand times the accuracy costs a fixed order p 10^(5/(p+1)) times the steps: 7 at order 5.  Higher
// orders need fewer.
TEST(variable_order, makes_accuracy_cheap) {
  for (const IntegratorEntry& kind : integrator_kinds()) {
    if (!kind.varies_order() || kind.order < 10) continue;
    const Solved coarse = resonance(kind, 1e-6), fine = resonance(kind, 1e-11);
    EXPECT_LT(fine.error, 1e-4 * coarse.error) << kind.info.name;
    EXPECT_LT(fine.statistics.steps, 5 * coarse.statistics.steps) << kind.info.name;
    EXPECT_LT(fine.statistics.evaluations, 2.5 * fine.statistics.steps) << kind.info.name;
  }
}

// λ = 1e6: explicit methods would need 3e5 steps per second.
TEST(bdf, is_not_held_back_by_stiffness) {
  struct Stiff final : Ode {
    void rates(double t, const In& y, Out dy) override { dy[0] = -1e6 * (y[0] - std::cos(t)) - std::sin(t); }
    bool after_step(double, Out) override { return false; }
  } f;
  const IntegratorEntry* bdf = find_integrator("bdf");
  if (!bdf) GTEST_SKIP() << "built without SUNDIALS";
  StepControl control;
  control.rtol = 1e-6;
  const auto integrator = bdf->make(control);
  integrator->start(f, 0, VecX::Constant(1, 2), 10);  // the start is off the solution
  while (integrator->t() < 10) ASSERT_TRUE(integrator->advance(f));
  EXPECT_NEAR(integrator->y()[0], std::cos(10.), 1e-5);
  EXPECT_LT(integrator->statistics().steps, 1000);
}
}  // namespace
}  // namespace mubody::testing
