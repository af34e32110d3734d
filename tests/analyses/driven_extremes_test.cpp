// The largest values of motions that drivers determine: over all steps and located within them, whatever the rows are.
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "mubody/analyses/run.h"
#include "mubody/reading/read_model.h"
#include "tests/example.h"

namespace mubody::testing {
namespace {
const Extreme& of(const Results& r, const std::string& channel) {
  const auto found = std::ranges::find(r.extremes, channel, &Extreme::channel);
  if (found == r.extremes.end()) throw std::out_of_range("no channel " + channel);
  return *found;
}

// A rotor of 2 kg, 50 mm off its axis, at 100 turns a second.
Study shaft(const std::string& analysis, double step) {
  return io::read_study_text(fmt::format(R"toml(gravity = [0, -9.81]
[bodies]
rotor = {{mass = 2, inertia = 0.01, position = [0.05, 0]}}
[joints]
A = {{type = "revolute", bodies = ["ground", "rotor"], i = [0, 0], j = [-0.05, 0]}}
[drivers]
m = {{type = "angle", joint = "A", value = "= 2*pi*100*t"}}
[analysis]
type = "{}"
end = 1
[output]
step = {})toml",
                                         analysis, step),
                             "test.toml");
}

// An engine: crank 0.1 m, rod 0.3 m, at 50 turns a second.
Study engine(double step) {
  return io::read_study_text(fmt::format(R"toml(gravity = [0, 0]
[bodies]
crank = {{mass = 1, inertia = 0.01, position = [0.05, 0]}}
rod = {{mass = 0.5, inertia = 0.004, position = [0.25, 0]}}
piston = {{mass = 0.8, inertia = 0.001, position = [0.4, 0]}}
[joints]
A = {{type = "revolute", bodies = ["ground", "crank"], i = [0, 0], j = [-0.05, 0]}}
B = {{type = "revolute", bodies = ["crank", "rod"], i = [0.05, 0], j = [-0.15, 0]}}
C = {{type = "revolute", bodies = ["rod", "piston"], i = [0.15, 0], j = [0, 0]}}
G = {{type = "translational", bodies = ["ground", "piston"], i = {{at = [0, 0], axis = [1, 0]}}, j = {{at = [0, 0], axis = [1, 0]}}}}
[drivers]
m = {{type = "angle", joint = "A", value = "= 2*pi*50*t"}}
[analysis]
type = "inverse"
end = 0.1
[output]
step = {})toml",
                                         step),
                             "test.toml");
}
}  // namespace

// Every row shows the shaft at the same angle.
TEST(driven_extremes, are_those_between_rows_a_turn_apart) {
  const double force = 2 * 0.05 * std::pow(200 * std::numbers::pi, 2), weight = 2 * 9.81;
  for (const char* analysis : {"kinematic", "inverse"})
    for (const double step : {0.01, 0.005, 0.02, 0.0033}) {
      const Results r = run(shaft(analysis, step));
      ASSERT_TRUE(r.outcome) << r.outcome.why;
      for (const char* channel : {"A.on_rotor.fx", "A.on_rotor.fy"}) {
        const double up = channel[12] == 'y' ? weight : 0;
        EXPECT_NEAR(of(r, channel).least, up - force, 1e-4 * force) << analysis << " " << step;
        EXPECT_NEAR(of(r, channel).greatest, up + force, 1e-4 * force) << analysis << " " << step;
      }
      EXPECT_NEAR(of(r, "m.on_rotor.m").greatest, weight * 0.05, 1e-4) << analysis << " " << step;
      EXPECT_NEAR(of(r, "rotor.y").least, -0.05, 1e-5) << analysis << " " << step;
      const auto reaction = std::ranges::find(r.reactions, "A.on_rotor.fy", &Reaction::channel);
      EXPECT_NEAR(std::abs(reaction->largest), force + weight, 1e-4 * force);
      EXPECT_TRUE(std::ranges::none_of(
          r.remarks, [](const std::string& x) { return x.find("extremes") != std::string::npos; }));
    }
}

TEST(driven_extremes, of_an_engine_are_those_of_rows_close_together) {
  const Results many = run(engine(1e-5));
  for (const double step : {0.02, 0.05, 0.004, 0.001}) {
    const Results few = run(engine(step));
    for (const Extreme& x : few.extremes) {
      const Extreme& truth = of(many, x.channel);
      const double size = std::max(std::abs(truth.least), std::abs(truth.greatest));
      EXPECT_NEAR(x.least, truth.least, 1e-3 * size + 1e-6) << x.channel << " " << step;
      EXPECT_NEAR(x.greatest, truth.greatest, 1e-3 * size + 1e-6) << x.channel << " " << step;
    }
  }
}

// A four-bar that is nearly flat has peaks that are a few degrees wide.
TEST(driven_extremes, find_narrow_peaks) {
  const auto bars = [](double step) {
    return io::read_study_text(fmt::format(R"toml(gravity = [0, -9.81]
[bodies]
crank = {{mass = 1, inertia = "= 1/12", position = [0, 0.5], angle = "90 deg"}}
coupler = {{mass = 1, inertia = "= 4/12", position = [1, 1]}}
rocker = {{mass = 1, inertia = "= 1/12", position = [2, 0.5], angle = "90 deg"}}
[joints]
A = {{type = "revolute", bodies = ["ground", "crank"], i = [0, 0], j = [-0.5, 0]}}
B = {{type = "revolute", bodies = ["crank", "coupler"], i = [0.5, 0], j = [-1, 0]}}
C = {{type = "revolute", bodies = ["coupler", "rocker"], i = [1, 0], j = [0.52, 0]}}
D = {{type = "revolute", bodies = ["ground", "rocker"], i = [2, 0], j = [-0.52, 0]}}
[drivers]
m = {{type = "angle", joint = "A", value = "= pi/2 + 2*pi*t"}}
[analysis]
type = "kinematic"
end = 2
[output]
step = {})toml",
                                           step),
                               "test.toml");
  };
  const Results many = run(bars(2e-5));
  for (const double step : {0.1, 0.5, 1.0}) {
    const Results few = run(bars(step));
    ASSERT_TRUE(few.outcome) << few.outcome.why;
    for (const char* channel : {"rocker.alpha", "coupler.alpha", "D.on_rocker.fx", "m.on_crank.m"}) {
      const Extreme &x = of(few, channel), &truth = of(many, channel);
      const double size = std::max(std::abs(truth.least), std::abs(truth.greatest));
      EXPECT_NEAR(x.largest(), truth.largest(), 1e-3 * size) << channel << " " << step;
    }
  }
}

// Rows half a turn apart, with a flat position between each two of them.
TEST(driven_extremes, are_seen_on_the_way_to_a_flat_position) {
  const Results r = run(io::read_study_text(R"toml(gravity = [0, -9.81]
[bodies]
a = {mass = 1, inertia = "= 1/12", position = ["= 0.5*cos(0.5)", "= 0.5*sin(0.5)"], angle = 0.5}
c = {mass = 1, inertia = "= 4/12", position = ["= 1 + cos(0.5)", "= sin(0.5)"]}
b = {mass = 1, inertia = "= 1/12", position = ["= 2 + 0.5*cos(0.5)", "= 0.5*sin(0.5)"], angle = 0.5}
[joints]
A = {type = "revolute", bodies = ["ground", "a"], i = [0, 0], j = [-0.5, 0]}
B = {type = "revolute", bodies = ["a", "c"], i = [0.5, 0], j = [-1, 0]}
C = {type = "revolute", bodies = ["c", "b"], i = [1, 0], j = [0.5, 0]}
D = {type = "revolute", bodies = ["ground", "b"], i = [2, 0], j = [-0.5, 0]}
[drivers]
m = {type = "angle", joint = "A", value = "= 0.5 + pi*t"}
[analysis]
type = "inverse"
end = 4
[output]
step = 1)toml",
                                            "test.toml"));
  ASSERT_TRUE(r.outcome) << r.outcome.why;
  EXPECT_NEAR(of(r, "b.y").greatest, 0.5, 5e-4);
  EXPECT_NEAR(of(r, "b.y").least, -0.5, 5e-4);
  EXPECT_NEAR(of(r, "c.ay").greatest, std::pow(std::numbers::pi, 2), 0.01);
  EXPECT_NEAR(of(r, "m.on_a.m").greatest, 19.62, 0.02);
  EXPECT_NEAR(of(r, "m.on_a.m").least, -19.62, 0.02);
}

// Both sides of a jump of acceleration, and a pulse between two rows.
TEST(driven_extremes, see_breakpoints_of_drivers_and_forces) {
  const Results r = run(io::read_study_text(R"toml(gravity = [0, 0]
[bodies]
cart = {mass = 1, inertia = 1, position = [0, 0]}
[joints]
rail = {type = "translational", bodies = ["ground", "cart"], i = {at = [0, 0], axis = [1, 0]}, j = {at = [0, 0], axis = [1, 0]}}
[drivers]
d = {type = "slide", joint = "rail", value = "= if(t < 0.5, 0, if(t < 0.51, 100*(t - 0.5)^3/6, 0.01*0.005*0.333333333333333333333 + 0.005*(t - 0.51)))"}
[forces]
f = {type = "force", body = "cart", force = ["= if(t > 0.7 and t < 0.701, 50, 0)", 0]}
[analysis]
type = "inverse"
end = 1
[output]
step = 0.25)toml",
                                            "test.toml"));
  ASSERT_TRUE(r.outcome) << r.outcome.why;
  EXPECT_NEAR(of(r, "cart.ax").greatest, 1, 1e-6);
  EXPECT_NEAR(of(r, "cart.ax").greatest_at, 0.51, 1e-9);
  EXPECT_NEAR(of(r, "d.on_cart.fx").least, -50, 1e-9);
}

TEST(driven_extremes, enclose_all_rows_and_leave_them_as_they_are) {
  for (const char* name : {"slider_crank_driven", "quick_return", "bricard"}) {
    Study s = example(name, {"analysis.type=kinematic"});
    const auto driven = std::ranges::any_of(s.mechanism.joints, [](const auto& j) { return j.driver; });
    if (!driven) continue;
    const Results r = run(s);
    for (const Extreme& x : r.extremes) {
      const std::vector<double> rows = r.column(x.channel);
      const auto [low, high] = std::ranges::minmax(rows);
      EXPECT_LE(x.least, low) << name << " " << x.channel;
      EXPECT_GE(x.greatest, high) << name << " " << x.channel;
    }
  }
}
}  // namespace mubody::testing
