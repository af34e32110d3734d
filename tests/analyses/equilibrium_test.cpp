// Equilibrium and its stability against closed forms.
#include "mubody/analyses/equilibrium.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "mubody/reading/read_model.h"
#include "tests/analyses/study.h"

namespace mubody::testing {
namespace {
Results rest(const std::string& text, const std::vector<std::string>& settings = {}) {
  return run(io::read_study_text(text + "\n[analysis]\ntype = \"equilibrium\"\n", "test.toml", settings));
}
double first(const Results& r, const std::string& column) { return r.column(column).at(0); }

// A uniform rod of 2 m, pinned at its end: ω² = m g l / (I + m l²) with l = 1 m.
std::string pendulum(double angle) {
  return "gravity = [0, -9.81]\n[parameters]\na = " + std::to_string(angle) + R"toml(
[bodies]
rod = {mass = 3, inertia = 1, position = ["= cos(a)", "= sin(a)"], angle = "= a"}
[joints]
pin = {type = "revolute", bodies = ["ground", "rod"], i = [0, 0], j = [-1, 0]}
)toml";
}

TEST(equilibrium, a_pendulum_hangs_stable) {
  for (const double angle : {-1.3, -0.2, 0.4, 1.2}) {  // from some, Newton alone would go up
    const Results r = rest(pendulum(angle));
    ASSERT_TRUE(r.trusted) << r.verdict;
    EXPECT_NEAR(first(r, "rod.y"), -1, 1e-12) << angle;
    EXPECT_NEAR(first(r, "rod.x"), 0, 1e-9) << angle;
    EXPECT_NEAR(first(r, "eigenvalue"), 3 * g / 4, 1e-9) << angle;
    EXPECT_EQ(r.verdict.find("stable"), 0U) << r.verdict;
    EXPECT_NEAR(first(r, "pin.on_rod.fy"), 3 * g, 1e-9);
  }
}

TEST(equilibrium, a_pendulum_on_its_head_is_unstable) {
  const Results r = rest(pendulum(0), {"parameters.a== pi/2"});
  ASSERT_TRUE(r.trusted) << r.verdict;
  EXPECT_NEAR(first(r, "rod.y"), 1, 1e-12);
  EXPECT_NEAR(first(r, "eigenvalue"), -3 * g / 4, 1e-9);
  EXPECT_EQ(r.verdict.find("unstable"), 0U) << r.verdict;
}

// A mass on a spring rests at l = l0 + m g / k; ω² = g / l sideways, k / m along it.
TEST(equilibrium, a_spring_pendulum_hangs_as_long_as_its_closed_form) {
  const Results r = rest(R"toml(
gravity = [0, -9.81]
[bodies]
bob = {mass = 2, inertia = 1, position = [0.3, -0.4]}
[joints]
upright = {type = "angle", bodies = ["ground", "bob"]}
[forces]
spring = {type = "spring", bodies = ["ground", "bob"], i = [0, 0], j = [0, 0], stiffness = 50, free_length = 0.7}
)toml");
  ASSERT_TRUE(r.trusted) << r.verdict;
  const double length = 0.7 + 2 * g / 50;
  EXPECT_NEAR(first(r, "bob.y"), -length, 1e-11);
  EXPECT_NEAR(first(r, "bob.x"), 0, 1e-10);
  const auto values = r.column("eigenvalue");
  ASSERT_EQ(values.size(), 2U);
  EXPECT_NEAR(values[0], g / length, 1e-8);
  EXPECT_NEAR(values[1], 25, 1e-8);
}

// The rest position is that of the equation of motion in the angle of the leaf alone; see the example.
TEST(equilibrium, the_iltis_suspension_rests_where_its_example_says) {
  const Results r = run(example("iltis_suspension", {"analysis.type=equilibrium"}));
  ASSERT_TRUE(r.trusted) << r.verdict;
  EXPECT_NEAR(first(r, "wheel.z"), 0.3569019917623507, 1e-10);
  EXPECT_NEAR(first(r, "tyre.force"), 3414.583789318677, 1e-4);  // 460 kN/m times the deflection
  EXPECT_NEAR(first(r, "leaf_spring.fz"), -2760.439897493253, 1e-5);
  EXPECT_NEAR(first(r, "shock.force"), -154.060115005821, 1e-6);
  EXPECT_GT(first(r, "eigenvalue"), 0);
}

// A chain of rods of 1 kg each, 10 m long in all, hangs from two points 7 m apart; it starts as a V.
constexpr double span = 7, chain_length = 10;
Study hanging_chain(int rods) {
  Mechanism m;
  m.gravity = {0, -g, 0};
  const double rod = chain_length / rods, down = std::acos(span / chain_length);
  double x = 0, y = 0;
  for (int k = 0; k < rods; ++k) {
    const double angle = k < rods / 2 ? -down : down, c = rod * std::cos(angle), s = rod * std::sin(angle);
    m.bodies.push_back(body("rod" + std::to_string(k), 1, rod * rod / 12, x + c / 2, y + s / 2, angle));
    x += c, y += s;
    m.add_joint("pin" + std::to_string(k),
                revolute(k == 0 ? marker(ground, 0, 0) : marker(k, rod / 2, 0), marker(k + 1, -rod / 2, 0)));
  }
  m.add_joint("end", revolute(marker(rods, rod / 2, 0), marker(ground, span, 0)));
  m.prepare();
  Study s = study(m);
  s.analysis.type = analysis_of(Equilibrium{});
  return s;
}

// Rods of equal weight W: the horizontal force H is the same in all pins, so that the slopes of neighbours differ by
// W / H.
TEST(equilibrium, the_slopes_of_a_hanging_chain_grow_in_equal_steps) {
  constexpr int rods = 10;
  const Results r = run(hanging_chain(rods));
  ASSERT_TRUE(r.trusted) << r.verdict;
  EXPECT_EQ(r.verdict.find("stable"), 0U) << r.verdict;
  const double H = -first(r, "pin0.on_rod0.fx");
  for (int k = 1; k < rods; ++k) {
    const double before = std::tan(first(r, "rod" + std::to_string(k - 1) + ".angle")),
                 now = std::tan(first(r, "rod" + std::to_string(k) + ".angle"));
    EXPECT_NEAR(now - before, g / H, 1e-9) << k;
  }
}

// In the limit of many rods the chain is a catenary: sag a (cosh(s/2a) − 1) with 2a sinh(s/2a) = L.  Its equations are
// those of the catenary by the midpoint rule, so the error falls with the square of the number of rods, in even powers.
TEST(equilibrium, a_hanging_chain_tends_to_the_catenary) {
  double a = span / 2;
  for (int k = 0; k < 100; ++k)  // Newton
    a -= (2 * a * std::sinh(span / (2 * a)) - chain_length) /
         (2 * std::sinh(span / (2 * a)) - span / a * std::cosh(span / (2 * a)));
  ASSERT_NEAR(2 * a * std::sinh(span / (2 * a)), chain_length, 1e-12);
  const double sag = a * (std::cosh(span / (2 * a)) - 1);
  std::vector<double> errors;
  for (const int rods : {8, 16, 32}) {
    const Results r = run(hanging_chain(rods));
    ASSERT_TRUE(r.trusted) << r.verdict;
    const std::string middle = "rod" + std::to_string(rods / 2 - 1);
    const double lowest =
        first(r, middle + ".y") + chain_length / rods / 2 * std::sin(first(r, middle + ".angle"));
    errors.push_back(-lowest - sag);
  }
  EXPECT_NEAR(errors[0] / errors[1], 4, 0.1);
  EXPECT_NEAR(errors[1] / errors[2], 4, 0.025);
  const double once = (4 * errors[1] - errors[0]) / 3, again = (4 * errors[2] - errors[1]) / 3;
  EXPECT_NEAR((16 * again - once) / 15, 0, 5e-6);  // extrapolated to rods of zero length, up to sixth powers
}

// A ball on a Hertzian floor sinks in until K δ^1.5 = m g, from above and from too deep.
TEST(equilibrium, a_ball_comes_to_rest_on_a_floor) {
  for (const char* height : {"1.5", "0.102", "0.0999"}) {
    const Results r = rest(R"toml(
gravity = [0, -9.81]
[bodies]
ball = {mass = 2, inertia = 0.01, position = [0, )toml" +
                           std::string(height) + R"toml(]}
[joints]
upright = {type = "angle", bodies = ["ground", "ball"]}
guide = {type = "slot", bodies = ["ball", "ground"], i = [0, 0], j = {at = [0, 0], axis = [0, 1]}}
[forces]
floor = {type = "line_contact", bodies = ["ground", "ball"], i = {at = [0, 0], axis = [1, 0]}, radius = 0.1, law = {type = "hertz", stiffness = 1e7}}
)toml");
    ASSERT_TRUE(r.trusted) << r.verdict;
    EXPECT_NEAR(first(r, "ball.y"), 0.1 - std::pow(2 * g / 1e7, 2. / 3), 1e-10);
    EXPECT_EQ(r.verdict.find("stable"), 0U) << r.verdict;
  }
}

TEST(equilibrium, redundant_constraints_do_not_matter) {
  const Results once = rest(pendulum(-1.2)),
                twice = rest(
                    pendulum(-1.2) +
                    "pin2 = {type = \"revolute\", bodies = [\"ground\", \"rod\"], i = [0, 0], j = [-1, 0]}\n");
  ASSERT_TRUE(twice.trusted) << twice.verdict;
  EXPECT_NEAR(first(twice, "rod.x"), first(once, "rod.x"), 1e-9);
  EXPECT_NEAR(first(twice, "eigenvalue"), first(once, "eigenvalue"), 1e-7);
}

Results rest_of_example(const std::string& name) { return run(example(name, {"analysis.type=equilibrium"})); }
bool settled(const Results& r) {
  return std::ranges::any_of(r.remarks, [](const std::string& remark) {
    return remark.find("steps of a heavily damped motion led to rest") != std::string::npos;
  });
}

// Two bars of 1 m hang below each other, the lower one on a bush of 1e8 N/m, so stiff that any useful step
// exceeds its elastic range.  Both may spin.
TEST(equilibrium, bars_on_a_stiff_bush_come_to_rest) {
  const Results r = rest_of_example("stiff_bushing");
  ASSERT_TRUE(r.trusted) << r.verdict;
  EXPECT_TRUE(settled(r));
  EXPECT_NEAR(first(r, "bar1.z"), -0.5, 1e-10);
  EXPECT_NEAR(first(r, "bar2.z"), -1.5 - 9.81e-8, 1e-10);
  EXPECT_EQ(r.verdict.find("neutral: 2 of 9 freedoms"), 0U) << r.verdict;
}

// The ball that was pulled aside falls back beside its neighbour, 1 µm from it.
TEST(equilibrium, newtons_cradle_comes_to_rest) {
  const Results r = rest_of_example("newtons_cradle");
  ASSERT_TRUE(r.trusted) << r.verdict;
  EXPECT_EQ(r.verdict.find("stable"), 0U) << r.verdict;
  for (const char* ball : {"b1", "b2", "b3", "b4", "b5"})
    EXPECT_NEAR(first(r, std::string(ball) + ".angle"), 0, 1e-9) << ball;
  // A simple pendulum of 0.5 m with the inertia of a ball of 2 cm.
  EXPECT_NEAR(first(r, "eigenvalue"), g * 0.5 / (0.25 + 0.4 * 0.02 * 0.02), 1e-6);
}

// The chain starts upright and slightly tilted: Newton's method alone would go to the unstable rest.
TEST(equilibrium, a_chain_on_its_head_falls_down) {
  constexpr int rods = 6;
  Mechanism m;
  m.gravity = {0, -g, 0};
  double x = 0, y = 0;
  for (int k = 0; k < rods; ++k) {
    const double angle = pi / 2 + (k % 2 == 0 ? 0.02 : -0.015), c = std::cos(angle), s = std::sin(angle);
    m.bodies.push_back(body("rod" + std::to_string(k), 1, 1. / 12, x + c / 2, y + s / 2, angle));
    x += c, y += s;
    m.add_joint("pin" + std::to_string(k),
                revolute(k == 0 ? marker(ground, 0, 0) : marker(k, 0.5, 0), marker(k + 1, -0.5, 0)));
  }
  m.prepare();
  Study s = study(m);
  s.analysis.type = analysis_of(Equilibrium{});
  const Results r = run(s);
  ASSERT_TRUE(r.trusted) << r.verdict;
  EXPECT_EQ(r.verdict.find("stable"), 0U) << r.verdict;
  for (int k = 0; k < rods; ++k) EXPECT_NEAR(first(r, "rod" + std::to_string(k) + ".y"), -0.5 - k, 1e-9);
}

TEST(equilibrium, every_example_rests_or_says_why_not) {
  const std::map<std::string, std::string> never_rest{
      {"rolling_disc", "disc."},      // falls flat, and rolling ends there
      {"differential", "motor."},     // it drives wheels that nothing holds
      {"backlash_gears", "pinion."},  // likewise
  };
  const std::set<std::string> follow_time{"car", "cart_pole", "crane"};  // their controllers remember
  for (const auto& entry : std::filesystem::directory_iterator(examples())) {
    const std::string name = entry.path().filename().string();
    if (!std::filesystem::exists(entry.path() / "model.toml")) continue;
    if (follow_time.contains(name)) {
      EXPECT_THROW(rest_of_example(name), ModelError);
      continue;
    }
    const Results r = rest_of_example(name);
    if (never_rest.contains(name)) {
      EXPECT_EQ(r.outcome.kind, Outcome::no_equilibrium);
      EXPECT_NE(r.outcome.why.find(never_rest.at(name)), std::string::npos) << r.outcome.why;
    } else {
      EXPECT_TRUE(r.outcome) << name << ": " << r.outcome.why;
      EXPECT_EQ(r.trusted, name != "slider_crank_singular") << name << ": " << r.verdict;
    }
  }
}

TEST(equilibrium, what_is_free_is_told) {
  const Results r = rest(
      "gravity = [0, 0]\n[bodies]\nwheel = {mass = 1, inertia = 1}\n[joints]\n"
      "hub = {type = \"revolute\", bodies = [\"ground\", \"wheel\"], at = [0, 0]}\n");
  ASSERT_TRUE(r.trusted) << r.verdict;
  EXPECT_EQ(r.verdict.find("neutral: 1 of 1 freedoms is without stiffness, free to move in wheel.angle"), 0U)
      << r.verdict;
}

// A wheel that rolls on a floor rests at any place and in any direction; the part that swings on its axle
// hangs.  Forces that cancel, of weight and floor, leave round-off in directions without stiffness.
std::string rolling_wheel(double size) {
  return "gravity = [0, 0, -9.81]\n[parameters]\nr = " + std::to_string(size) + R"toml(
[bodies]
wheel = {mass = 1, inertia = ["= r^2/4", "= r^2/4", "= r^2/2"], position = [0, 0, "= r"], orientation = {axis = [1, 0, 0], angle = "-90 deg"}}
bob = {mass = 1, inertia = ["= r^2", "= r^2", "= r^2"], position = ["= 2.5*r", 0, "= r"]}
[joints]
floor = {type = "rolling", bodies = ["ground", "wheel"], i = {at = [0, 0, 0], axis = [0, 0, 1]}, j = {at = [0, 0, 0], axis = [0, 0, 1]}, radius = "= r"}
axle = {type = "revolute", bodies = ["wheel", "bob"], at = [0, 0, "= r"], axis = [0, 1, 0]}
)toml";
}
TEST(equilibrium, what_rolls_comes_to_rest) {
  for (const double size : {0.002, 0.2, 20.}) {
    const Results r = rest(rolling_wheel(size));
    ASSERT_TRUE(r.outcome) << r.outcome.why;
    ASSERT_TRUE(r.trusted) << r.verdict;
    EXPECT_NEAR(first(r, "bob.z"), -1.5 * size, 1e-10 * size);
    EXPECT_EQ(r.verdict.find("unstable"), std::string::npos) << r.verdict;
  }
}

// A beam balanced exactly on its pin, or lying on a slide, has no stiffness, whatever forces cancel.
TEST(equilibrium, round_off_does_not_make_a_balanced_beam_unstable) {
  for (const double load : {1e-3, 1., 1e6})
    for (const double angle : {0., 0.3, 1.2}) {
      const Results r = rest("gravity = [0, -9.81]\n[parameters]\na = " + std::to_string(angle) +
                             "\nm = " + std::to_string(load) + R"toml(
[bodies]
beam = {mass = "= m", inertia = "= m/7", position = [0.1, 0.2], angle = "= a"}
left = {mass = "= 3*m", inertia = "= m", position = ["= 0.1 - 0.7*cos(a)", "= 0.2 - 0.7*sin(a)"]}
right = {mass = "= m", inertia = "= m", position = ["= 0.1 + 2.1*cos(a)", "= 0.2 + 2.1*sin(a)"]}
[joints]
pin = {type = "revolute", bodies = ["ground", "beam"], at = [0.1, 0.2]}
weld1 = {type = "fixed", bodies = ["beam", "left"], at = ["= 0.1 - 0.7*cos(a)", "= 0.2 - 0.7*sin(a)"]}
weld2 = {type = "fixed", bodies = ["beam", "right"], at = ["= 0.1 + 2.1*cos(a)", "= 0.2 + 2.1*sin(a)"]}
)toml");
      ASSERT_TRUE(r.trusted) << r.verdict;
      EXPECT_EQ(r.verdict.find("neutral: 1 of 1 freedoms"), 0U) << r.verdict;
    }
}

TEST(equilibrium, what_falls_is_named) {
  const Results r = rest("gravity = [0, -9.81]\n[bodies]\nstone = {mass = 1, inertia = 1}\n");
  EXPECT_FALSE(r.trusted);
  EXPECT_EQ(r.outcome.kind, Outcome::no_equilibrium);
  EXPECT_NE(r.outcome.why.find("stone.y would accelerate with -9.81 m/s²"), std::string::npos) << r.outcome.why;
}
}  // namespace
}  // namespace mubody::testing
