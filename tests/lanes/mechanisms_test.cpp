// Motions in lanes against those of single runs, for mechanisms with all kinds of elements, and what lanes share.
#include <cmath>

#include <fmt/format.h>

#include "mubody/code/recorded_study.h"
#include "mubody/integrators/dormand_prince.h"
#include "mubody/integrators/heun.h"
#include "tests/example.h"
#include "tests/lanes/fleet.h"

namespace mubody::testing {
namespace {
/// A part of the motion of an example, with a heavier first body for each lane.
Study heavier(const std::string& name, int lane, double span) {
  Study s = example(name);
  s.analysis.treatment = AnalysisOptions().treatment;
  s.analysis.integrator = "dormand-prince";
  s.analysis.control = {};
  s.analysis.assembly = {};
  s.analysis.formulation = AnalysisOptions().formulation;
  s.analysis.end = s.analysis.start + span;
  s.output = {};
  s.output.step = span / 20;
  for (RigidBody& b : s.mechanism.bodies) b.mass *= 1 + 0.01 * lane, b.inertia *= 1 + 0.02 * lane;
  return s;
}

struct Case {
  const char* example;
  double span;            // [s]
  double within = 1e-10;  // of the largest number of a channel
};
class InLanes : public ::testing::TestWithParam<Case> {};

// Channels of bodies, joints, points and forces at the end; those of one kind are compared with the largest of them.
TEST_P(InLanes, moves_as_single_runs_do) {
  constexpr int some = 3;
  std::vector<Study> studies;
  for (int k = 0; k < some; ++k) studies.push_back(heavier(GetParam().example, k, GetParam().span));
  const Fleet fleet(studies);
  std::vector<Results> single;
  for (const Study& s : studies) single.push_back(run_forward(s));
  ASSERT_TRUE(single[0].outcome) << single[0].outcome.why;
  std::vector<std::string> names;
  for (const Table& t : single[0].tables)
    for (std::size_t c = 1; c < t.columns.size(); ++c)
      if (t.name != "violations" && fleet.model->channel(t.columns[c].name)) names.push_back(t.columns[c].name);
  ASSERT_GT(names.size(), 10u);
  LaneBatch batch(fleet.model, DormandPrince::table(), fleet.last(names));
  const auto outcomes = run_all(batch, fleet);
  for (std::size_t k = 0; k < some; ++k) {
    ASSERT_FALSE(outcomes[k]->given_up);
    for (std::size_t n = 0; n < names.size(); ++n) {
      const std::vector<double> column = single[k].column(names[n]);
      double size = 1;
      for (const double x : column) size = std::max(size, std::abs(x));
      if (names[n] == "residual")
        size = std::max(size, single[k].statistics.energy_scale);  // what it is left of
      EXPECT_NEAR(outcomes[k]->kept[n], column.back(), GetParam().within * size)
          << names[n] << " in lane " << k;
    }
    const Statistics &a = outcomes[k]->statistics, &b = single[k].statistics;
    EXPECT_NEAR(double(a.steps), double(b.steps), 3 + 0.02 * double(b.steps));
    EXPECT_LT(a.violation_share, 1e-12);
    EXPECT_NEAR(a.energy_scale, b.energy_scale, 1e-6 * b.energy_scale + 1e-12);
    EXPECT_LT(a.energy_residual, 10 * b.energy_residual + 1e-9 * b.energy_scale + 1e-12);
  }
}
INSTANTIATE_TEST_SUITE_P(
    Examples, InLanes,
    ::testing::Values(Case{"heavy_top", 0.3}, Case{"tumbling_body", 0.5}, Case{"spatial_slider_crank", 0.3},
                      Case{"rolling_disc", 0.5}, Case{"rolling_tyre", 0.5}, Case{"iltis_suspension", 0.2},
                      Case{"andrews", 0.005}, Case{"slider_crank_driven", 0.3}, Case{"double_pendulum", 0.5},
                      Case{"spring_mass_damper", 0.5}, Case{"cardan_shaft", 0.2},
                      Case{"cam_flat_follower", 0.05},
                      // redundant equations
                      Case{"four_bar_in_space", 2}, Case{"bricard", 0.5}, Case{"front_suspension", 0.2},
                      // parts without mass or inertia
                      Case{"pendulum", 1}, Case{"natural_four_bar", 1},
                      // instants at which functions of time change
                      Case{"excavator", 3}, Case{"scissor_lift", 1}, Case{"human_leg", 0.3},
                      // 1e8 N/m: the last digit of a position is 1e-8 N
                      Case{"stiff_bushing", 0.02, 1e-7}),
    [](const auto& one) { return one.param.example; });

// A moment that jumps, another with a kink, and a pulse that is shorter than steps, at times that differ from lane to lane;
// results at the instant of a jump are those of single runs too.
TEST(lane_model, functions_of_time_change_at_their_instants) {
  for (const char* integrator : {"dormand-prince", "rk4"}) {
    std::vector<Study> studies;
    for (const double when : {0.4, 0.45, 0.5})
      studies.push_back(io::read_study_text(
          R"toml(gravity = [0, -9.81]
[bodies]
rod = {mass = 1, inertia = 0.3, position = [1, 0]}
[joints]
pin = {type = "revolute", bodies = ["ground", "rod"], at = [0, 0]}
[forces]
motor = {type = "moment", body = "rod", moment = "= 3*if(t < when, 1, -2) + abs(t - 0.75)"}
pulse = {type = "moment", body = "rod", moment = "= if(t > 0.6 and t < 0.601, 40, 0)"}
[parameters]
when = 0.5
[analysis]
end = 1
rtol = 1e-9
[output]
step = 0.05
)toml",
          "jump",
          {"parameters.when=" + std::to_string(when), std::string("analysis.integrator=") + integrator,
           integrator[0] == 'r' ? "analysis.step=0.0013" : "analysis.rtol=1e-9"}));
    const Fleet fleet(studies);
    std::vector<LaneKept> kept =
        fleet.last({"rod.angle", "rod.omega", "rod.alpha", "applied_work", "residual"});
    kept.push_back({LaneKept::at, fleet.model->channel("rod.alpha").value(), 0.5});
    LaneBatch batch(fleet.model, *find_tableau(integrator), kept);
    const auto outcomes = run_all(batch, fleet);
    for (std::size_t k = 0; k < studies.size(); ++k) {
      const Results one = run_forward(studies[k]);
      const auto& found = outcomes[k]->kept;
      batch.start(5, fleet.tasks[k]);
      EXPECT_EQ(finish(batch)[5]->kept, found);  // to the last bit, whatever happens beside it
      EXPECT_EQ(outcomes[k]->statistics.steps, one.statistics.steps) << integrator;
      EXPECT_NEAR(found[0], one.column("rod.angle").back(), 1e-12) << integrator;
      EXPECT_NEAR(found[1], one.column("rod.omega").back(), 1e-12) << integrator;
      EXPECT_NEAR(found[2], one.column("rod.alpha").back(), 1e-11) << integrator;
      EXPECT_NEAR(found[3], one.column("applied_work").back(), 1e-11) << integrator;
      EXPECT_NEAR(found[4], one.column("residual").back(), 1e-11) << integrator;
      EXPECT_NEAR(found[5], one.column("rod.alpha")[10], 1e-11) << integrator;
    }
  }
}

// The controller of a crane, at its own rate; results at its instants have its new values.
TEST(lane_model, signals_are_sampled_at_their_instants) {
  std::vector<Study> studies;
  for (const char* speed : {"0.3", "0.4"})
    studies.push_back(
        example("crane", {"analysis.end=2", "bodies.trolley.velocity=[" + std::string(speed) + ", 0]",
                          "bodies.load.velocity=[" + std::string(speed) + ", 0]"}));
  const Fleet fleet(studies);
  const std::vector<std::string> names{"trolley.x", "load.x", "trolley.vx", "path", "drive", "applied_work"};
  std::vector<LaneKept> kept = fleet.last(names);
  for (const std::string& name : names) kept.push_back({LaneKept::at, fleet.model->channel(name).value(), 0.5});
  LaneBatch batch(fleet.model, DormandPrince::table(), kept);
  const auto outcomes = run_all(batch, fleet);
  for (std::size_t k = 0; k < studies.size(); ++k) {
    const Results one = run_forward(studies[k]);
    EXPECT_EQ(outcomes[k]->statistics.steps, one.statistics.steps);
    for (std::size_t n = 0; n < names.size(); ++n) {
      const std::vector<double> column = one.column(names[n]);
      const double size = std::max(1.0, std::abs(column.back()));
      EXPECT_NEAR(outcomes[k]->kept[n], column.back(), 1e-11 * size) << names[n];
      EXPECT_NEAR(outcomes[k]->kept[names.size() + n], column[10], 1e-11 * size) << names[n];
    }
  }
}

// Two signals whose instants lie a little apart, and more so with every one of them: each is sampled at its own.
TEST(lane_model, signals_with_nearly_equal_periods_are_sampled_apart) {
  const auto study = [](double push) {
    return io::read_study_text(R"toml([bodies]
rod = {mass = 1, inertia = 0.3, position = [1, 0]}
[joints]
pin = {type = "revolute", bodies = ["ground", "rod"], at = [0, 0]}
[signals]
one = {value = "= t", unit = "s", sample = 0.1}
other = {value = "= t", unit = "s", sample = 0.10000001}
[forces]
motor = {type = "moment", body = "rod", moment = "= push*(one + other)"}
[parameters]
push = 1
[analysis]
end = 0.55
)toml",
                               "two", {"parameters.push=" + std::to_string(push)});
  };
  const std::vector<Study> studies{study(1), study(1.5)};
  const Fleet fleet(studies);
  const std::vector<std::string> names{"one", "other", "rod.omega"};
  LaneBatch batch(fleet.model, DormandPrince::table(), fleet.last(names));
  const auto outcomes = run_all(batch, fleet);
  for (std::size_t k = 0; k < studies.size(); ++k) {
    const Results one = run_forward(studies[k]);
    EXPECT_FALSE(outcomes[k]->given_up);
    for (std::size_t n = 0; n < names.size(); ++n)
      EXPECT_NEAR(outcomes[k]->kept[n], one.column(names[n]).back(), 1e-13) << names[n];
    EXPECT_NEAR(outcomes[k]->kept[0], 0.5, 1e-14);
    EXPECT_NEAR(outcomes[k]->kept[1], 0.50000005, 1e-14);
  }
}

// Three cranks of a table, of which the last may be longer.  Upright they move alike, so that an equation is left out; then
// it gapes by about the difference of the lengths times 1 - cos(angle).
TEST(lane_model, measures_equations_that_are_left_out) {
  const auto study = [](double more) {
    return io::read_study_text(R"toml([bodies]
a = {mass = 1, inertia = 0.1, position = [0, 0.5], velocity = [0.5, 0], omega = -1}
b = {mass = 1, inertia = 0.1, position = [2, 0.5], velocity = [0.5, 0], omega = -1}
c = {mass = 1, inertia = 0.1, position = [1, 0.5], velocity = [0.5, 0], omega = -1}
table = {mass = 1, inertia = 0.1, position = [1, 1], velocity = [1, 0]}
[joints]
a0 = {type = "revolute", bodies = ["ground", "a"], at = [0, 0]}
b0 = {type = "revolute", bodies = ["ground", "b"], at = [2, 0]}
c0 = {type = "revolute", bodies = ["ground", "c"], at = [1, "= -more"]}
a1 = {type = "revolute", bodies = ["a", "table"], at = [0, 1]}
b1 = {type = "revolute", bodies = ["b", "table"], at = [2, 1]}
c1 = {type = "revolute", bodies = ["c", "table"], at = [1, 1]}
[parameters]
more = 0
[analysis]
end = 0.5
)toml",
                               "table", {fmt::format("parameters.more={}", more)});
  };
  std::vector<Begun> begun;
  std::vector<CollectedNumbers> numbers;
  std::vector<bool> left_out;
  const std::vector<Study> studies{study(0), study(1e-10), study(1e-3)};
  for (const Study& s : studies) {
    begun.push_back(begin(s, "forward"));
    const Begun& b = begun.back();
    if (left_out.empty()) left_out = dependent_rows(*b.system, 0, b.q, b.u);
    numbers.push_back(collect(b.mechanism, {0, b.q, b.u, {}, left_out}));
  }
  Fleet fleet({studies[0]});
  ASSERT_EQ(std::ranges::count(left_out, true), 1);
  fleet.model = std::make_shared<const LaneModel>(
      *begun[0].system, begun[0].mechanism, RecordingStart{0, begun[0].q, begun[0].u, {}, left_out}, numbers);
  fleet.tasks.clear();
  for (std::size_t k = 0; k < studies.size(); ++k)
    fleet.tasks.push_back(fleet.task(studies[k], begun[k], numbers[k]));
  LaneBatch batch(fleet.model, DormandPrince::table(), fleet.last({"a.angle"}));
  const auto outcomes = run_all(batch, fleet);
  EXPECT_FALSE(outcomes[0]->given_up);
  EXPECT_LT(outcomes[0]->statistics.largest_violation, 1e-14);
  EXPECT_FALSE(outcomes[1]->given_up);
  const double angle = outcomes[1]->kept[0], gap = 1e-10 * (1 - std::cos(angle));
  EXPECT_GT(std::abs(angle), 0.2);
  EXPECT_GT(outcomes[1]->statistics.largest_violation, 0.5 * gap);
  EXPECT_LT(outcomes[1]->statistics.largest_violation, 3 * gap);
  EXPECT_GT(outcomes[1]->statistics.violation_share, 0.1 * gap);
  EXPECT_TRUE(outcomes[2]->given_up);
}

// A pendulum that a motor with a lag holds back: the state of the lag is integrated too.
TEST(lane_model, signals_have_states) {
  const auto study = [](double gain) {
    return io::read_study_text(R"(gravity = [0, -9.81]
[bodies]
rod = {mass = 1, inertia = 0.3, position = [1, 0]}
[joints]
pin = {type = "revolute", bodies = ["ground", "rod"], at = [0, 0]}
[signals]
late = {type = "lag", input = "= pin.angle_rate", time = 0.2, unit = "rad/s"}
[forces]
motor = {type = "moment", body = "rod", moment = "= -gain*late"}
[parameters]
gain = 1
[analysis]
end = 1
)",
                               "lag", {"parameters.gain=" + std::to_string(gain)});
  };
  const std::vector<Study> studies{study(1), study(1.5), study(2.25)};
  const Fleet fleet(studies);
  EXPECT_EQ(fleet.model->recorded().nz, 1);
  const std::vector<std::string> names{"rod.angle", "rod.omega", "late", "applied_work", "residual"};
  LaneBatch batch(fleet.model, DormandPrince::table(), fleet.last(names));
  const auto outcomes = run_all(batch, fleet);
  for (std::size_t k = 0; k < studies.size(); ++k) {
    const Results one = run_forward(studies[k]);
    for (std::size_t n = 0; n < names.size(); ++n)
      EXPECT_NEAR(outcomes[k]->kept[n], one.column(names[n]).back(), 1e-8) << names[n] << " in lane " << k;
  }
}

TEST(lane_model, takes_every_method_of_runge_and_kutta) {
  Study s = heavier("heavy_top", 0, 0.1);
  s.analysis.integrator = "heun";
  s.analysis.control.step = 0.001;
  const Fleet fleet({s});
  LaneBatch batch(fleet.model, Heun::table(), fleet.last({"top.vx", "top.vy"}));
  const auto out = run_all(batch, fleet)[0];
  const Results one = run_forward(s);
  EXPECT_EQ(out->statistics.steps, one.statistics.steps);
  EXPECT_NEAR(out->kept[0], one.column("top.vx").back(), 1e-11);
  for (const char* name : {"dormand-prince", "verner", "merson", "rk4", "heun", "euler"})
    EXPECT_TRUE(find_tableau(name)) << name;
  EXPECT_FALSE(find_tableau("gear4"));
  EXPECT_FALSE(find_tableau("none"));
}

// A number that is the same in all samples is a constant of the equations: a mechanism where it differs does not fit.
TEST(lane_model, knows_who_does_not_fit) {
  const Study a = heavier("spatial_slider_crank", 0, 0.1), b = heavier("spatial_slider_crank", 1, 0.1);
  const Fleet fleet({a, b});
  const auto numbers = [](const Study& s) {
    const Begun begun = begin(s, "forward");
    return collect(begun.mechanism, {s.analysis.start, begun.q, begun.u});
  };
  EXPECT_GT(fleet.model->parameters(), 0);
  EXPECT_TRUE(fleet.model->parameters(numbers(heavier("spatial_slider_crank", 5, 0.1))));
  Study other = a;
  other.mechanism.gravity.x() = 1;
  EXPECT_FALSE(fleet.model->parameters(numbers(other)));
  EXPECT_FALSE(fleet.model->parameters(numbers(heavier("heavy_top", 0, 0.1))));
}
}  // namespace
}  // namespace mubody::testing
