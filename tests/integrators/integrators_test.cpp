// Order of convergence, step control and dense output on equations with known solutions.
#include <gtest/gtest.h>

#include "mubody/integrators/integrator.h"

namespace mubody {
namespace {
// An oscillator pushed at its own frequency: y1' = y2, y2' = −y1 + 2 cos t has y1 = t sin t, y2 = sin t + t cos t.
struct Resonance final : Ode {
  void rates(double t, const In& y, Out dy) override { dy << y[1], -y[0] + 2 * std::cos(t); }
  bool after_step(double, Out) override { return false; }
  static VecX exact(double t) { return Vec<2>(t * std::sin(t), std::sin(t) + t * std::cos(t)); }
};

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
      EXPECT_LT(e, last);
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

// A solution that ends: y' = y², y = 1 / (1 − t).
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

// The dense output of Dormand and Prince is of fourth order: halving the steps divides its error by 2⁵ per step.
TEST(dormand_prince, dense_output_is_of_fourth_order) {
  const auto worst = [](double h) {
    Resonance f;
    StepControl control;
    control.step = h;
    control.max_step = h;
    control.rtol = 0.99;  // accepts every step
    control.atol = 1e3;
    const auto integrator = find_integrator("dormand-prince")->make(control);
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
INSTANTIATE_TEST_SUITE_P(All, Integrators, ::testing::ValuesIn(kinds()), [](const auto& info) {
  std::string name(info.param->info.name);
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});
}  // namespace
}  // namespace mubody
