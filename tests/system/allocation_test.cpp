// Nothing is allocated once a mechanism has been set up: neither in the right-hand side nor in a correction.
#include <gtest/gtest.h>

#include "mubody/forces/spring.h"
#include "mubody/integrators/integrator.h"
#include "mubody/joints/angle.h"
#include "mubody/system/build.h"
#include "mubody/treatments/projection.h"
#include "tests/allocations.h"
#include "tests/models.h"

namespace mubody::testing {
namespace {
struct Motion final : Ode {
  Dynamics& d;
  TreatmentOf<Projection> treatment;
  explicit Motion(Dynamics& dynamics) : d(dynamics) {}
  void rates(double t, const In& y, Out dy) override {
    const int n = d.system.nq;
    d.evaluate(t, y.head(n), y.tail(n));
    treatment.accelerations(d);
    d.system.rates(y.head(n), y.tail(n), dy.head(n));
    dy.tail(n) = d.a;
    d.system.energy(t, y.head(n), y.tail(n));
  }
  bool after_step(double t, Out y) override {
    const int n = d.system.nq;
    return treatment.after_step(d, t, y.head(n), y.tail(n));
  }
};

class Allocation : public ::testing::TestWithParam<Coordinates> {};

TEST_P(Allocation, none_after_set_up) {
  if (!counts_allocations()) GTEST_SKIP();
  Mechanism m = four_bar();
  Spring spring;
  spring.i = marker(1, 0, 0), spring.j = marker(3, 0, 0.1);
  spring.stiffness = 10, spring.damping = 1;
  m.add_force("spring", spring);
  m.prepare();
  const auto system = build_system(m, GetParam());
  Dynamics d(*system);
  Motion motion(d);
  const int n = system->nq;
  VecX y = VecX::Zero(2 * n);
  system->start(y.head(n), y.tail(n));
  for (const IntegratorEntry& kind : integrator_kinds()) {
    if (kind.info.name == "adams" || kind.info.name == "bdf") continue;  // SUNDIALS manages its own memory
    StepControl control;
    control.step = control.max_step = 1e-3;
    const auto integrator = kind.make(control);
    integrator->start(motion, 0, y, 0.5);
    integrator->advance(motion);
    const long before = allocations();
    while (integrator->t() < 0.5 && integrator->advance(motion)) continue;
    EXPECT_EQ(allocations() - before, 0) << kind.info.name;
    EXPECT_EQ(integrator->t(), 0.5) << kind.info.name;
    integrator->start(motion, 0, y, 0.5);
    EXPECT_EQ(allocations() - before, 0) << kind.info.name << " begins again";
  }
}

INSTANTIATE_TEST_SUITE_P(All, Allocation, ::testing::Values(Coordinates::body, Coordinates::cartesian),
                         [](const auto& test) {
                           return test.param == Coordinates::body ? "body" : "cartesian";
                         });
}  // namespace
}  // namespace mubody::testing
