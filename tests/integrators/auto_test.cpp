// The integrator that chooses between explicit and implicit steps.
#include <gtest/gtest.h>

#include "tests/integrators/equations.h"
#include "tests/near.h"

namespace mubody::testing {
namespace {
struct Chosen {
  VecX y;
  StepStatistics statistics;
  std::string remark;
};
Chosen chosen_by(std::string_view name, Ode& f, const VecX& start, double end, double rtol) {
  StepControl control;
  control.rtol = rtol;
  const auto integrator = find_integrator(name)->make(control);
  integrator->start(f, 0, start, end);
  while (integrator->t() < end) EXPECT_TRUE(integrator->advance(f)) << integrator->why();
  return {integrator->y(), integrator->statistics(), integrator->remark()};
}

/// y = cos t, to which everything returns within 1/rate: fast from 2 to 4 s, and slowly before and afterwards.
struct StiffForAWhile final : Ode {
  static double rate(double t) { return 1 + 1e6 / (1 + std::exp(40 * (std::abs(t - 3) - 1))); }
  void rates(double t, const In& y, Out dy) override {
    dy[0] = -rate(t) * (y[0] - std::cos(t)) - std::sin(t);
    ++evaluations;
  }
  bool after_step(double, Out) override { return false; }
  long evaluations = 0;
};

TEST(auto_integrator, is_implicit_where_equations_are_stiff_and_comes_back) {
  StiffForAWhile f;
  const Chosen s = chosen_by("auto", f, VecX::Constant(1, 1.5), 40, 1e-8);
  EXPECT_NEAR(s.y[0], std::cos(40.), 1e-7);
  EXPECT_LT(s.statistics.evaluations, 40'000);  // dormand-prince needs four millions
  EXPECT_EQ(s.statistics.evaluations, f.evaluations);
  for (const char* part : {"stiff", "radau took over", "took turns"})
    EXPECT_NE(s.remark.find(part), std::string::npos) << s.remark;
}

TEST(auto_integrator, is_dormand_prince_where_they_are_not) {
  Resonance f;
  const Chosen automatic = chosen_by("auto", f, Resonance::exact(0), 60, 1e-9),
               dormand_prince = chosen_by("dormand-prince", f, Resonance::exact(0), 60, 1e-9);
  EXPECT_EQ(automatic.y, dormand_prince.y);
  EXPECT_EQ(automatic.statistics.steps, dormand_prince.statistics.steps);
  EXPECT_LT(automatic.statistics.evaluations, 1.01 * dormand_prince.statistics.evaluations);
  EXPECT_TRUE(automatic.remark.empty()) << automatic.remark;
}

/// Twenty undamped oscillators: rates change so fast that implicit steps are tried, and never get on faster.
struct Oscillators final : Ode {
  static constexpr int count = 20;
  void rates(double, const In& y, Out dy) override {
    for (int k = 0; k < count; ++k) dy[k] = y[count + k], dy[count + k] = -(1 + 0.1 * k) * std::sin(y[k]);
    ++evaluations;
  }
  bool after_step(double, Out) override { return false; }
  long evaluations = 0;
};

TEST(auto_integrator, tries_implicit_steps_in_vain_for_a_tenth_of_the_work_at_most) {
  for (const double end : {50., 150., 1000.}) {
    Oscillators f, alone;
    const VecX start = VecX::Constant(2 * Oscillators::count, 0.3);
    const Chosen automatic = chosen_by("auto", f, start, end, 1e-4);
    const Chosen dormand_prince = chosen_by("dormand-prince", alone, start, end, 1e-4);
    EXPECT_TRUE(automatic.remark.empty()) << automatic.remark;
    EXPECT_LT(double(f.evaluations), 1.15 * double(alone.evaluations)) << end;
    EXPECT_EQ(automatic.y == dormand_prince.y, end < 200) << "whether something was tried, at the end " << end;
  }
}

/// y = cos t, with a singularity that the solution comes near at 3 s, while it is stiff.
struct StiffAndClose final : Ode {
  void rates(double t, const In& y, Out dy) override { dy[0] = -1e4 * (y[0] - std::cos(t)) - std::sin(t); }
  bool after_step(double t, Out) override {
    close = close || t > 3;
    return false;
  }
  bool comes_close() const override { return close; }
  bool close = false;
};

TEST(auto_integrator, stays_explicit_once_a_singularity_was_near) {
  StiffAndClose f;
  const Chosen s = chosen_by("auto", f, VecX::Constant(1, 1), 4, 1e-8);
  EXPECT_NEAR(s.y[0], std::cos(4.), 1e-7);
  // The last second takes 1e4 / 3.3 explicit steps, the three before it next to none.
  EXPECT_GT(s.statistics.steps, 2000);
  EXPECT_LT(s.statistics.steps, 6000);
  EXPECT_NE(s.remark.find("took turns 2 times"), std::string::npos) << s.remark;
}

// In the middle of a trial, while it is implicit, and afterwards.
TEST(auto_integrator, goes_on_from_a_memory_as_if_nothing_had_been) {
  StiffForAWhile f;
  StepControl control;
  control.rtol = 1e-8;
  const auto make = [&] { return find_integrator("auto")->make(control); };
  const auto first = make();
  first->start(f, 0, VecX::Constant(1, 1.5), 8);
  int compared = 0;
  for (int steps = 1; first->t() < 8; ++steps) {
    ASSERT_TRUE(first->advance(f));
    if (steps % 7 != 0) continue;
    Memory kept;
    first->memory(f, kept);
    const auto other = make();
    other->start(f, 0, VecX::Constant(1, 1.5), 8);
    Memory given = kept.restoring();
    other->memory(f, given);
    for (int k = 0; k < 30 && first->t() < 8; ++k) {
      ASSERT_TRUE(first->advance(f));
      ASSERT_TRUE(other->advance(f));
      ASSERT_EQ(first->t(), other->t()) << steps << ' ' << k;
      ASSERT_EQ(first->y(), other->y()) << steps << ' ' << k;
      ++compared;
    }
  }
  EXPECT_GT(compared, 100);
  EXPECT_NE(first->remark().find("radau took over"), std::string::npos);
}

TEST(auto_integrator, has_the_table_of_its_explicit_steps) {
  StepControl control;
  EXPECT_EQ(find_integrator("auto")->make(control)->table(),
            find_integrator("dormand-prince")->make(control)->table());
  EXPECT_EQ(find_integrator("radau")->make(control)->table(), nullptr);
}
}  // namespace
}  // namespace mubody::testing
