// Runs of precomputed models against those of the models themselves.
#include <algorithm>

#include "tests/precompute/models.h"

namespace mubody::testing {
namespace {
TEST(precompute, four_bar_moves_as_published) {
  // Marques, Souto & Flores (2017): numbers of the equation of motion in the crank's angle, see examples/four_bar.
  const Study study = example("four_bar");
  PrecomputeOptions o;
  o.bound = 1e-10;
  const Precomputed made = precompute(study, o);
  const Results r = run_real_time(made.model, study);
  ASSERT_TRUE(r.outcome);
  const std::vector<double> times = r.times(), angle = r.column("crank.angle");
  const auto at = [&](double t) {
    const auto row = std::ranges::min_element(times, {}, [&](double x) { return std::abs(x - t); });
    return angle[std::size_t(row - times.begin())];
  };
  EXPECT_NEAR(at(1), 0.05723334669417119, 1e-8);
  EXPECT_NEAR(at(2), -1.485158890, 1e-8);
  EXPECT_NEAR(at(10), -0.480897880, 1e-8);
  EXPECT_LT(r.statistics.largest_violation, 1e-9);  // how well tabulated positions close the loop
}

TEST(precompute, iltis_runs_over_the_bump_as_the_full_model_does) {
  const Study study = example("iltis_suspension");
  PrecomputeOptions o;
  o.ranges = {{"inner.angle", -0.4, 0.6}};
  const Precomputed made = precompute(study, o);
  // Bump stop and damper have corners, and the road depends on time.
  EXPECT_EQ(made.run_time, (std::vector<std::string>{"leaf_spring", "shock", "tyre"}));
  const Results fast = run_real_time(made.model, study), full = run(study);
  ASSERT_TRUE(fast.outcome) << fast.outcome.why;
  for (const char* column : {"wheel.x", "wheel.y", "wheel.z", "A_arm.z", "Lout.z"})
    EXPECT_LT(apart(fast, full, column), 1e-6) << column;
  EXPECT_LT(apart(fast, full, "wheel.e3"), 1e-6);
  EXPECT_LT(apart(fast, full, "wheel.wx"), 1e-3);
}

TEST(precompute, damper_is_folded_in) {
  const std::vector<std::string> settings{"forces.spring.damping=30"};
  const Study study = example("crank_slider", settings);
  const Precomputed made = precompute(study, {});
  EXPECT_TRUE(made.run_time.empty());
  EXPECT_TRUE(made.model.regions[0].dynamics[0].damped);
  const Results fast = run_real_time(made.model, study), full = run(study);
  EXPECT_LT(apart(fast, full, "crank.angle"), 1e-6);
  EXPECT_LT(full.column("total").back(), full.column("total").front() - 40);  // the effect is noticeable
  EXPECT_LT(fast.statistics.energy_residual, 1e-5);
}

// By kind, as in runs of the model: a damper in the tables, and one at run time.
TEST(precompute, losses_are_those_of_the_full_model) {
  const Study study = io::read_study_text(R"toml(
gravity = [0, -9.81]
[bodies]
crank = {mass = 1, inertia = 0.02, position = [0.1, 0], omega = 6}
rod = {mass = 1, inertia = 0.05, position = [0.5, 0]}
slider = {mass = 2, inertia = 0.1, position = [0.8, 0]}
[joints]
A = {type = "revolute", bodies = ["ground", "crank"], i = [0, 0], j = [-0.1, 0]}
B = {type = "revolute", bodies = ["crank", "rod"], i = [0.1, 0], j = [-0.3, 0]}
C = {type = "revolute", bodies = ["rod", "slider"], i = [0.3, 0], j = [0, 0]}
G = {type = "translational", bodies = ["ground", "slider"], at = [0, 0], to = [1, 0]}
[forces]
k = {type = "spring", bodies = ["ground", "slider"], i = [2, 0], j = [0, 0], stiffness = 100, damping = 5, free_length = 1.2}
d = {type = "spring", bodies = ["ground", "rod"], i = [0.5, 1], j = [0, 0], damping = 4, law = "= 20*tanh(deflection)", free_length = 1}
f = {type = "force", body = "slider", at = [0, 0], force = ["= -1.5*tanh(slider.vx/0.1)", 0]}
[analysis]
end = 1
rtol = 1e-10
[output]
step = 0.02
)toml",
                                          "losses.toml");
  const Results fast = run_real_time(precompute(study, {}).model, study), full = run(study);
  ASSERT_TRUE(fast.outcome) << fast.outcome.why;
  EXPECT_GT(full.column("dissipated").back(), 1);
  for (const char* column : {"dissipated", "applied_work", "driver_work", "total"})
    EXPECT_LT(apart(fast, full, column), 1e-5) << column;
}

TEST(precompute, nothing_is_recorded_beyond_the_range) {
  const Study study = example("four_bar");
  PrecomputeOptions o;
  o.ranges = {{"A.angle", -0.2, 1.2}};
  const Results r = run_real_time(precompute(study, o).model, study);
  EXPECT_EQ(r.outcome.kind, Outcome::singular);
  EXPECT_NE(r.outcome.why.find("wider --range"), std::string::npos) << r.outcome.why;
  for (const double angle : r.column("crank.angle")) EXPECT_GE(angle, -0.2);
}

TEST(precompute, two_freedoms) {
  const Study study =
      example("double_pendulum", {"parameters.swing=1", "analysis.end=3", "analysis.rtol=1e-11"});
  PrecomputeOptions o;
  o.bound = 1e-9;
  const Precomputed made = precompute(study, o);
  ASSERT_EQ(made.model.n(), 2);
  const Results fast = run_real_time(made.model, study), full = run(study);
  ASSERT_TRUE(fast.outcome) << fast.outcome.why;
  for (const RigidBody& b : study.mechanism.bodies)
    EXPECT_LT(apart(fast, full, b.name + ".angle"), 1e-6) << b.name;
}

TEST(precompute, three_freedoms_in_space) {
  const Study study = io::read_study_text(R"(
gravity = [0, 0, -9.81]
[bodies]
turret = {mass = 3, inertia = [0.1, 0.1, 0.2], position = [0, 0, 0.2], omega = [0, 0, 0.5]}
arm    = {mass = 2, inertia = [0.02, 0.1, 0.1], position = [0.4, 0, 0.4], velocity = [0, 0.2, 0], omega = [0, 0, 0.5]}
hand   = {mass = 1, inertia = [0.01, 0.02, 0.02], position = [1, 0, 0.4], velocity = [0, 0.5, 0], omega = [0, 0, 0.5]}
[joints]
A = {type = "revolute", bodies = ["ground", "turret"], at = [0, 0, 0], axis = [0, 0, 1]}
B = {type = "revolute", bodies = ["turret", "arm"], at = [0, 0, 0.4], axis = [0, 1, 0]}
C = {type = "revolute", bodies = ["arm", "hand"], at = [0.8, 0, 0.4], axis = [0, 0.6, 0.8]}
[analysis]
end = 0.3
rtol = 1e-10
[output]
step = 0.05
)",
                                          "robot.toml");
  PrecomputeOptions o;
  o.bound = 1e-4;
  o.ranges = {{"A.angle", -0.1, 0.3}, {"B.angle", -0.1, 0.9}, {"C.angle", -0.5, 0.4}};
  o.independent = {"A.angle", "B.angle", "C.angle"};
  const Precomputed made = precompute(study, o);
  // The turret depends on its own angle only, the arm on two.
  std::vector<std::size_t> arguments;
  for (const BodyTable& t : made.model.regions[0].bodies) arguments.push_back(t.table.arguments().size());
  EXPECT_EQ(arguments, (std::vector<std::size_t>{1, 2, 3}));
  const Results fast = run_real_time(made.model, study), full = run(study);
  ASSERT_TRUE(fast.outcome) << fast.outcome.why;
  for (const char* column : {"hand.x", "hand.y", "hand.z", "arm.z"})
    EXPECT_LT(apart(fast, full, column), 1e-4) << column;
}

TEST(precompute, regions_meet_without_a_jump) {
  const Study study = io::read_study_text(triple_rocker, "rocker.toml");
  PrecomputeOptions o;
  o.bound = 1e-10;
  const Precomputed made = precompute(study, o);
  ASSERT_GT(made.model.regions.size(), 1u);
  RealTime run(made.model, study.mechanism);
  RealTime::State s = run.start();
  s.rate[0] = 6;
  VecX before(9), after(9), u(9), v(9);
  const double energy = run.kinetic(s) + run.potential(s);
  int changes = 0;
  for (int k = 0; k < 50000; ++k) {
    RealTime::State next = s;
    ASSERT_TRUE(run.step(next, 1e-4)) << run.out_of_range(next);
    if (next.region != s.region) {
      ++changes;
      run.positions(next, after);
      run.velocities(next, v);
      run.positions(s, before);
      run.velocities(s, u);
      EXPECT_LT((after - before - 0.5e-4 * (u + v)).lpNorm<Eigen::Infinity>(), 1e-7);
      EXPECT_LT((v - u).lpNorm<Eigen::Infinity>(), 0.1);
    }
    s = next;
  }
  EXPECT_GE(changes, 4);
  EXPECT_NEAR(run.kinetic(s) + run.potential(s), energy, 1e-6 * energy);
}

TEST(precompute, regions_move_as_the_full_model_does) {
  const Study study = io::read_study_text(triple_rocker, "rocker.toml", {"bodies.left.omega=6"});
  PrecomputeOptions o;
  o.bound = 1e-10;
  const Precomputed made = precompute(study, o);
  const Results fast = run_real_time(made.model, study), full = run(study);
  ASSERT_TRUE(fast.outcome) << fast.outcome.why;
  for (const char* column : {"left.angle", "bar.angle", "right.angle", "bar.x"})
    EXPECT_LT(apart(fast, full, column), 1e-6) << column;
}
}  // namespace
}  // namespace mubody::testing
