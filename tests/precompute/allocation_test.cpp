// At run time nothing is allocated: not by tables, not by forces.
#include "tests/allocations.h"
#include "tests/precompute/models.h"

namespace mubody::testing {
namespace {
long allocations_of(const Study& study, const PrecomputeOptions& o) {
  const Precomputed made = precompute(study, o);
  RealTime run(made.model, study.mechanism);
  RealTime::State s = run.start();
  VecX q(Eigen::Index(made.model.gain.size() / std::size_t(made.model.n())));
  const long before = testing::allocations();
  for (int k = 0; k < 1000; ++k) run.step(s, 1e-4);
  run.positions(s, q);
  return testing::allocations() - before;
}

TEST(real_time, allocates_nothing) {
  if (!counts_allocations()) GTEST_SKIP();
  EXPECT_EQ(allocations_of(example("four_bar"), {}), 0);
  PrecomputeOptions o;
  o.ranges = {{"inner.angle", -0.4, 0.6}};
  EXPECT_EQ(allocations_of(example("iltis_suspension"), o), 0);
  PrecomputeOptions two;
  two.bound = 1e-4;
  two.ranges = {{"A.angle", -0.2, 0.2}, {"B.angle", -0.2, 0.2}};
  EXPECT_EQ(allocations_of(example("double_pendulum"), two), 0);
}
}  // namespace
}  // namespace mubody::testing
