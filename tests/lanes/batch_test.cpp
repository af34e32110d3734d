// Motions in lanes against the forward analysis of one mechanism, and against a closed form.

#include <cmath>

#include "mubody/forces/spring.h"
#include "mubody/forces/torsion_spring.h"
#include "mubody/integrators/dormand_prince.h"
#include "mubody/integrators/rk4.h"
#include "mubody/joints/translational.h"
#include "tests/lanes/fleet.h"

namespace mubody::testing {
namespace {
constexpr int width = LaneBatch::width;

Study falling(double mass, double end, double rtol = 1e-9) {
  Study s;
  s.mechanism = four_bar();
  s.mechanism.points.push_back({"tip", {}, marker(2, 2, 0)});
  s.mechanism.bodies[0].mass = mass;
  s.analysis.end = end;
  s.analysis.control.rtol = rtol;
  s.output.step = 0.05;
  return s;
}

// With the same method and tolerance the difference is round-off or, where that changes a decision of step
// control, a few times the error of a step, 1e-9 of the numbers.
TEST(lane_batch, moves_as_the_forward_analysis_does) {
  const std::vector<std::string> names{
      "crank.angle", "crank.omega",   "coupler.ay",           "tip.x",
      "tip.ay",      "A.on_crank.fx", "A.on_ground.fy",       "B.on_coupler.fy",
      "C.angle",     "C.angle_rate",  "C.angle_acceleration", "kinetic",
      "potential",   "A.on_crank.m",  "D.on_ground.m",        "total"};
  std::vector<Study> studies;
  for (int k = 0; k < width; ++k) studies.push_back(falling(0.8 + 0.1 * k, 3 + 0.1 * k));
  const Fleet fleet(studies);
  std::vector<LaneKept> kept = fleet.last(names);
  kept.push_back({LaneKept::max, *fleet.model->channel("crank.omega")});
  kept.push_back({LaneKept::min, *fleet.model->channel("tip.y")});
  kept.push_back({LaneKept::at, *fleet.model->channel("crank.angle"), 1.5});
  LaneBatch batch(fleet.model, DormandPrince::table(), kept);
  const auto outcomes = run_all(batch, fleet);
  for (int k = 0; k < width; ++k) {
    const Results one = run_forward(studies[std::size_t(k)]);
    const LaneOutcome& lane = *outcomes[std::size_t(k)];
    EXPECT_FALSE(lane.given_up);
    for (std::size_t n = 0; n < names.size(); ++n) {
      const double reference = one.column(names[n]).back();
      EXPECT_NEAR(lane.kept[n], reference, 1e-8 * (1 + std::abs(reference))) << names[n] << " in lane " << k;
    }
    const std::vector<double> omega = one.column("crank.omega"), y = one.column("tip.y"), t = one.times();
    const auto largest = std::max_element(omega.begin(), omega.end());
    const auto lowest = std::min_element(y.begin(), y.end());
    EXPECT_NEAR(lane.kept[names.size()], *largest, 1e-8);
    EXPECT_NEAR(lane.kept[names.size() + 1], t[std::size_t(largest - omega.begin())], 1e-12);
    EXPECT_NEAR(lane.kept[names.size() + 2], *lowest, 1e-8);
    EXPECT_NEAR(lane.kept[names.size() + 3], t[std::size_t(lowest - y.begin())], 1e-12);
    EXPECT_NEAR(lane.kept[names.size() + 4], one.column("crank.angle")[30], 1e-8);
    EXPECT_LT(lane.statistics.largest_violation, 1e-12);
    EXPECT_NEAR(lane.statistics.energy_residual, one.statistics.energy_residual,
                0.1 * one.statistics.energy_residual + 1e-10);
    EXPECT_NEAR(lane.statistics.energy_scale, one.statistics.energy_scale, 1e-6);
    EXPECT_NEAR(double(lane.statistics.steps), double(one.statistics.steps), 3);
  }
}

// Two discs of 1 kg m² on a shaft of 50 N m/rad: the twist between them is 0.01 cos 10 t however fast they turn together,
// which counts for no error.
TEST(lane_batch, rates_count_as_far_as_they_differ_between_bodies) {
  const auto shaft = [](double speed) {
    Study s;
    Mechanism& m = s.mechanism;
    m.bodies = {body("a", 1, 1, 0, 0, 0), body("b", 1, 1, 0, 0, 0.01)};
    for (int k = 0; k < 2; ++k) {
      m.bodies[std::size_t(k)].omega.z() = speed;
      m.add_joint(k == 0 ? "A" : "B", revolute(marker(ground, 0, 0), marker(k + 1, 0, 0)));
    }
    TorsionSpring spring;
    spring.i = marker(1, 0, 0), spring.j = marker(2, 0, 0);
    spring.stiffness = 50, spring.free_angle = 0;
    m.add_force("shaft", spring);
    m.prepare();
    s.analysis.end = 10;
    s.analysis.integrator = "dormand-prince";
    return s;
  };
  constexpr int some = 8;
  const auto speed = [](int lane) { return lane == 0 ? 0 : std::pow(4, lane); };
  std::vector<Study> studies;
  for (int k = 0; k < some; ++k) studies.push_back(shaft(speed(k)));
  const Fleet fleet(studies);
  LaneBatch batch(fleet.model, DormandPrince::table(), fleet.last({"a.angle", "b.angle"}));
  const auto outcomes = run_all(batch, fleet);
  for (int k = 0; k < some; ++k) {
    const LaneOutcome& lane = *outcomes[std::size_t(k)];
    EXPECT_FALSE(lane.given_up) << speed(k);
    const double round_off = 1e-13 * speed(k);
    EXPECT_NEAR(lane.kept[1] - lane.kept[0], 0.01 * std::cos(100), 1e-7 + round_off) << speed(k);
    EXPECT_NEAR(double(lane.statistics.steps), double(run_forward(shaft(speed(k))).statistics.steps), 3)
        << speed(k);
  }
}

// A resumed sweep combines mechanisms in other ways; not a bit may depend on that.
TEST(lane_batch, no_lane_sees_another) {
  std::vector<Study> studies{falling(1.1, 1)};
  for (int k = 1; k < width; ++k)
    studies.push_back(falling(0.5 + 0.3 * k, 0.2 + 0.1 * k, k % 2 ? 1e-5 : 1e-11));
  const Fleet fleet(studies);
  const auto kept = fleet.last({"crank.angle", "crank.omega", "A.on_crank.fx", "residual"});
  LaneBatch alone(fleet.model, DormandPrince::table(), kept);
  alone.start(0, fleet.tasks[0]);
  const std::vector<double> reference = finish(alone)[0]->kept;

  LaneBatch crowded(fleet.model, DormandPrince::table(), kept);
  for (int k = 0; k < width; ++k)
    if (k != 6) crowded.start(k, fleet.tasks[std::size_t(k == 0 ? 6 : k)]);
  for (int k = 0; k < 20; ++k) crowded.step();
  crowded.start(6, fleet.tasks[0]);  // starts late, while the others are running
  EXPECT_EQ(finish(crowded)[6]->kept, reference);
}

// x'' + 2 ζ ω x' + ω² x = 0 from x = 1: exp(−ζωt) (cos ω_d t + ζω/ω_d sin ω_d t), with the energy in the damper.
TEST(lane_batch, keeps_the_balance_of_a_damped_oscillator) {
  const auto study_with = [](double damping) {
    Study s;
    Mechanism& m = s.mechanism;
    m.bodies = {body("slider", 2, 1, 3, 0, 0)};
    Translational guide;
    guide.i = marker(ground, 0, 0), guide.j = marker(1, 0, 0);
    m.add_joint("guide", guide);
    Spring spring;
    spring.i = marker(ground, 0, 0), spring.j = marker(1, 0, 0);
    spring.stiffness = 50, spring.damping = damping, spring.free_length = 2;
    m.add_force("spring", spring);
    m.prepare();
    s.analysis.end = 2;
    s.analysis.control.rtol = 1e-11;
    return s;
  };
  constexpr int some = 8;
  std::vector<Study> studies;
  for (int k = 0; k < some; ++k) studies.push_back(study_with(k));
  const Fleet fleet(studies);
  LaneBatch batch(fleet.model, DormandPrince::table(), fleet.last({"slider.x", "dissipated", "total"}));
  const auto outcomes = run_all(batch, fleet);
  for (int k = 0; k < some; ++k) {
    const double decay = k / 4.0, w = std::sqrt(25 - decay * decay), t = 2;
    const double x = std::exp(-decay * t) * (std::cos(w * t) + decay / w * std::sin(w * t));
    const LaneOutcome& out = *outcomes[std::size_t(k)];
    EXPECT_NEAR(out.kept[0], 2 + x, 1e-9);
    EXPECT_NEAR(out.kept[1] + out.kept[2], 25, 1e-8) << "½ k x² at the start";
    EXPECT_LT(out.statistics.energy_residual, 1e-8);
  }
}

TEST(lane_batch, takes_fixed_steps_too) {
  Study s = falling(1, 1);
  s.analysis.integrator = "rk4";
  s.analysis.control.step = 0.004;
  s.output.step = 0.0125;  // also between steps
  const Fleet fleet({s});
  std::vector<LaneKept> kept = fleet.last({"crank.angle"});
  kept.push_back({LaneKept::at, *fleet.model->channel("crank.omega"), 0.5125});
  LaneBatch batch(fleet.model, Rk4::table(), kept);
  batch.start(3, fleet.tasks[0]);
  const LaneOutcome out = *finish(batch)[3];
  const Results one = run_forward(s);
  EXPECT_EQ(out.statistics.steps, one.statistics.steps);
  EXPECT_NEAR(out.kept[0], one.column("crank.angle").back(), 1e-13);
  EXPECT_NEAR(out.kept[1], one.column("crank.omega")[41], 1e-12);
}

// Equal rods fold flat, where two motions cross; the lane leaves that to the forward analysis.
TEST(lane_batch, gives_up_at_a_singular_position) {
  Study s;
  Mechanism& m = s.mechanism;
  m = ladder(1);
  for (RigidBody& b : m.bodies) {
    const bool bar = b.name == "bar0";
    b.velocity = Vec<3>(bar ? 1 : 0.5, 0, 0);
    b.omega = Vec<3>(0, 0, bar ? 0 : -1);
  }
  s.analysis.end = 2;
  const Fleet fleet({s});
  LaneBatch batch(fleet.model, DormandPrince::table(), fleet.last({"up0.angle"}));
  batch.start(0, fleet.tasks[0]);
  EXPECT_TRUE(finish(batch)[0]->given_up);
}
}  // namespace
}  // namespace mubody::testing
