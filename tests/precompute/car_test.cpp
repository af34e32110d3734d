// A car on loops that are joints, beside its full model.
#include "mubody/reading/precompute_section.h"
#include "tests/precompute/models.h"

namespace mubody::testing {
namespace {
PrecomputeOptions of_car() {
  PrecomputeOptions o;
  o.bound = 1e-7;
  for (const char* arm : {"fl_la", "fr_la"}) o.ranges.push_back({arm, -0.25, 0.25});
  for (const char* arm : {"rl_la", "rr_la"}) o.ranges.push_back({arm, -0.35, 0.35});
  o.ranges.push_back({"slide", -0.01, 0.01});
  return o;
}

/// Drives a manoeuvre in both ways, compares them, and returns the results of the full model.
Results drive(const Precomputed& made, const std::string& file, const std::string& end) {
  SCOPED_TRACE(file);
  const Study study = io::read_study((examples() / "car" / file).string(),
                                     {"analysis.end=" + end, "analysis.estimate=false", "output.step=0.1"});
  const Results fast = run_real_time(made.model, study), full = run(study);
  EXPECT_TRUE(fast.outcome) << fast.outcome.why;
  EXPECT_TRUE(full.trusted) << full.verdict;
  for (const char* column : {"chassis.x", "chassis.y", "chassis.z", "ahead.y"})
    EXPECT_LT(apart(fast, full, column), 1e-4) << column;
  for (const char* column : {"chassis.e0", "chassis.e1", "chassis.e2", "chassis.e3"})
    EXPECT_LT(apart(fast, full, column), 0.5e-4) << column;
  for (const char* wheel : {"fl", "fr", "rl", "rr"})
    EXPECT_LT(apart(fast, full, std::string(wheel) + "_tyre.force"), 1) << wheel;
  EXPECT_LT(fast.statistics.energy_residual, 2e-6 * fast.statistics.energy_scale);
  return full;
}
double largest(const Results& r, const std::string& column) { return std::ranges::max(r.column(column)); }

// The tables are of geometry alone: one set serves for all manoeuvres.
TEST(car, drives_all_manoeuvres_as_the_full_model_does) {
  const Precomputed made = precompute(example("car"), of_car());
  ASSERT_EQ(made.model.loops.size(), 3U);
  EXPECT_GT(largest(drive(made, "model.toml", "10"), "chassis.y"), 3.3);
  EXPECT_GT(largest(drive(made, "step_steer.toml", "2"), "chassis.wz"), 0.2);
  EXPECT_GT(largest(drive(made, "bump.toml", "4"), "fl_wheel.z"), 0.48);
  EXPECT_GT(largest(drive(made, "rough_road.toml", "1"), "fl_tyre.force"), 4000);

  const Results rest = drive(made, "rest.toml", "2");
  EXPECT_LT(std::abs(rest.column("chassis.vx").back()), 1e-4);
  EXPECT_LT(rest.statistics.steps, 2000U);

  // Braking turns the car in: it yaws faster although it goes slower.
  const Results brakes = drive(made, "braking_in_turn.toml", "4.6");
  const std::vector<double> yaw = brakes.column("chassis.wz");
  EXPECT_GT(yaw.back(), 1.1 * yaw[39]);
  EXPECT_LT(std::hypot(brakes.column("chassis.vx").back(), brakes.column("chassis.vy").back()), 19);
}

// With the bounds and ranges of their files: 1e-8, and 1e-6 for the platform.
TEST(car, begins_with_a_quarter_and_a_half) {
  struct Step {
    std::string file, end;
    std::vector<std::string> columns;
  };
  for (const Step& step : {Step{"car/quarter.toml", "4", {"chassis.x", "chassis.z", "fl_wheel.z"}},
                           Step{"car/half.toml", "4", {"chassis.x", "chassis.z", "fl_wheel.z", "rl_wheel.z"}},
                           Step{"platform_3rrr/free.toml", "2", {"platform.x", "platform.y", "rod2.x"}}}) {
    const std::string path = (examples() / step.file).string();
    const Study study = io::read_study(
        path, {"analysis.end=" + step.end, "analysis.rtol=1e-9", "analysis.estimate=false", "output.step=0.1"});
    const Precomputed made = precompute(study, io::read_precompute_options(path));
    const Results fast = run_real_time(made.model, study), full = run(study);
    EXPECT_TRUE(fast.outcome) << step.file << ": " << fast.outcome.why;
    EXPECT_TRUE(full.trusted) << step.file << ": " << full.verdict;
    for (const std::string& column : step.columns)
      EXPECT_LT(apart(fast, full, column), 1e-6) << step.file << ": " << column;
  }
}

// Each with a bound of 1e-8, for as far as one second of the lane change goes.
TEST(car, takes_other_corners) {
  struct Axle {
    std::string file;
    std::size_t loops;
    std::vector<std::string> variables;
  };
  for (const Axle& axle : {Axle{"front_macpherson.toml", 3, {"rl_la", "rr_la"}},
                           Axle{"rear_five_link.toml", 3, {"rl_bi.angle_z", "rr_bi.angle_z"}},
                           Axle{"rear_trailing_arm.toml", 1, {}},
                           Axle{"rear_solid_axle.toml", 2, {"lower_l_i.angle_z", "lower_r_i.angle_z"}}}) {
    PrecomputeOptions o;
    o.bound = 1e-8;
    o.ranges = {{"slide", -0.004, 0.004}, {"fl_la", -0.1, 0.1}, {"fr_la", -0.1, 0.1}};
    for (const std::string& variable : axle.variables) o.ranges.push_back({variable, -0.1, 0.1});
    const Precomputed made = precompute(io::read_study((examples() / "car" / axle.file).string()), o);
    EXPECT_EQ(made.model.loops.size(), axle.loops) << axle.file;
    drive(made, axle.file, "1");
  }
}
}  // namespace
}  // namespace mubody::testing
