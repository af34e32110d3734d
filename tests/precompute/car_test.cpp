// A car on loops that are joints, beside its full model.
#include "tests/precompute/models.h"

namespace mubody::testing {
namespace {
PrecomputeOptions of_car() {
  PrecomputeOptions o;
  o.bound = 1e-7;
  for (const char* arm : {"fl_la", "fr_la", "rl_la", "rr_la"}) o.ranges.push_back({arm, -0.15, 0.2});
  o.ranges.push_back({"slide", -0.02, 0.02});
  return o;
}

TEST(car, changes_lanes_as_the_full_model_does) {
  const Study study = example("car", {"analysis.estimate=false", "output.step=0.1"});
  const Precomputed made = precompute(study, of_car());
  ASSERT_EQ(made.model.loops.size(), 3U);
  const Results fast = run_real_time(made.model, study), full = run(study);
  ASSERT_TRUE(fast.outcome) << fast.outcome.why;
  for (const char* column : {"chassis.x", "chassis.y", "chassis.z", "ahead.y"})
    EXPECT_LT(apart(fast, full, column), 1e-4) << column;
  for (const char* column : {"chassis.e0", "chassis.e1", "chassis.e2", "chassis.e3"})
    EXPECT_LT(apart(fast, full, column), 0.5e-4) << column;
  for (const char* wheel : {"fl", "fr", "rl", "rr"})
    EXPECT_LT(apart(fast, full, std::string(wheel) + "_tyre.force"), 1) << wheel;
  EXPECT_LT(fast.statistics.energy_residual, 1e-6 * fast.statistics.energy_scale);
  // It does change lanes.
  const std::vector<double> y = full.column("chassis.y");
  EXPECT_GT(*std::ranges::max_element(y), 3.3);
}
}  // namespace
}  // namespace mubody::testing
