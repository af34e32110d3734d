// The trapezoidal rule against its closed forms: what it does to linear equations is known for steps of any size.
#include "mubody/integrators/trapezoidal.h"

#include <gtest/gtest.h>

#include "tests/analyses/study.h"
#include "tests/integrators/equations.h"

namespace mubody::testing {
namespace {
struct Fading final : Ode {
  double rate;
  explicit Fading(double r) : rate(r) {}
  void rates(double, const In& y, Out dy) override { dy = -rate * y; }
  bool after_step(double, Out) override { return false; }
};

// y_n = ((1 + μ/2) / (1 − μ/2))ⁿ with μ = hλ, here −0.3, −2 and −200: the last turns back and forth and does not grow.
TEST(trapezoidal, multiplies_by_the_ratio_of_its_formula) {
  for (const double rate : {3., 20., 2000.}) {
    Fading f(rate);
    const auto rule = Trapezoidal::make(steps_of(0.1));
    rule->start(f, 0, VecX::Ones(1), 2);
    const double factor = (1 - 0.05 * rate) / (1 + 0.05 * rate);
    double expected = 1;
    while (rule->t() < 2) {
      ASSERT_TRUE(rule->advance(f)) << rule->why();
      expected *= factor;
      EXPECT_NEAR(rule->y()[0], expected, 1e-11) << rate << ' ' << rule->t();
    }
  }
}

// An oscillator of 30 rad/s with steps of 0.1 s: the rule turns its state by 2 atan(hω/2) a step and keeps its size.
TEST(trapezoidal, keeps_the_energy_of_a_vibration_faster_than_the_step) {
  struct Oscillator final : Ode {
    void rates(double, const In& y, Out dy) override { dy << 30 * y[1], -30 * y[0]; }
    bool after_step(double, Out) override { return false; }
  } f;
  const auto rule = Trapezoidal::make(steps_of(0.1));
  rule->start(f, 0, Vec<2>(1, 0), 100);
  for (int k = 1; k <= 1000; ++k) {
    ASSERT_TRUE(rule->advance(f)) << rule->why();
    EXPECT_NEAR(rule->y().norm(), 1, 1e-11 * k);
    EXPECT_NEAR(rule->y()[0], std::cos(k * 2 * std::atan(1.5)), 1e-10 * k);
  }
}

// Within a step as at its end: errors of second order, and exactly the state at the end.
TEST(trapezoidal, gives_states_within_a_step_with_its_order) {
  const auto worst = [](double h) {
    Resonance f;
    const auto rule = Trapezoidal::make(steps_of(h));
    rule->start(f, 0, Resonance::exact(0), 2);
    VecX y(2);
    double most = 0;
    while (rule->t() < 2) {
      const double before = rule->t();
      EXPECT_TRUE(rule->advance(f));
      for (const double share : {0.2, 0.5, 0.9, 1.}) {
        const double t = before + share * (rule->t() - before);
        rule->interpolate(f, t, y);
        most = std::max(most, (y - Resonance::exact(t)).norm());
      }
      rule->interpolate(f, rule->t(), y);
      EXPECT_EQ(y, rule->y());
    }
    return most;
  };
  EXPECT_NEAR(std::log2(worst(0.02) / worst(0.01)), 2, 0.1);
}

// Goes on after a save as without it.
TEST(trapezoidal, can_be_saved) {
  Resonance f;
  const auto one = Trapezoidal::make(steps_of(0.01)), other = Trapezoidal::make(steps_of(0.01));
  one->start(f, 0, Resonance::exact(0), 1);
  other->start(f, 0, Resonance::exact(0), 1);
  for (int k = 0; k < 30; ++k) ASSERT_TRUE(one->advance(f));
  Memory saved;
  one->memory(f, saved);
  Memory restored = saved.restoring();
  other->memory(f, restored);
  while (one->t() < 1) ASSERT_TRUE(one->advance(f) && other->advance(f));
  EXPECT_EQ(one->y(), other->y());
}

// Roupa, Gonçalves & Silva (2018), Tab. 3: the benchmark's pendulum, here for 3 s with longer steps.  The page on that
// publication runs it as it was, with 1 ms.
TEST(trapezoidal, takes_the_pendulum_of_the_benchmark_in_all_coordinates) {
  for (const std::string formulation : {"body", "cartesian", "joint"}) {
    const auto at_end = [&](const std::string& step) {
      const Results r = run(example(
          "pendulum", {"analysis.integrator=trapezoidal", "analysis.step=" + step, "output.step=1",
                       "analysis.end=3", "analysis.estimate=false", "analysis.formulation=" + formulation}));
      EXPECT_TRUE(r.outcome) << r.outcome.why;
      EXPECT_LT(r.statistics.largest_violation, 1e-13);
      return r.column("bob.x").back();
    };
    constexpr double exact = 0.1766517899228382;  // elliptic functions, tests/examples/cartesian_test.cpp
    const double coarse = at_end("8e-3") - exact, fine = at_end("4e-3") - exact;
    EXPECT_LT(std::abs(fine), 1e-3) << formulation;
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.05) << formulation;
  }
}
}  // namespace
}  // namespace mubody::testing
