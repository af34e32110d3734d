// Order of convergence, step control and dense output on equations with known solutions.
#include <gtest/gtest.h>

#include "tests/integrators/equations.h"
#include "tests/near.h"

namespace mubody::testing {
namespace {
double error(const IntegratorEntry& kind, double step) {
  Resonance f;
  StepControl control;
  control.step = step;
  const auto integrator = kind.make(control);
  integrator->start(f, 0, Resonance::exact(0), 3);
  while (integrator->t() < 3) EXPECT_TRUE(integrator->advance(f));
  return (integrator->y() - Resonance::exact(3)).norm();
}

class Integrators : public ::testing::TestWithParam<const IntegratorEntry*> {};

TEST_P(Integrators, converge_with_their_order) {
  const IntegratorEntry& kind = *GetParam();
  if (kind.adaptive) {  // error follows the tolerance
    Resonance f;
    double last = 1;
    for (double rtol : {1e-5, 1e-7, 1e-9, 1e-11}) {
      StepControl control;
      control.rtol = rtol;
      const auto integrator = kind.make(control);
      integrator->start(f, 0, Resonance::exact(0), 3);
      while (integrator->t() < 3) ASSERT_TRUE(integrator->advance(f));
      const double e = (integrator->y() - Resonance::exact(3)).norm();
      EXPECT_LT(e, 100 * rtol);
      EXPECT_LT(e, std::max(last, 1e-14));  // or round-off
      last = e;
    }
    return;
  }
  const double h = kind.order == 1 ? 1e-3 : 1e-2;
  const double measured = std::log2(error(kind, h) / error(kind, h / 2));
  EXPECT_NEAR(measured, kind.order, 0.2);
}

TEST_P(Integrators, hit_every_time_they_are_asked_for) {
  Resonance f;
  StepControl control;
  control.step = 0.01;
  control.rtol = 1e-9;
  const auto integrator = GetParam()->make(control);
  integrator->start(f, 0, Resonance::exact(0), 2);
  const double tolerance = GetParam()->order == 1 ? 0.1 : GetParam()->order == 2 ? 1e-3 : 1e-7;
  VecX y(2);
  for (double wanted = 0.0137; wanted < 2; wanted += 0.0137) {
    while (integrator->t() < wanted) ASSERT_TRUE(integrator->advance(f));
    integrator->interpolate(f, wanted, y);
    EXPECT_LT((y - Resonance::exact(wanted)).norm(), tolerance) << "t = " << wanted;
  }
  while (integrator->t() < 2) ASSERT_TRUE(integrator->advance(f));
  EXPECT_EQ(integrator->t(), 2);
}

// A solution that exists for a finite time: y' = y², y = 1 / (1 − t).
struct Explosion final : Ode {
  void rates(double, const In& y, Out dy) override { dy[0] = y[0] * y[0]; }
  bool after_step(double, Out) override { return false; }
};

TEST_P(Integrators, say_when_they_cannot_go_on) {
  Explosion f;
  StepControl control;
  control.step = 0.01;
  const auto integrator = GetParam()->make(control);
  integrator->start(f, 0, VecX::Ones(1), 5);
  bool going = true;
  for (int k = 0; k < 200000 && going && integrator->t() < 5; ++k) going = integrator->advance(f);
  EXPECT_FALSE(going);
  EXPECT_FALSE(integrator->why().empty());
  EXPECT_TRUE(integrator->y().allFinite());
}

// A force that begins suddenly: y'' = 0, then −1000 after t = 1.  History that is no longer valid is given up.
TEST_P(Integrators, get_over_a_jump) {
  if (!GetParam()->adaptive) return;  // fixed steps do not react to it
  struct Jump final : Ode {
    void rates(double t, const In& y, Out dy) override { dy << y[1], t < 1 ? 0 : -1000; }
    bool after_step(double, Out) override { return false; }
  } f;
  StepControl control;
  control.rtol = 1e-7;
  control.max_step = 0.1;
  const auto integrator = GetParam()->make(control);
  integrator->start(f, 0, Vec<2>(0, 1), 2);
  while (integrator->t() < 2) ASSERT_TRUE(integrator->advance(f)) << integrator->why();
  EXPECT_NEAR(integrator->y()[0], 2 - 500, 1e-3);
  EXPECT_NEAR(integrator->y()[1], 1 - 1000, 1e-3);
}

// After a new start somewhere else the past does not matter.
TEST_P(Integrators, begin_again_as_if_new) {
  Resonance f;
  StepControl control;
  control.step = 0.01;
  const auto used = GetParam()->make(control), fresh = GetParam()->make(control);
  used->start(f, 0, Resonance::exact(0), 5);
  for (int k = 0; k < 40; ++k) ASSERT_TRUE(used->advance(f));
  for (Integrator* i : {used.get(), fresh.get()}) {
    i->start(f, 1.3, Resonance::exact(1.3), 2);
    while (i->t() < 2) ASSERT_TRUE(i->advance(f));
  }
  EXPECT_EQ(used->y(), fresh->y());
  EXPECT_EQ(used->statistics().steps, fresh->statistics().steps);
  EXPECT_EQ(used->statistics().evaluations, fresh->statistics().evaluations);
}

// The equation is never evaluated beyond the end.
TEST_P(Integrators, stay_before_the_end) {
  struct Short final : Ode {
    double latest = 0;
    void rates(double t, const In& y, Out dy) override {
      latest = std::max(latest, t);
      dy = -y;
    }
    bool after_step(double, Out) override { return false; }
  } f;
  StepControl control;
  control.step = 0.03;
  const auto integrator = GetParam()->make(control);
  integrator->start(f, 0, VecX::Ones(1), 1);
  while (integrator->t() < 1) ASSERT_TRUE(integrator->advance(f));
  EXPECT_EQ(integrator->t(), 1);
  EXPECT_LE(f.latest, 1 + 1e-15);
}

// A state that is corrected after every step stays where it was put, and the motion keeps its energy.
TEST_P(Integrators, take_corrections) {
  Pendulum f;
  StepControl control;
  control.step = GetParam()->order == 1 ? 1e-4 : 1e-3;
  control.rtol = 1e-8;
  const auto integrator = GetParam()->make(control);
  integrator->start(f, 0, Pendulum::start(), 2);
  const double tolerance = GetParam()->adaptive || GetParam()->order > 2 ? 1e-5 : 5e-2;
  while (integrator->t() < 2) {
    ASSERT_TRUE(integrator->advance(f));
    EXPECT_TRUE(same(integrator->y().head(2).norm(), 1, 1));
    EXPECT_NEAR(Pendulum::energy(integrator->y()), 0, tolerance) << integrator->t();
  }
}

// The dense output of Dormand and Prince is of fourth order: halving the steps divides its error by 2⁵ per step.
TEST(dormand_prince, dense_output_is_of_fourth_order) {
  const auto worst = [](double h) {
    Resonance f;
    const auto integrator = find_integrator("dormand-prince")->make(steps_of(h));
    integrator->start(f, 0, Resonance::exact(0), 2);
    VecX y(2);
    double most = 0;
    while (integrator->t() < 2) {
      const double before = integrator->t();
      EXPECT_TRUE(integrator->advance(f));
      for (double share : {0.25, 0.5, 0.75}) {
        const double t = before + share * (integrator->t() - before);
        integrator->interpolate(f, t, y);
        most = std::max(most, (y - Resonance::exact(t)).norm());
      }
    }
    return most;
  };
  EXPECT_NEAR(std::log2(worst(0.1) / worst(0.05)), 5, 0.5);
}

std::vector<const IntegratorEntry*> kinds() {
  std::vector<const IntegratorEntry*> all;
  for (const IntegratorEntry& e : integrator_kinds()) all.push_back(&e);
  return all;
}
INSTANTIATE_TEST_SUITE_P(all, Integrators, ::testing::ValuesIn(kinds()), [](const auto& kind) {
  std::string name(kind.param->info.name);
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});
}  // namespace
}  // namespace mubody::testing
