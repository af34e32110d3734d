// Mechanisms with loops and several freedoms, and reactions from tables.
#include <random>

#include "mubody/precompute/plan/closure.h"
#include "tests/precompute/models.h"
#include "tests/scaled.h"

namespace mubody::testing {
namespace {
/// Largest difference of all reactions that are unique, relative to the largest of them.
double reactions_apart(const Results& a, const Results& b) {
  double most = 0, size = 0;
  int count = 0;
  for (const Reaction& r : b.reactions)
    if (r.unique == Reaction::yes) {
      ++count;
      most = std::max(most, apart(a, b, r.channel));
      size = std::max(size, std::abs(r.largest));
    }
  EXPECT_GT(count, 5);
  return most / size;
}

// Two cranks on the ground carry two rods that meet: a plotter.
constexpr const char* five_bar = R"(
name = "five-bar"
gravity = [0, -9.81]
[bodies]
left     = {mass = 1, inertia = 0.02, position = [0, 0.2], angle = "90 deg"}
right    = {mass = 1, inertia = 0.02, position = [0.8, 0.2], angle = "90 deg"}
left_rod  = {mass = 0.5, inertia = 0.03, position = [0.2, 0.687228]}
right_rod = {mass = 0.5, inertia = 0.03, position = [0.6, 0.687228]}
[joints]
A = {type = "revolute", bodies = ["ground", "left"], at = [0, 0]}
B = {type = "revolute", bodies = ["ground", "right"], at = [0.8, 0]}
L = {type = "revolute", bodies = ["left", "left_rod"], at = [0, 0.4]}
R = {type = "revolute", bodies = ["right", "right_rod"], at = [0.8, 0.4]}
P = {type = "revolute", bodies = ["left_rod", "right_rod"], at = [0.4, 0.974456]}
[points]
pen = {body = "left_rod", at = [0.2, 0.287228]}
[forces]
a = {type = "torsion_spring", bodies = ["ground", "left"], stiffness = 8, damping = 0.2}
b = {type = "torsion_spring", bodies = ["ground", "right"], stiffness = 9, damping = 0.2}
[analysis]
end = 2
rtol = 1e-11
[output]
step = 0.02
)";

TEST(several_freedoms, two_in_a_loop) {
  const Study study = io::read_study_text(five_bar, "five_bar.toml");
  PrecomputeOptions o;
  o.bound = 1e-7;
  o.independent = {"A.angle", "B.angle"};
  o.ranges = {{"A.angle", 1.1, 2.1}, {"B.angle", 1.1, 2.1}};
  const Precomputed made = precompute(study, o);
  EXPECT_LE(made.model.certified, o.bound);
  // Cranks depend on their own angles only, rods on both.
  std::vector<std::size_t> arguments;
  for (const BodyTable& t : made.model.regions[0].bodies) arguments.push_back(t.table.arguments().size());
  std::ranges::sort(arguments);
  EXPECT_EQ(arguments, (std::vector<std::size_t>{1, 1, 2}));
  EXPECT_TRUE(made.run_time.empty());
  const Results fast = run_real_time(made.model, study), full = run(study);
  ASSERT_TRUE(fast.outcome) << fast.outcome.why;
  for (const char* column : {"pen.x", "pen.y", "left.angle", "right_rod.angle"})
    EXPECT_LT(apart(fast, full, column), 1e-6) << column;
  const std::vector<double> angle = full.column("left.angle");
  EXPECT_GT(*std::ranges::max_element(angle) - *std::ranges::min_element(angle), 0.1);  // it moves
  EXPECT_LT(reactions_apart(fast, full), 1e-5);
}

TEST(several_freedoms, find_ranges_that_go_together) {
  // Each crank has a wide range by itself, but not for every position of the other.
  const Study study = io::read_study_text(five_bar, "five_bar.toml");
  PrecomputeOptions o;
  o.bound = 1e-2;
  o.independent = {"A.angle", "B.angle"};
  const Precomputed made = precompute(study, o);
  const auto& ranges = made.model.regions[0].variables;
  Begun b = begin(study, "test");
  Closure c(study.mechanism, {find_variable(study.mechanism, "A"), find_variable(study.mechanism, "B")}, 0,
            b.q);
  for (const double x : {ranges[0].low, ranges[0].high})
    for (const double y : {ranges[1].low, ranges[1].high}) {
      VecX at(2);
      at << x, y;
      EXPECT_TRUE(c.go(at)) << x << " " << y;
    }
  EXPECT_GT(ranges[0].high - ranges[0].low, 0.5);
  ASSERT_FALSE(made.remarks.empty());
  EXPECT_NE(made.remarks[0].find("not all of them together"), std::string::npos);
}

// A pinion that moves a rack is not back after a turn, however small both are; a spring makes tables depend on it.
TEST(several_freedoms, a_turn_that_moves_something_on_is_no_period) {
  const Study study = io::read_study_text(R"toml(
[bodies]
pinion = {mass = 1, inertia = 0.02, position = [0, 0.1]}
rack = {mass = 1, inertia = 0.02, position = [0, 0]}
arm = {mass = 1, inertia = 0.02, position = [3, 0]}
[joints]
A = {type = "revolute", bodies = ["ground", "pinion"], at = [0, 0.1]}
rail = {type = "translational", bodies = ["ground", "rack"], at = [0, 0], axis = [1, 0]}
teeth = {type = "rack", bodies = ["rack", "pinion"], i = {at = [0, 0], axis = [1, 0]}, j = [0, 0], radius = 0.1}
B = {type = "revolute", bodies = ["ground", "arm"], at = [2, 0]}
[forces]
s = {type = "spring", bodies = ["ground", "rack"], i = [-3, 1], j = [0, 0], stiffness = 5, free_length = 1}
[analysis]
end = 1
)toml",
                                          "rack.toml");
  for (const double size : {1., 1e-8}) {
    PrecomputeOptions o;
    o.independent = {"A.angle", "B.angle"};
    const auto made = precompute(scaled(study, size), o);
    ASSERT_TRUE(made.outcome) << made.outcome.why;
    EXPECT_FALSE(made.model.regions[0].variables[0].periodic) << size;
    EXPECT_TRUE(made.model.regions[0].variables[1].periodic) << size;
  }
}

// A table on three legs of crank and rod: three freedoms, two loops.
constexpr const char* platform = R"(
name = "platform on three legs"
gravity = [0, -9.81]
[bodies]
table   = {mass = 2, inertia = 0.05, position = [0, 0]}
crank_a = {mass = 1, inertia = 0.02, position = [0.209956263667, 0.864285714286]}
rod_a   = {mass = 0.8, inertia = 0.03, position = [0.209956263667, 0.514285714286]}
crank_b = {mass = 1, inertia = 0.02, position = [-0.853471516533, -0.250315399123]}
rod_b   = {mass = 0.8, inertia = 0.03, position = [-0.550362625208, -0.0753153991235]}
crank_c = {mass = 1, inertia = 0.02, position = [0.643515252866, -0.613970315162]}
rod_c   = {mass = 0.8, inertia = 0.03, position = [0.340406361541, -0.438970315162]}
[joints]
base_a  = {type = "revolute", bodies = ["ground", "crank_a"], at = [0, 1]}
elbow_a = {type = "revolute", bodies = ["crank_a", "rod_a"], at = [0.419912527334, 0.728571428571]}
wrist_a = {type = "revolute", bodies = ["rod_a", "table"], at = [0, 0.3]}
base_b  = {type = "revolute", bodies = ["ground", "crank_b"], at = [-0.866025403784, -0.5]}
elbow_b = {type = "revolute", bodies = ["crank_b", "rod_b"], at = [-0.840917629282, -0.000630798246918]}
wrist_b = {type = "revolute", bodies = ["rod_b", "table"], at = [-0.259807621135, -0.15]}
base_c  = {type = "revolute", bodies = ["ground", "crank_c"], at = [0.866025403784, -0.5]}
elbow_c = {type = "revolute", bodies = ["crank_c", "rod_c"], at = [0.421005101947, -0.727940630325]}
wrist_c = {type = "revolute", bodies = ["rod_c", "table"], at = [0.259807621135, -0.15]}
[forces]
a = {type = "torsion_spring", joint = "base_a", stiffness = 800}
b = {type = "torsion_spring", joint = "base_b", stiffness = 800}
c = {type = "torsion_spring", joint = "base_c", stiffness = 800}
[analysis]
end = 1
rtol = 1e-10
[output]
step = 0.02
)";

TEST(several_freedoms, three_in_two_loops) {
  const Study study = io::read_study_text(platform, "platform.toml");
  PrecomputeOptions o;
  o.bound = 1e-4;
  o.degree = 5;
  o.independent = {"base_a.angle", "base_b.angle", "base_c.angle"};
  o.ranges = {{"base_a.angle", -0.08, 0.08}, {"base_b.angle", -0.08, 0.08}, {"base_c.angle", -0.08, 0.08}};
  const Precomputed made = precompute(study, o);
  EXPECT_LE(made.model.certified, o.bound);
  const Results fast = run_real_time(made.model, study), full = run(study);
  ASSERT_TRUE(fast.outcome) << fast.outcome.why;
  for (const char* column : {"table.x", "table.y", "table.angle", "rod_b.x", "crank_c.angle"})
    EXPECT_LT(apart(fast, full, column), 1e-3) << column;
  const std::vector<double> y = full.column("table.y");
  EXPECT_GT(*std::ranges::max_element(y) - *std::ranges::min_element(y), 0.002);  // it moves
  EXPECT_LT(reactions_apart(fast, full), 1e-3);
}

// The certified error, against the exact mechanism at points that were not sampled.
TEST(certificate, holds_everywhere) {
  PrecomputeOptions two;
  two.independent = {"A.angle", "B.angle"};
  two.ranges = {{"A.angle", 1.1, 2.1}, {"B.angle", 1.1, 2.1}};
  PrecomputeOptions iltis;
  iltis.ranges = {{"inner.angle", -0.4, 0.6}};
  const std::pair<Study, PrecomputeOptions> cases[] = {{example("four_bar"), {}},
                                                       {example("crank_slider"), {}},
                                                       {example("iltis_suspension"), iltis},
                                                       {io::read_study_text(five_bar, "five_bar.toml"), two}};
  std::mt19937 random(5);
  for (const auto& [study, options] : cases)
    for (const double bound : {1e-4, 1e-7}) {
      PrecomputeOptions o = options;
      o.bound = bound;
      const Precomputed made = precompute(study, o);
      ASSERT_LE(made.model.certified, bound);
      const Region& r = made.model.regions[0];
      std::vector<Variable> variables;
      for (const VariableRange& v : r.variables) variables.push_back(find_variable(study.mechanism, v.name));
      Begun b = begin(study, "test");
      Closure c(study.mechanism, variables, 0, b.q);
      RealTime run(made.model, study.mechanism);
      VecX q(b.system->nq), u(b.system->nu);
      double most = 0;
      for (int k = 0; k < 300; ++k) {
        RealTime::State s;
        VecX at(c.n()), rate(c.n());
        for (int i = 0; i < c.n(); ++i) {
          const VariableRange& v = r.variables[std::size_t(i)];
          at[i] = std::uniform_real_distribution<double>(v.low, v.high)(random);
          s.theta[std::size_t(i)] = at[i];
          s.rate[std::size_t(i)] = rate[i] = 1 - 0.3 * i;
        }
        ASSERT_TRUE(c.go(at));
        run.positions(s, q);
        run.velocities(s, u);
        most = std::max({most, (q - c.q()).lpNorm<Eigen::Infinity>(),
                         (u - c.velocity_coefficients() * rate).lpNorm<Eigen::Infinity>() / double(c.n())});
      }
      EXPECT_LE(most, made.model.certified) << study.mechanism.name << " " << bound;
      EXPECT_GT(most, 1e-4 * made.model.certified);  // the bound is not overly pessimistic
    }
}

// Joint by joint: reactions from tables are those of the model.
TEST(reactions_of_tables, in_the_plane_and_in_space) {
  struct Case {
    const char* model;
    PrecomputeOptions options;
    double tolerance;
  };
  PrecomputeOptions fine, iltis;
  fine.bound = 1e-10;
  iltis.ranges = {{"inner.angle", -0.4, 0.6}};
  for (const Case& c : {Case{"four_bar", fine, 1e-6}, Case{"spatial_slider_crank", fine, 1e-5},
                        Case{"iltis_suspension", iltis, 1e-4}}) {
    const Study study = example(c.model, {"analysis.end=2"});
    const Precomputed made = precompute(study, c.options);
    const Results fast = run_real_time(made.model, study), full = run(study);
    ASSERT_TRUE(fast.outcome) << fast.outcome.why;
    EXPECT_LT(reactions_apart(fast, full), c.tolerance) << c.model;
  }
}
}  // namespace
}  // namespace mubody::testing
