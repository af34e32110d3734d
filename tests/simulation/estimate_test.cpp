// The estimated error of a motion against its true error.
#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "mubody/analyses/run.h"
#include "mubody/reading/read_model.h"

namespace mubody::testing {
namespace {
struct Problem {
  std::string name;
  Study study;
};

Study shortened(const std::string& name, double end) {
  Study s = io::read_study(std::string(MUBODY_SOURCE_DIR) + "/examples/" + name + "/model.toml");
  s.analysis.end = end;
  s.output = {};
  return s;
}

Study written(const std::string& text, double end) {
  Study s = io::read_study_text(text, "test.toml");
  s.analysis.end = end;
  return s;
}

std::vector<Problem> problems() {
  return {{"four-bar", shortened("four_bar", 2)},
          {"andrews", shortened("andrews", 0.03)},
          {"bricard", shortened("bricard", 2)},
          {"heavy top", shortened("heavy_top", 1)},
          {"spatial slider-crank", shortened("spatial_slider_crank", 1)},
          {"tumbling body", shortened("tumbling_body", 2)},
          {"oscillator", written(R"toml(gravity = [0, 0]
[bodies]
b = {mass = 2, inertia = 1, position = [1.5, 0]}
[joints]
rail = {type = "translational", bodies = ["ground", "b"], i = {at = [0, 0], axis = [1, 0]}, j = {at = [0, 0], axis = [1, 0]}}
[forces]
s = {type = "spring", bodies = ["ground", "b"], i = [0, 0], j = [0, 0], stiffness = 50, free_length = 1, damping = 0.3})toml",
                                 4)},
          {"pendulum", written(R"toml(gravity = [0, -9.81]
[bodies]
b = {mass = 1, inertia = 0.1, position = [1, 0]}
[joints]
pin = {type = "revolute", bodies = ["ground", "b"], i = [0, 0], j = [-1, 0]})toml",
                               4)},
          {"double pendulum", written(R"toml(gravity = [0, -9.81]
[bodies]
a = {mass = 1, inertia = 0.1, position = [0.5, 0]}
b = {mass = 1, inertia = 0.1, position = [1.5, 0]}
[joints]
A = {type = "revolute", bodies = ["ground", "a"], i = [0, 0], j = [-0.5, 0]}
B = {type = "revolute", bodies = ["a", "b"], i = [0.5, 0], j = [-0.5, 0]})toml",
                                      1.5)},
          {"pushed cart", written(R"toml(gravity = [0, -9.81]
[bodies]
cart = {mass = 1, inertia = 1, position = [0, 0]}
arm = {mass = 1, inertia = 0.1, position = [0, -1], angle = "-90 deg"}
[joints]
rail = {type = "translational", bodies = ["ground", "cart"], i = {at = [0, 0], axis = [1, 0]}, j = {at = [0, 0], axis = [1, 0]}}
pin = {type = "revolute", bodies = ["cart", "arm"], i = [0, 0], j = [-1, 0]}
[forces]
push = {type = "force", body = "cart", force = ["= if(t > 0.31 and t < 0.47, 8, 0)", 0]})toml",
                                  2)},
          {"free body", written(R"toml(gravity = [0, 0, -9.81]
[bodies]
b = {mass = 1, inertia = [1, 2, 3], position = [0, 0, 0], omega = [0.1, 3, 0.2], velocity = [1, 0, 5]})toml",
                                3)}};
}

struct Method {
  const char *formulation, *integrator;
  double number;  // rtol, or steps in all
};
constexpr Method methods[] = {{"body", "dormand-prince", 1e-7},
                              {"body", "dormand-prince", 1e-9},
                              {"cartesian", "dormand-prince", 1e-8},
                              {"joint", "verner", 1e-8},
                              {"body", "shampine-gordon", 1e-8},
                              {"body", "rk4", 1000},
                              {"joint", "rk4", 3000},
                              {"body", "heun", 4000}};

void set(Study& s, const Method& m) {
  AnalysisOptions& o = s.analysis;
  o.formulation.index =
      int(std::ranges::find(o.formulation.words, m.formulation) - o.formulation.words.begin());
  o.integrator = m.integrator;
  o.control = {};
  if (o.method()->adaptive)
    o.control.rtol = m.number;
  else
    o.control.step = o.end / m.number;
  s.output.step = o.end / 100;
}

/// How many channels there were, and in how many the estimate was too small.
struct Verdicts {
  int all = 0, small = 0, far_too_small = 0;
};

void compare(const std::string& label, const Results& r, const Results& truth, const Results& again,
             Verdicts& seen) {
  for (const ChannelAccuracy& a : r.accuracy->channels) {
    // What redundant equations leave open differs between formulations.
    const auto open = std::ranges::find(truth.reactions, a.channel, &Reaction::channel);
    if (open != truth.reactions.end() && open->unique != Reaction::yes) continue;
    const std::vector<double> x = r.column(a.channel), exact = truth.column(a.channel);
    const std::vector<double> other = again.column(a.channel);
    double error = 1e-13 * a.range, unsure = 0;
    // A joint that is described by three angles may count their turns differently.
    const double turn = a.unit == "rad" ? 2 * std::acos(-1) : std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < x.size(); ++k)
      unsure = std::max(unsure, std::abs(std::remainder(other[k] - exact[k], turn)));
    for (std::size_t k = 0; k < x.size(); ++k)
      error = std::max(error, std::abs(std::remainder(x[k] - exact[k], turn)) - 2 * unsure);
    const double reported = std::max(a.error, 1e-13 * a.range);
    ++seen.all;
    seen.small += error > 3 * reported;
    seen.far_too_small += error > 10 * reported;
    if (error > 10 * reported)
      ADD_FAILURE_AT(__FILE__, __LINE__)
          << label << ", " << a.channel << ": " << error << " is reported as " << reported;
  }
}
}  // namespace

TEST(estimate, is_not_much_smaller_than_the_error) {
  Verdicts seen;
  for (Problem& p : problems()) {
    Study best = p.study;
    set(best, {"body", "verner", 1e-13});
    const Results truth = run(best);
    set(best, {"body", "dormand-prince", 1e-13});  // shows what the truth is worth
    const Results again = run(best);
    ASSERT_TRUE(truth.outcome) << p.name << ": " << truth.outcome.why;
    for (const Method& m : methods) {
      Study s = p.study;
      set(s, m);
      s.analysis.estimate_usual = true;
      const Results r = run(s);
      ASSERT_TRUE(r.outcome) << p.name << ": " << r.outcome.why;
      ASSERT_TRUE(r.accuracy && r.accuracy->missing.empty()) << p.name;
      compare(p.name + ", " + m.formulation + ", " + m.integrator, r, truth, again, seen);
    }
  }
  EXPECT_LE(seen.small, seen.all / 100) << seen.all;
  EXPECT_EQ(seen.far_too_small, 0);
}
}  // namespace mubody::testing
