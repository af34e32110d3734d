// Every integrator on a constrained problem: the four-bar of Marques, Souto & Flores (2017) with projection.
#include "tests/analyses/study.h"

namespace mubody::testing {
namespace {
constexpr double end = 0.5;  // [s] a smooth fall

// Positions and velocities of all bodies at the end.
VecX final_state(const std::string& integrator, const StepControl& control, Statistics* statistics = nullptr) {
  Study s = study(four_bar(), end);
  s.analysis.integrator = integrator;
  s.analysis.control = control;
  s.output.step = end;
  const Results r = run_forward(s);
  EXPECT_TRUE(r.outcome) << integrator << ": " << r.outcome.why;
  EXPECT_LT(r.statistics.largest_violation, 2e-13) << integrator;
  if (statistics) *statistics = r.statistics;
  std::vector<double> state;
  for (const char* name : {"crank", "coupler", "follower"})
    for (const char* column : {".x", ".y", ".angle", ".vx", ".vy", ".omega"})
      state.push_back(r.column(std::string(name) + column).back());
  return Eigen::Map<VecX>(state.data(), Eigen::Index(state.size()));
}

const VecX& reference() {
  static const VecX state = [] {
    StepControl tight;
    tight.rtol = 1e-13;
    return final_state("dormand-prince", tight);
  }();
  return state;
}

double error(const IntegratorEntry& kind, const StepControl& control) {
  return (final_state(std::string(kind.info.name), control) - reference()).norm();
}

template <class Control>
double measured_order(const IntegratorEntry& kind, double h, int halvings, const Control& control) {
  return std::log2(error(kind, control(h)) / error(kind, control(std::ldexp(h, -halvings)))) / halvings;
}

// Angles and the crank's rate from the equation of the mechanism's one freedom, solved outside this
// program, and the whole state by two other methods.
TEST(mechanisms, the_reference_is_what_others_find) {
  EXPECT_NEAR(reference()[2], 0.5875022169661782, 1e-11);
  EXPECT_NEAR(reference()[5], -2.607515038857416, 1e-11);
  EXPECT_NEAR(reference()[8], 0.4713690696064695, 1e-11);
  EXPECT_NEAR(reference()[14], 0.8201503150874583, 1e-11);
  StepControl tight;
  tight.rtol = 1e-13;
  for (const char* name : {"verner", "shampine-gordon"})
    EXPECT_LT((final_state(name, tight) - reference()).norm(), 1e-11) << name;
}

// Fixed steps, or steps of one size that are all accepted.
TEST(mechanisms, methods_of_one_order_converge_with_it) {
  for (const IntegratorEntry& kind : integrator_kinds()) {
    if (kind.varies_order()) continue;
    // Steps are large enough for rounding and small enough for the leading term: multistep methods look back.
    const double h = kind.order > 8 ? 0.03125 : kind.order > 4 ? 0.006 : kind.adaptive ? 0.005 : 0.002;
    const double measured = measured_order(kind, h, kind.order > 4 ? 1 : 2, [](double step) {
      StepControl c;
      c.step = c.max_step = step;
      c.rtol = 0.99;
      c.atol = 1e3;
      return c;
    });
    // Above order 8 rounding comes before the leading term is alone: radau_test.cpp measures it by itself.
    EXPECT_NEAR(measured, kind.order, kind.order > 8 ? 0.3 : 0.2) << kind.info.name;
  }
}

// One order at a time, with steps of at most h and a tolerance K h^(p+1), like the error of a step, so that
// steps are in proportion to h from the first on.  Shampine and Gordon control an order lower than they keep:
// K h^p.  K is chosen so that most steps are h, and h so that errors stay above 1e-11; higher orders would be
// lost in rounding.
TEST(mechanisms, methods_of_variable_order_converge_with_each) {
  struct Case {
    const char* name;
    int order;
    double h, K;
  };
  const Case cases[] = {{"adams", 1, 0.005, 1e3},
                        {"adams", 2, 0.005, 1e3},
                        {"adams", 3, 0.005, 1e3},
                        {"adams", 4, 0.005, 1e5},
                        {"adams", 5, 0.01, 1e4},
                        {"bdf", 1, 0.005, 1e3},
                        {"bdf", 2, 0.0025, 1e3},
                        {"bdf", 3, 0.005, 1e3},
                        {"bdf", 4, 0.0025, 1e5},
                        {"bdf", 5, 0.01, 1e4},
                        {"shampine-gordon", 2, 0.005, 1e2},
                        {"shampine-gordon", 3, 0.005, 1e2},
                        {"shampine-gordon", 4, 0.005, 1e4},
                        {"shampine-gordon", 5, 0.005, 1e4},
                        {"shampine-gordon", 6, 0.005, 1e6}};
  for (const Case& c : cases) {
    const IntegratorEntry* kind = find_integrator(c.name);
    if (!kind) continue;  // built without SUNDIALS
    const bool lower = kind->lowest == 2;
    const double measured = measured_order(*kind, c.h, 2, [&](double h) {
      StepControl control;
      control.max_order = c.order;
      control.max_step = h;
      control.rtol = 1e-14;
      control.atol = c.K * std::pow(h, lower ? c.order : c.order + 1);
      return control;
    });
    EXPECT_NEAR(measured, c.order, 0.2) << c.name;
  }
}

// With step control the error follows the tolerance with projection as without, at a similar cost: a correction
// must not discard the history.
TEST(mechanisms, corrections_cost_neither_accuracy_nor_steps) {
  for (const IntegratorEntry& kind : integrator_kinds()) {
    if (!kind.adaptive) continue;
    double last = 1;
    for (const double rtol : {1e-5, 1e-7, 1e-9, 1e-11}) {
      StepControl control;
      control.rtol = rtol;
      control.max_step = end;
      Statistics with;
      const double e = (final_state(std::string(kind.info.name), control, &with) - reference()).norm();
      EXPECT_LT(e, 300 * rtol) << kind.info.name;
      EXPECT_LT(e, std::max(0.2 * last, 1e-12)) << kind.info.name << ' ' << rtol;  // or round-off
      last = e;

      Study free = study(four_bar(), end);
      free.analysis.integrator = std::string(kind.info.name);
      free.analysis.control = control;
      for (const TreatmentEntry& t : treatment_kinds())
        if (t.info.name == "standard") free.analysis.treatment = Box<Treatment>(t.make());
      const Results without = run_forward(free);
      EXPECT_LT(with.steps, 1.3 * without.statistics.steps + 10) << kind.info.name << ' ' << rtol;
      EXPECT_LT(with.evaluations, 1.3 * without.statistics.evaluations + 30) << kind.info.name << ' ' << rtol;
    }
  }
}

TEST(mechanisms, every_integrator_goes_with_every_treatment) {
  for (const IntegratorEntry& kind : integrator_kinds())
    for (const TreatmentEntry& t : treatment_kinds()) {
      Study s = study(four_bar(), end);
      s.analysis.integrator = std::string(kind.info.name);
      s.analysis.treatment = Box<Treatment>(t.make());
      s.analysis.control.step = kind.order < 3 && !kind.adaptive ? 1e-4 : 1e-3;
      s.analysis.control.rtol = 1e-7;
      const Results r = run_forward(s);
      ASSERT_TRUE(r.outcome) << kind.info.name << " with " << t.info.name << ": " << r.outcome.why;
      // Penalty has springs of its own, and Euler is of first order.
      const double tolerance = t.info.name == "penalty"            ? 2e-2
                               : kind.order == 1 && !kind.adaptive ? 5e-3
                                                                   : 2e-5;
      EXPECT_NEAR(r.column("crank.angle").back(), reference()[2], tolerance)
          << kind.info.name << " with " << t.info.name;
    }
}
}  // namespace
}  // namespace mubody::testing
