// Deformable joints: the crank-slider of the dissertation, sec. 5.7, with joint 12 giving way along x of the crank.
#include <cmath>

#include "mubody/mechanism/compliance.h"
#include "mubody/precompute/plan/closure.h"
#include "mubody/reading/real_time_file.h"
#include "tests/precompute/models.h"

namespace mubody::testing {
namespace {
Study crank_slider(double stiffness, double damping, const std::vector<std::string>& more = {}) {
  std::vector<std::string> settings{"joints.J12.compliance={x = {stiffness = " + std::to_string(stiffness) +
                                        ", damping = " + std::to_string(damping) + "}}",
                                    "analysis.end=1", "analysis.rtol=1e-11"};
  settings.insert(settings.end(), more.begin(), more.end());
  return example("crank_slider", settings);
}

PrecomputeOptions deformable_options(double bound = 1e-8) {
  PrecomputeOptions o;
  o.bound = bound;
  o.independent = {"J01.angle"};
  return o;
}

// The same mechanism built by hand: a pin that slides along the crank, and a spring along it.
Study by_hand(double stiffness, double damping) {
  return io::read_study_text(R"(
gravity = [0, -9.81]
[bodies]
crank  = {mass = 12, inertia = 1, position = [2.5, 1], velocity = [0, 2], omega = 4}
rod    = {mass = 12, inertia = 4, position = [4, 1], velocity = [0, 2], omega = -2}
slider = {mass = 20, inertia = 10, position = [5, 1]}
[joints]
J01 = {type = "revolute", bodies = ["ground", "crank"], i = [2, 1],   j = [-0.5, 0]}
J12 = {type = "slot", bodies = ["crank", "rod"], i = {at = [0.5, 0], axis = [1, 0]}, j = [-1, 0]}
J23 = {type = "revolute", bodies = ["rod", "slider"],   i = [1, 0],   j = [0, 0]}
J34 = {type = "translational", bodies = ["ground", "slider"], i = {at = [4, 1], axis = [1, 0]}, j = [0, 0]}
[forces]
spring = {type = "spring", bodies = ["ground", "slider"], i = [8, 1], j = [0, 0], stiffness = 200, free_length = 4}
bush = {type = "bushing", bodies = ["crank", "rod"], i = [0.5, 0], j = [-1, 0], stiffness = [)" +
                                 std::to_string(stiffness) + ", 0, 0], damping = [" + std::to_string(damping) +
                                 R"(, 0, 0]}
[analysis]
end = 1
rtol = 1e-11
hold = ["crank.angle", "crank.omega"]
[output]
step = 0.05
)",
                             "by_hand.toml");
}

TEST(deformable, full_model_is_that_with_a_bushing) {
  const Results one = run(crank_slider(1e5, 300)), other = run(by_hand(1e5, 300));
  ASSERT_TRUE(one.outcome) << one.outcome.why;
  ASSERT_TRUE(other.outcome) << other.outcome.why;
  for (const char* column : {"crank.angle", "rod.x", "rod.angle", "slider.x"})
    EXPECT_LT(apart(one, other, column), 1e-8) << column;
  double most = 0;
  for (const double x : one.column("J12.x")) most = std::max(most, std::abs(x));
  EXPECT_GT(most, 1e-4);  // it does give way
}

TEST(deformable, rigid_is_what_it_was) {
  const Mechanism m = rigid(crank_slider(1e5, 0).mechanism), was = example("crank_slider").mechanism;
  ASSERT_EQ(m.joints.size(), was.joints.size());
  for (std::size_t k = 0; k < m.joints.size(); ++k) {
    EXPECT_EQ(m.joints[k].name, was.joints[k].name);
    EXPECT_EQ(m.joints[k].what->info().name, was.joints[k].what->info().name);
  }
  EXPECT_EQ(m.forces.size(), was.forces.size());
}

// Positions of bodies at given angle and deflection: first-order terms against the exact closure.
TEST(deformable, error_falls_with_the_square_of_the_deflection_and_is_told) {
  const Study study = crank_slider(1e6, 0);
  const Precomputed made = precompute(study, deformable_options());
  ASSERT_EQ(made.model.stiff.size(), 1u);
  ASSERT_EQ(made.model.n(), 2);
  Begun b = begin(study, "test");
  Closure exact(study.mechanism,
                {find_variable(rigid(study.mechanism), "J01.angle"), stiff_variables(study.mechanism).front()},
                0, b.q);
  RealTime run(made.model, study.mechanism);
  VecX q(9), u(9);
  for (const double angle : {0.3, 0.9, 1.7, 2.6, 4.0, 5.5}) {
    double before = 0;
    for (const double deflection : {1e-2, 5e-3, 2.5e-3, 1.25e-3}) {
      RealTime::State s = run.start();
      s.theta[0] = angle, s.theta[1] = deflection;
      ASSERT_TRUE(exact.go(Eigen::Vector2d(angle, deflection)));
      run.positions(s, q);
      double length = 0, turn = 0;
      for (int body = 0; body < 3; ++body) {
        const VecX d = q.segment<3>(3 * body) - exact.q().segment<3>(3 * body);
        length = std::max(length, d.head<2>().norm());
        turn = std::max(turn, std::abs(d[2]));
      }
      const RealTime::SeriesError told = run.series_error(s);
      EXPECT_LT(length, 2 * told.length);
      EXPECT_GT(length, 0.5 * told.length);
      EXPECT_LT(turn, 2 * told.angle);
      EXPECT_GT(turn, 0.5 * told.angle);
      if (before > 0) {
        EXPECT_NEAR(before / length, 4, 0.1) << angle << " " << deflection;
      }
      before = length;
      // The summary states a bound for the whole range.
      EXPECT_LT(length, 1.1 * made.neglected[0].length * deflection * deflection);
      // Velocities are the rates of these positions, up to terms of second order.
      s.rate[0] = 0.7, s.rate[1] = 0.01;
      run.velocities(s, u);
      const VecX right = exact.coefficients().B * Eigen::Vector2d(0.7, 0.01);
      EXPECT_LT((u - right).lpNorm<Eigen::Infinity>(), 3 * deflection * deflection);
    }
  }
}

// A whole run against the full model: 4 times the stiffness, 1/4 of the deflection, 1/16 of the error.
TEST(deformable, runs_as_the_full_model_to_the_square_of_the_deflection) {
  double before = 0;
  for (const double stiffness : {2e5, 8e5}) {
    const Study study = crank_slider(stiffness, 0.004 * stiffness);
    const Precomputed made = precompute(study, deformable_options());
    const Results fast = run_real_time(made.model, study), full = run(study);
    // Two motions from the same tables would agree on what the tables leave out.
    EXPECT_TRUE(!fast.accuracy || !fast.accuracy->missing.empty());
    ASSERT_TRUE(fast.outcome) << fast.outcome.why;
    double deflection = 0, error = 0, told = 0;
    for (const double x : full.column("J12.x")) deflection = std::max(deflection, std::abs(x));
    for (const char* body : {"crank", "rod", "slider"}) {
      const std::string name(body);
      const auto x = fast.column(name + ".x"), y = fast.column(name + ".y"), X = full.column(name + ".x"),
                 Y = full.column(name + ".y");
      for (std::size_t k = 0; k < x.size(); ++k) error = std::max(error, std::hypot(x[k] - X[k], y[k] - Y[k]));
    }
    // The same estimate as the run reports, at its output times.
    RealTime run(made.model, study.mechanism);
    const auto angle = fast.column("crank.angle"), give = full.column("J12.x");
    for (std::size_t k = 0; k < angle.size(); ++k) {
      RealTime::State s = run.start();
      s.theta[0] = angle[k], s.theta[1] = give[k];
      told = std::max(told, run.series_error(s).length);
    }
    RecordProperty("deflection", std::to_string(deflection));
    EXPECT_GT(deflection, 1e-4);
    EXPECT_LT(error, 2 * told) << stiffness;
    EXPECT_GT(error, 0.5 * told) << stiffness;
    if (before > 0) {
      EXPECT_NEAR(before / error, 16, 4);
    }
    before = error;
    EXPECT_NE(fast.remarks.back().find("J12.slide_x"), std::string::npos);
  }
}

// Without damping, tables with a series conserve energy.
TEST(deformable, conserves_energy) {
  const Study study = crank_slider(1e5, 0);
  const Precomputed made = precompute(study, deformable_options());
  RealTime run(made.model, study.mechanism);
  RealTime::State s = run.start();
  const double energy = run.kinetic(s) + run.potential(s);
  for (int k = 0; k < 20000; ++k) ASSERT_TRUE(run.step(s, 5e-5));
  EXPECT_NEAR(run.kinetic(s) + run.potential(s), energy, 1e-7 * std::abs(energy) + 1e-7);
}

TEST(deformable, is_written_and_read) {
  const Study study = crank_slider(1e5, 10);
  const Precomputed made = precompute(study, deformable_options(1e-6));
  const RealTimeModel read = io::real_time_from(io::real_time_bytes(made.model), "x.rt");
  RealTime a(made.model, study.mechanism), b(read, study.mechanism);
  RealTime::State s = a.start();
  s.theta[1] = 1e-3;
  double one[RealTime::most], other[RealTime::most];
  a.accelerations(s, one);
  b.accelerations(s, other);
  EXPECT_EQ(one[0], other[0]);
  EXPECT_EQ(one[1], other[1]);
}

// In space, besides a free turn of any size: the arm of a suspension shifts and tilts on its hinge.
TEST(deformable, arm_of_a_suspension_shifts_and_tilts) {
  const Study study =
      example("iltis_suspension", {"joints.inner.compliance={y = {stiffness = 2e6, damping = 3e3}, "
                                   "angle_y = {stiffness = 4e4, damping = 60}}",
                                   "analysis.end=0.3", "output.step=0.02"});
  PrecomputeOptions o;
  o.bound = 1e-5;
  o.independent = {"inner.angle"};
  o.ranges = {{"inner.angle", -0.15, 0.3}};
  const Precomputed made = precompute(study, o);
  ASSERT_EQ(made.model.n(), 3);
  ASSERT_EQ(made.neglected.size(), 3u);
  Begun b = begin(study, "test");
  const auto stiff = stiff_variables(study.mechanism);
  ASSERT_EQ(stiff.size(), 2u);
  Closure exact(study.mechanism, {find_variable(rigid(study.mechanism), "inner.angle"), stiff[0], stiff[1]}, 0,
                b.q);
  const double start = exact.theta()[0];
  RealTime tables(made.model, study.mechanism);
  VecX q(b.q.size());
  for (const double angle : {0.02, 0.15}) {
    double before = 0;
    for (const double size : {1.0, 0.5, 0.25}) {
      RealTime::State s = tables.start();
      s.theta[0] = start + angle, s.theta[1] = 4e-3 * size, s.theta[2] = 1e-2 * size;
      ASSERT_TRUE(exact.go(Eigen::Vector3d(s.theta[0], s.theta[1], s.theta[2])));
      tables.positions(s, q);
      double error = 0;
      for (Eigen::Index body = 0; body < q.size() / 7; ++body)
        error = std::max(error, (q - exact.q()).segment<3>(7 * body).norm());
      const double told = tables.series_error(s).length;
      EXPECT_LT(error, 2 * told);
      EXPECT_GT(error, 0.5 * told);
      if (before > 0) {
        EXPECT_NEAR(before / error, 4, 0.4);
      }
      before = error;
    }
  }
  const Results fast = run_real_time(made.model, study), full = run(study);
  ASSERT_TRUE(fast.outcome) << fast.outcome.why;
  EXPECT_LT(apart(fast, full, "wheel.z"), 2e-5);
  EXPECT_LT(apart(fast, full, "A_arm.y"), 2e-5);
}
}  // namespace
}  // namespace mubody::testing
