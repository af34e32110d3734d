// The source for graphics processors, compiled for this one, against lanes: the same rules, the same numbers.
#include <cmath>

#include "mubody/compiled/compiled_motions.h"
#include "mubody/integrators/dormand_prince.h"
#include "tests/example.h"
#include "tests/lanes/fleet.h"

namespace mubody::testing {
namespace {
/// A part of the motion of an example, with heavier bodies for each mechanism.
Study heavier(const std::string& name, int which, double span, const std::string& integrator) {
  Study s = example(name);
  s.analysis.treatment = AnalysisOptions().treatment;
  s.analysis.integrator = integrator;
  s.analysis.control = {};
  if (integrator == "rk4") s.analysis.control.step = span / 50;
  s.analysis.assembly = {};
  s.analysis.formulation = AnalysisOptions().formulation;
  s.analysis.end = s.analysis.start + span;
  s.output = {};
  s.output.step = span / 20.5;  // some results lie within steps
  for (RigidBody& b : s.mechanism.bodies) b.mass *= 1 + 0.01 * which, b.inertia *= 1 + 0.02 * which;
  return s;
}
std::vector<LaneKept> all_kept(const Fleet& fleet, double span) {
  std::vector<LaneKept> all;
  for (const auto& c : fleet.model->recorded().channels) {
    const auto channel = fleet.model->channel(c.name);
    if (channel) all.push_back({LaneKept::What(all.size() % 4), *channel, 10 * span / 20.5});
  }
  for (const char* name : {"total", "applied_work", "dissipated"})
    all.push_back({LaneKept::last, fleet.model->channel(name).value()});
  return all;
}
/// Outcomes of all mechanisms, one after the other.
std::vector<LaneOutcome> outcomes_of(const MotionCode& code, const Fleet& fleet) {
  std::vector<double> numbers;
  for (const LaneTask& t : fleet.tasks) {
    const std::vector<double> one = code.numbers(t);
    numbers.insert(numbers.end(), one.begin(), one.end());
  }
  const int count = int(fleet.tasks.size());
  const auto device = io::compiled_motions(code);
  const std::vector<double> results =
      device->run(side_by_side(numbers, count, fleet.tasks.front().times), [] { return true; });
  std::vector<LaneOutcome> all;
  for (int k = 0; k < count; ++k) {
    EXPECT_FALSE(code.stopped_at(results, count, k));
    all.push_back(code.outcome(results, count, k));
  }
  return all;
}

struct Case {
  const char* example;
  double span;           // [s]
  double within = 1e-9;  // of the largest number that is kept
  const char* integrator = "dormand-prince";
};
class OnDevice : public ::testing::TestWithParam<Case> {};

TEST_P(OnDevice, moves_as_lanes_do) {
  std::vector<Study> studies;
  for (int k = 0; k < 3; ++k)
    studies.push_back(heavier(GetParam().example, k, GetParam().span, GetParam().integrator));
  const Fleet fleet(studies);
  const std::vector<LaneKept> kept = all_kept(fleet, GetParam().span);
  const Tableau& method = *find_tableau(GetParam().integrator);
  LaneBatch batch(fleet.model, method, kept);
  const auto lanes = run_all(batch, fleet);
  const auto found = outcomes_of(MotionCode(fleet.model, method, kept), fleet);
  for (std::size_t k = 0; k < studies.size(); ++k) {
    ASSERT_FALSE(lanes[k]->given_up);
    ASSERT_FALSE(found[k].given_up);
    double size = 1;
    for (const double x : lanes[k]->kept) size = std::max(size, std::abs(x));
    ASSERT_EQ(found[k].kept.size(), lanes[k]->kept.size());
    std::size_t n = 0;
    for (const LaneKept& what : kept) {
      EXPECT_NEAR(found[k].kept[n], lanes[k]->kept[n], GetParam().within * size) << "kept number " << n;
      // Where a channel is constant round-off decides when it is largest.
      n += what.what == LaneKept::max || what.what == LaneKept::min ? 2 : 1;
    }
    const Statistics &a = found[k].statistics, &b = lanes[k]->statistics;
    EXPECT_NEAR(double(a.steps), double(b.steps), 3 + 0.02 * double(b.steps));
    EXPECT_LT(a.violation_share, 1e-12);
    EXPECT_NEAR(a.energy_scale, b.energy_scale, 1e-6 * b.energy_scale + 1e-12);
    EXPECT_NEAR(a.load_scale, b.load_scale, 1e-6 * b.load_scale + 1e-12);
  }
}
INSTANTIATE_TEST_SUITE_P(
    Examples, OnDevice,
    ::testing::Values(Case{"four_bar", 0.5, 1e-9, "rk4"}, Case{"heavy_top", 0.3}, Case{"tumbling_body", 0.5},
                      Case{"spatial_slider_crank", 0.3}, Case{"rolling_disc", 0.5}, Case{"rolling_tyre", 0.5},
                      Case{"andrews", 0.005}, Case{"slider_crank_driven", 0.3},
                      Case{"double_pendulum", 0.5, 1e-9, "verner"}, Case{"spring_mass_damper", 0.5},
                      Case{"cardan_shaft", 0.2}, Case{"cam_flat_follower", 0.05},
                      // redundant equations
                      Case{"four_bar_in_space", 2}, Case{"bricard", 0.5},
                      // parts without mass or inertia
                      Case{"pendulum", 1}, Case{"natural_four_bar", 1},
                      // instants at which functions of time change, and signals that are sampled
                      Case{"excavator", 3}, Case{"scissor_lift", 1}, Case{"crane", 1, 1e-8}),
    [](const auto& one) { return one.param.example; });

TEST(motion_code, numbers_of_mechanisms_lie_side_by_side) {
  std::vector<double> one_after_the_other;
  for (int k = 0; k < 40; ++k)
    for (int n = 0; n < 3; ++n) one_after_the_other.push_back(10 * k + n);
  const MotionPoints p = side_by_side(one_after_the_other, 40, {1.0});
  for (int k = 0; k < 40; ++k)
    for (int n = 0; n < 3; ++n) EXPECT_EQ(p.numbers[std::size_t(n * 40 + k)], 10 * k + n);
}

// What a device is told to stop it leaves where it is.
TEST(compiled_motions, end_at_the_limit_of_time) {
  const Fleet fleet({heavier("heavy_top", 0, 1000, "rk4")});
  const MotionCode code(fleet.model, *find_tableau("rk4"), fleet.last({"total"}));
  MotionPoints p = side_by_side(code.numbers(fleet.tasks[0]), 1, {0.0, 1000.0});
  p.numbers[2] = 1e-4;  // the step
  p.limit = 0.01;
  const auto results = io::compiled_motions(code)->run(p, [] { return true; });
  ASSERT_TRUE(code.stopped_at(results, 1, 0));
  EXPECT_GT(*code.stopped_at(results, 1, 0), 0);
  EXPECT_LT(*code.stopped_at(results, 1, 0), 1000);
  EXPECT_TRUE(io::compiled_motions(code)->run(p, [] { return false; }).empty());
}
}  // namespace
}  // namespace mubody::testing
