// The estimated error of a motion against its true error.
#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "mubody/analyses/run.h"
#include "mubody/reading/read_model.h"
#include "mubody/treatments/penalty.h"
#include "tests/reference.h"
#include "tests/simulation/rods.h"

namespace mubody::testing {
namespace {
/// A value that does not come from the program: a closed form, or a published reference.
struct Known {
  std::string channel;
  double t, value;
};

struct Problem {
  std::string name;
  Study study;
  std::vector<Known> known;
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

/// x'' + 2 δ x' + ω₀² x = 0 from x = 1 at rest.
double damped(double delta, double omega0, double t) {
  const double w = std::sqrt(omega0 * omega0 - delta * delta);
  return std::exp(-delta * t) * (std::cos(w * t) + delta / w * std::sin(w * t));
}

/// The place along its long axis of a planet that starts at its pericentre, at 1 m with 1.2 m/s; Kepler's equation by
/// Newton's method.
double planet_x(double t) {
  const double a = 1 / (2 - 1.2 * 1.2), e = 1 - 1 / a, mean = t / std::sqrt(a * a * a);
  double E = mean;
  for (int k = 0; k < 50; ++k) E -= (E - e * std::sin(E) - mean) / (1 - e * std::cos(E));
  return a * (std::cos(E) - e);
}

const char oscillator_text[] = R"toml(gravity = [0, 0]
[bodies]
b = {mass = 2, inertia = 1, position = [1.5, 0]}
[joints]
rail = {type = "translational", bodies = ["ground", "b"], i = {at = [0, 0], axis = [1, 0]}, j = {at = [0, 0], axis = [1, 0]}}
[forces]
s = {type = "spring", bodies = ["ground", "b"], i = [0, 0], j = [0, 0], stiffness = 50, free_length = 1, damping = 0.3})toml";

const char pendulum_text[] = R"toml(gravity = [0, -9.81]
[bodies]
b = {mass = 1, inertia = 0, position = [-1, 0]}
[joints]
pin = {type = "revolute", bodies = ["ground", "b"], i = [0, 0], j = [1, 0]})toml";

const char pushed_cart_text[] = R"toml(gravity = [0, -9.81]
[bodies]
cart = {mass = 1, inertia = 1, position = [0, 0]}
arm = {mass = 1, inertia = 0.1, position = [0, -1], angle = "-90 deg"}
[joints]
rail = {type = "translational", bodies = ["ground", "cart"], i = {at = [0, 0], axis = [1, 0]}, j = {at = [0, 0], axis = [1, 0]}}
pin = {type = "revolute", bodies = ["cart", "arm"], i = [0, 0], j = [-1, 0]}
[forces]
push = {type = "force", body = "cart", force = ["= if(t > 0.31 and t < 0.47, 8, 0)", 0]})toml";

const char free_body_text[] = R"toml(gravity = [0, 0, -9.81]
[bodies]
b = {mass = 1, inertia = [1, 2, 3], position = [0, 0, 0], omega = [0.1, 3, 0.2], velocity = [1, 0, 5]})toml";

const char planet_text[] = R"toml(gravity = [0, 0]
[bodies]
p = {mass = 1, inertia = 1, position = [1, 0], velocity = [0, 1.2]}
[forces]
sun = {type = "force", body = "p", force = ["= -p.x/(p.x^2 + p.y^2)^1.5", "= -p.y/(p.x^2 + p.y^2)^1.5"]})toml";

const char two_masses_text[] = R"toml(gravity = [0, 0]
[bodies]
a = {mass = 1, inertia = 1, position = [1.1, 0]}
b = {mass = 3, inertia = 1, position = [2, 0]}
[joints]
ra = {type = "translational", bodies = ["ground", "a"], i = {at = [0, 0], axis = [1, 0]}, j = {at = [0, 0], axis = [1, 0]}}
rb = {type = "translational", bodies = ["ground", "b"], i = {at = [0, 0], axis = [1, 0]}, j = {at = [0, 0], axis = [1, 0]}}
[forces]
s = {type = "spring", bodies = ["a", "b"], i = [0, 0], j = [0, 0], stiffness = 75, free_length = 1})toml";

const char thrown_text[] = R"toml(gravity = [0, -9.81]
[bodies]
b = {mass = 2, inertia = 1, position = [0, 0], velocity = [3, 4]}
[forces]
air = {type = "force", body = "b", force = ["= -3*b.vx", "= -3*b.vy"]})toml";

std::vector<Problem> problems() {
  const double bar = 0.03, drag = 1.5;
  return {
      {"four-bar",
       shortened("four_bar", 2),
       {{"crank.angle", 1, 0.05723334669417119}, {"crank.angle", 2, -1.485158890344739}}},
      {"andrews",
       shortened("andrews", bar),
       {{"K1.angle", bar, 15.810771195153707}, {"K5.angle", bar, 0.524409965879954}}},
      {"bricard", shortened("bricard", 2), {}},
      {"heavy top",
       shortened("heavy_top", 1),
       {{"top.x", 0.5, 0.12622064772118446}, {"top.y", 0.5, -0.08104534588022096}}},
      {"spatial slider-crank", shortened("spatial_slider_crank", 1), {{"slider.y", 0.1, 0.16657762505014043}}},
      {"tumbling body", shortened("tumbling_body", 2), {}},
      {"oscillator", written(oscillator_text, 4), {{"b.x", 4, 1 + 0.5 * damped(0.3 / 4, 5, 4)}}},
      {"pendulum",
       written(pendulum_text, 4),
       {{"b.x", 4, 0.5775636282486314}, {"b.y", 2, -0.6084839304437916}}},
      {"double pendulum", written(two_rods, 1.5), {}},
      {"pushed cart", written(pushed_cart_text, 2), {}},
      {"free body", written(free_body_text, 3), {{"b.z", 3, 15 - 4.5 * g}, {"b.x", 3, 3}}},
      {"spring, mass and damper",
       shortened("spring_mass_damper", 3),
       {{"mass.x", 3, 0.5 + 0.1 * damped(1, 10, 3)}}},
      {"rolling disc", shortened("rolling_disc", 2), {}},
      {"five-bar pendulum", shortened("five_bar_pendulum", 1), {}},
      {"four-bar in space", shortened("four_bar_in_space", 2), {}},
      {"planet", written(planet_text, 12), {{"p.x", 12, planet_x(12)}}},
      {"two masses", written(two_masses_text, 3), {{"a.x", 3, 1 + 0.025 + 0.075 * std::cos(30)}}},
      {"thrown", written(thrown_text, 2), {{"b.x", 2, 3 / drag * (1 - std::exp(-2 * drag))}}},
      {"small swing",
       shortened("double_pendulum", 5),
       {{"upper.angle", 5, 1e-4 * std::cos(5 * std::sqrt(g * (2 - std::sqrt(2.0))))}}}};
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

/// How many channels there were, and in how many the estimate was too small or far too large.
struct Verdicts {
  int all = 0, small = 0, far_too_small = 0, far_too_large = 0;
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
    seen.far_too_large += reported > 100 * error;
    if (error > 10 * reported)
      ADD_FAILURE_AT(__FILE__, __LINE__)
          << label << ", " << a.channel << ": " << error << " is reported as " << reported;
  }
}
}  // namespace

TEST(estimate, is_near_the_true_error) {
  Verdicts seen;
  for (Problem& p : problems()) {
    Study best = p.study;
    set(best, {"body", "verner", 1e-13});
    const Results truth = run(best);
    set(best, {"body", "dormand-prince", 1e-13});  // shows what the truth is worth
    const Results again = run(best);
    ASSERT_TRUE(truth.outcome) << p.name << ": " << truth.outcome.why;
    for (const Known& k : p.known) {
      const std::vector<double> t = truth.times(), x = truth.column(k.channel);
      const auto row =
          std::ranges::find_if(t, [&](double at) { return std::abs(at - k.t) < 1e-9; }) - t.begin();
      EXPECT_NEAR(x[std::size_t(row)], k.value, 2e-9 * (1 + std::abs(k.value))) << p.name << ", " << k.channel;
    }
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
  EXPECT_LE(seen.far_too_large, seen.all / 10) << seen.all;
}

// Constraints that give way do so in every motion with the same penalty.  What is claimed covers that too: the truth is a
// motion by projection.
TEST(estimate, counts_what_a_penalty_does) {
  for (const char* example : {"four_bar", "pendulum"})
    for (const double alpha : {1e5, 1e7}) {
      Study s = shortened(example, 3);
      s.output.step = 0.02;
      s.analysis.control.rtol = 1e-10;
      Study soft = s;
      soft.analysis.treatment = std::make_unique<TreatmentOf<Penalty>>();
      static_cast<TreatmentOf<Penalty>&>(*soft.analysis.treatment).treatment.alpha = alpha;
      soft.analysis.estimate_usual = true;
      const Results truth = run(s), r = run(soft);
      ASSERT_TRUE(r.accuracy && r.accuracy->missing.empty());
      for (const ChannelAccuracy& a : r.accuracy->channels) {
        if (a.kind != ChannelAccuracy::position) continue;
        const std::vector<double> x = r.column(a.channel), y = truth.column(a.channel);
        double error = 0;
        for (std::size_t k = 0; k < x.size(); ++k) error = std::max(error, std::abs(x[k] - y[k]));
        EXPECT_GE(1.01 * a.error, error) << example << " " << a.channel << " " << alpha;
        EXPECT_LE(a.error, 20 * error + 1e-9) << example << " " << a.channel << " " << alpha;
      }
    }
}

// A pendulum on two pins at one place: their forces are not unique, and no digits of forces are claimed.
TEST(estimate, leaves_out_reactions_that_are_not_unique) {
  const Results r = run([] {
    Study s = written(R"toml(
gravity = [0, -9.81]
[bodies]
bob = {mass = 1, inertia = 0.1, position = [1, 0]}
[joints]
a = {type = "revolute", bodies = ["ground", "bob"], at = [0, 0]}
b = {type = "revolute", bodies = ["ground", "bob"], at = [0, 0]}
)toml",
                      0.5);
    s.analysis.estimate_usual = true;
    return s;
  }());
  ASSERT_TRUE(r.outcome) << r.outcome.why;
  ASSERT_TRUE(r.accuracy);
  EXPECT_FALSE(r.accuracy->worst(ChannelAccuracy::force));
  EXPECT_TRUE(std::ranges::any_of(r.remarks, [](const std::string& remark) {
    return remark.find("no digits of forces are known") != std::string::npos;
  }));
}
}  // namespace mubody::testing
