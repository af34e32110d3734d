// Equilibrium and its stability against closed forms.
#include "mubody/io/read_model.h"
#include "tests/analyses/study.h"

namespace mubody::testing {
namespace {
Results rest(const std::string& text, const std::vector<std::string>& settings = {}) {
  return run(read_study_text(text + "\n[analysis]\ntype = \"equilibrium\"\n", "test.toml", settings));
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
  for (const double angle : {-1.3, -0.2, 0.4, 1.2}) {  // from some of these Newton alone would go up
    const Results r = rest(pendulum(angle));
    ASSERT_TRUE(r.trusted) << r.verdict;
    EXPECT_NEAR(first(r, "rod.y"), -1, 1e-12) << angle;
    EXPECT_NEAR(first(r, "rod.x"), 0, 1e-9) << angle;
    EXPECT_NEAR(first(r, "eigenvalue"), 3 * 9.81 / 4, 1e-9) << angle;
    EXPECT_EQ(r.verdict.find("stable"), 0U) << r.verdict;
    EXPECT_NEAR(first(r, "pin.on_rod.fy"), 3 * 9.81, 1e-9);
  }
}

TEST(equilibrium, a_pendulum_on_its_head_is_unstable) {
  const Results r = rest(pendulum(0), {"parameters.a== pi/2"});
  ASSERT_TRUE(r.trusted) << r.verdict;
  EXPECT_NEAR(first(r, "rod.y"), 1, 1e-12);
  EXPECT_NEAR(first(r, "eigenvalue"), -3 * 9.81 / 4, 1e-9);
  EXPECT_EQ(r.verdict.find("unstable"), 0U) << r.verdict;
}

// A mass on a spring: rest at l = l0 + m g / k; ω² = g / l sideways, k / m along.
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
  const double length = 0.7 + 2 * 9.81 / 50;
  EXPECT_NEAR(first(r, "bob.y"), -length, 1e-11);
  EXPECT_NEAR(first(r, "bob.x"), 0, 1e-10);
  const auto values = r.column("eigenvalue");
  ASSERT_EQ(values.size(), 2U);
  EXPECT_NEAR(values[0], 9.81 / length, 1e-8);
  EXPECT_NEAR(values[1], 25, 1e-8);
}

// The rest position is that of the equation of motion in the angle of the leaf alone; see the example.
TEST(equilibrium, the_iltis_suspension_rests_where_its_example_says) {
  const Results r = run(read_study(std::string(MUBODY_SOURCE_DIR) + "/examples/iltis_suspension/model.toml",
                                   {"analysis.type=equilibrium"}));
  ASSERT_TRUE(r.trusted) << r.verdict;
  EXPECT_NEAR(first(r, "wheel.z"), 0.3569019917623507, 1e-10);
  EXPECT_NEAR(first(r, "tyre.force"), 3414.583789318677, 1e-4);  // 460 kN/m times that
  EXPECT_GT(first(r, "eigenvalue"), 0);
}

// Rods of equal weight W that hang from two points: the horizontal force H is the same in all pins, so that the slopes
// of neighbours differ by W / H.  In the limit of many rods this is the catenary y'' = (w / H) ds/dx.
TEST(equilibrium, the_slopes_of_a_hanging_chain_grow_in_equal_steps) {
  constexpr int rods = 10;
  Mechanism m;
  m.gravity = {0, -9.81, 0};
  const double span = 7, down = std::acos(span / rods);  // a V at the start
  double x = 0, y = 0;
  for (int k = 0; k < rods; ++k) {
    const double angle = k < rods / 2 ? -down : down;
    m.bodies.push_back(body("rod" + std::to_string(k), 1, 1. / 12, x + 0.5 * std::cos(angle),
                            y + 0.5 * std::sin(angle), angle));
    x += std::cos(angle), y += std::sin(angle);
    m.add_joint("pin" + std::to_string(k),
                revolute(k == 0 ? marker(ground, 0, 0) : marker(k, 0.5, 0), marker(k + 1, -0.5, 0)));
  }
  m.add_joint("end", revolute(marker(rods, 0.5, 0), marker(ground, span, 0)));
  m.prepare();
  Study s = study(m);
  s.analysis.type.index = 4;
  const Results r = run(s);
  ASSERT_TRUE(r.trusted) << r.verdict;
  EXPECT_EQ(r.verdict.find("stable"), 0U) << r.verdict;
  const double H = -first(r, "pin0.on_rod0.fx");
  for (int k = 1; k < rods; ++k) {
    const double before = std::tan(first(r, "rod" + std::to_string(k - 1) + ".angle")),
                 now = std::tan(first(r, "rod" + std::to_string(k) + ".angle"));
    EXPECT_NEAR(now - before, 9.81 / H, 1e-9) << k;
  }
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
    EXPECT_NEAR(first(r, "ball.y"), 0.1 - std::pow(2 * 9.81 / 1e7, 2. / 3), 1e-10);
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

TEST(equilibrium, what_falls_is_named) {
  const Results r = rest("gravity = [0, -9.81]\n[bodies]\nstone = {mass = 1, inertia = 1}\n");
  EXPECT_FALSE(r.trusted);
  EXPECT_EQ(r.outcome.kind, Outcome::no_equilibrium);
  EXPECT_NE(r.outcome.why.find("stone.y would accelerate with -9.81 m/s²"), std::string::npos) << r.outcome.why;
}
}  // namespace
}  // namespace mubody::testing
