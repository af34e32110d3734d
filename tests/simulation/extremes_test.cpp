// The largest values of a motion, over all steps, and where they lie.
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "mubody/analyses/run.h"
#include "mubody/reading/read_model.h"
#include "mubody/simulation/simulation.h"
#include "tests/example.h"

namespace mubody::testing {
namespace {
const Extreme& extreme(const Results& r, const std::string& channel) {
  const auto found = std::ranges::find(r.extremes, channel, &Extreme::channel);
  if (found == r.extremes.end()) throw std::out_of_range("no channel " + channel);
  return *found;
}

// A pendulum that is let go from the horizontal; results are wanted at its turning points only.
Study swinging(const std::string& integrator) {
  Study s = io::read_study_text(R"toml(gravity = [0, -9.81]
[bodies]
bob = {mass = 2, inertia = 0, position = [0.7, 0]}
[joints]
pin = {type = "revolute", bodies = ["ground", "bob"], i = [0, 0], j = [-0.7, 0]}
[analysis]
end = 1
step = 0.01
[output]
step = 1)toml",
                                "test.toml");
  s.analysis.integrator = integrator;
  if (s.analysis.method()->adaptive) s.analysis.control.step.reset();
  return s;
}
}  // namespace

// At the bottom the pin carries three times the weight, a quarter of a period after the start:
// √(L/g) K(sin 45°), K(sin 45°) = 1.8540746773 (Abramowitz and Stegun, table 17.1).
TEST(extremes, of_a_pendulum_are_at_the_bottom_whatever_the_rows_are) {
  const double weight = 2 * 9.81, quarter = std::sqrt(0.7 / 9.81) * 1.8540746773013719;
  for (const char* integrator : {"dormand-prince", "verner", "merson", "rk4", "abm4", "gear4",
                                 "shampine-gordon", "adams", "bdf", "radau"}) {
    Study s = swinging(integrator);
    const Results r = run(s);
    ASSERT_TRUE(r.outcome) << integrator << ": " << r.outcome.why;
    const Extreme& up = extreme(r, "pin.on_bob.fy");
    EXPECT_NEAR(up.greatest, 3 * weight, 3e-4 * weight) << integrator;
    EXPECT_NEAR(up.greatest_at, quarter, 2e-3) << integrator;
    EXPECT_NEAR(extreme(r, "bob.vx").least, -std::sqrt(2 * 9.81 * 0.7), 1e-3) << integrator;
    // The same numbers among the reactions, and none of the rows is that large.
    const auto reaction = std::ranges::find(r.reactions, "pin.on_bob.fy", &Reaction::channel);
    EXPECT_EQ(reaction->largest, up.greatest);
    EXPECT_EQ(reaction->at, up.greatest_at);
    EXPECT_LT(std::ranges::max(r.column("pin.on_bob.fy")), 0.1 * weight) << integrator;
  }
}

TEST(extremes, are_the_same_in_all_coordinates) {
  for (const int formulation : {0, 1, 2}) {
    Study s = swinging("dormand-prince");
    s.analysis.formulation.index = formulation;
    const Results r = run(s);
    EXPECT_NEAR(extreme(r, "pin.on_bob.fy").greatest, 3 * 2 * 9.81, 2e-3) << formulation;
  }
}

// A disc meets a plane: m v²/2 = K δ^2.5 / 2.5 at the deepest point.
TEST(extremes, of_an_impact_are_within_it) {
  const Study s = io::read_study_text(R"toml(gravity = [0, 0]
[bodies]
ball = {mass = 2, inertia = 0.1, position = [0, 1], velocity = [0, -1]}
[forces]
c = {type = "line_contact", bodies = ["ground", "ball"], i = {at = [0, 0], axis = [1, 0]}, j = [0, 0], radius = 0.1, law = {type = "hertz", stiffness = 1e8}}
[analysis]
end = 2
[output]
step = 1)toml",
                                      "test.toml");
  const Results r = run(s);
  ASSERT_TRUE(r.outcome) << r.outcome.why;
  const double depth = std::pow(1.25 * 2 / 1e8, 0.4), force = 1e8 * std::pow(depth, 1.5);
  EXPECT_NEAR(extreme(r, "ball.ay").greatest, force / 2, 1e-4 * force);
  EXPECT_NEAR(extreme(r, "ball.ay").greatest_at, 0.9 + 1.4716 * depth, 1e-2 * depth);
  EXPECT_NEAR(extreme(r, "ball.y").least, 0.1 - depth, 1e-4 * depth);
  ASSERT_EQ(r.contacts.size(), 1u);
  EXPECT_NEAR(r.contacts[0].peak_force, force, 1e-4 * force);
}

// A force that rises until it is switched off is largest just before that.
TEST(extremes, are_seen_on_both_sides_of_a_jump) {
  const Study s = io::read_study_text(R"toml(gravity = [0, 0]
[bodies]
p = {mass = 1, position = [0, 0]}
[forces]
f = {type = "force", body = "p", force = ["= if(t < 1.2345, 100*t, -7)", "= if(t > 0.5, 3 - t, 0)"]}
[analysis]
end = 2
[output]
step = 2)toml",
                                      "test.toml");
  const Results r = run(s);
  EXPECT_NEAR(extreme(r, "p.ax").greatest, 123.45, 1e-9);
  EXPECT_NEAR(extreme(r, "p.ax").greatest_at, 1.2345, 1e-9);
  EXPECT_NEAR(extreme(r, "p.ax").least, -7, 1e-12);
  EXPECT_NEAR(extreme(r, "p.ay").greatest, 2.5, 1e-9);
}

// Two routes to the same number: the steps of a run with few rows, and the rows of a run with very many.
TEST(extremes, of_a_clearance_are_those_of_rows_without_gaps) {
  const Results few = run(example("clearance_slider_crank"));
  const Results many = run(example("clearance_slider_crank", {"output.step=5e-7"}));
  ASSERT_TRUE(few.outcome) << few.outcome.why;
  for (const char* channel : {"A.on_crank.fx", "B.on_rod.fx", "B.on_rod.fy", "D.on_slider.fy"}) {
    const std::vector<double> rows = many.column(channel), seen = few.column(channel);
    const auto [low, high] = std::ranges::minmax(rows);
    const double size = std::max(-low, high);
    EXPECT_NEAR(extreme(few, channel).largest(), -low > high ? low : high, 2e-3 * size) << channel;
    EXPECT_NEAR(extreme(few, channel).largest(), extreme(many, channel).largest(), 1e-3 * size) << channel;
  }
  const std::vector<double> rows = few.column("A.on_crank.fx");
  const auto [low, high] = std::ranges::minmax(rows);
  EXPECT_GT(std::abs(extreme(few, "A.on_crank.fx").largest()), 2 * std::max(-low, high));
}

TEST(extremes, enclose_all_rows) {
  for (const char* name : {"four_bar", "crank_slider"}) {
    const Results r = run(example(name));
    for (const Extreme& x : r.extremes) {
      const std::vector<double> rows = r.column(x.channel);
      const auto [low, high] = std::ranges::minmax(rows);
      EXPECT_LE(x.least, low) << name << " " << x.channel;
      EXPECT_GE(x.greatest, high) << name << " " << x.channel;
    }
  }
}

// Between the rows of the example, 0.1 s apart, reactions are up to half as large again.
TEST(extremes, of_rows_far_apart_are_those_of_rows_close_together) {
  const Results few = run(example("spatial_slider_crank"));
  const Results many = run(example("spatial_slider_crank", {"output.step=2e-4"}));
  for (const Reaction& x : few.reactions) {
    const std::vector<double> rows = many.column(x.channel);
    const auto [low, high] = std::ranges::minmax(rows);
    const double size = std::max(-low, high);
    EXPECT_NEAR(std::abs(x.largest), size, 1e-3 * size + 1e-9) << x.channel;
  }
}

// A spring whose force ends at 10 N, and one that never pulls: no cubic through samples goes beyond such a limit.
TEST(extremes, stay_within_the_limits_of_a_channel) {
  for (const char* law : {"{type = \"table\", data = [[-2, -10], [-1, -10], [1, 10], [2, 10]]}",
                          "{type = \"table\", data = [[-2, 0], [0, 0], [1, 10], [2, 10]]}"}) {
    const Results r = run(io::read_study_text(fmt::format(R"toml(gravity = [0, 0]
[bodies]
block = {{mass = 0.013, inertia = 1, position = [2.7, 0]}}
[joints]
guide = {{type = "translational", bodies = ["ground", "block"], at = [0, 0], axis = [1, 0]}}
[forces]
first = {{type = "spring", bodies = ["ground", "block"], i = [0, 0], j = [0, 0], free_length = 1.0, law = {}}}
other = {{type = "spring", bodies = ["ground", "block"], i = [0, 0], j = [0, 0], free_length = 2.5, stiffness = 20}}
[analysis]
end = 3
[output]
step = 0.5)toml",
                                                          law),
                                              "test.toml"));
    ASSERT_TRUE(r.outcome) << r.outcome.why;
    const Extreme& force = extreme(r, "first.force");
    EXPECT_NEAR(std::max(-force.least, force.greatest), 10, 1e-12) << law;
    EXPECT_TRUE(force.least == 0 || force.greatest == 0 || force.least == -10 || force.greatest == 10) << law;
  }
}

// Every peak is higher than the one before, and steps are far too coarse for all of them to be located.
TEST(extremes, that_could_not_be_located_are_remarked) {
  Study s = io::read_study_text(R"toml(gravity = [0, 0]
[bodies]
p = {mass = 1, position = [0, 0]}
[forces]
f = {type = "force", body = "p", force = ["= (1 + t)*sin(50*t)", 0]}
[analysis]
end = 40
[output]
step = 40)toml",
                                "test.toml");
  const auto remarked = [](const Results& r) {
    return std::ranges::any_of(r.remarks, [](const std::string& x) { return x.find("extremes of") == 0; });
  };
  const double truth = 40.993;  // of (1 + t) sin 50 t, at 39.9925 s
  s.analysis.control.rtol = 1e-3;
  const Results coarse = run(s);
  EXPECT_TRUE(remarked(coarse));
  EXPECT_LT(extreme(coarse, "p.ax").greatest, 0.99 * truth);
  s.analysis.control.max_step = 0.004;
  const Results fine = run(s);
  EXPECT_FALSE(remarked(fine));
  EXPECT_NEAR(extreme(fine, "p.ax").greatest, truth, 1e-3 * truth);
}

TEST(extremes, a_motion_without_rows_does_not_look_for_them) {
  Simulation sim(swinging("dormand-prince"), {});
  ASSERT_TRUE(sim.advance_to(1));
  const Results r = sim.finish();
  EXPECT_LT(extreme(r, "pin.on_bob.fy").greatest, 5);
  Simulation recorded(swinging("dormand-prince"), {.record = 0.5});
  ASSERT_TRUE(recorded.advance_to(1));
  EXPECT_NEAR(extreme(recorded.finish(), "pin.on_bob.fy").greatest, 3 * 2 * 9.81, 2e-3);
}
}  // namespace mubody::testing
