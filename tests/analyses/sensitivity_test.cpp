// Sensitivities against derivatives of closed forms.
#include "mubody/reading/read_model.h"
#include "tests/analyses/study.h"

namespace mubody::testing {
namespace {
// x = r cos θ + √(l² − r² sin² θ) with θ = Ω t.
TEST(sensitivity, of_a_driven_slider_crank) {
  const Results r = run(
      example("slider_crank_driven", {"analysis.type=sensitivity", "output.step=0.05",
                                      "output.channels=[\"slider.x\", \"slider.vx\", \"motor.on_crank.m\"]"}));
  ASSERT_TRUE(r.trusted) << r.verdict;
  const Table& table = *r.find("sensitivity");
  const auto t = table.column("time"), by_r = table.column("slider.x/r"), by_l = table.column("slider.x/l"),
             by_speed = table.column("slider.x/speed"), v_by_speed = table.column("slider.vx/speed"),
             v = r.column("slider.vx"), a = r.column("slider.ax");
  for (std::size_t k = 0; k < t.size(); ++k) {
    const double th = 10 * t[k], root = std::sqrt(0.09 - 0.01 * std::pow(std::sin(th), 2));
    EXPECT_NEAR(by_r[k], std::cos(th) - 0.1 * std::pow(std::sin(th), 2) / root, 1e-9);
    EXPECT_NEAR(by_l[k], 0.3 / root, 1e-9);
    EXPECT_NEAR(by_speed[k], t[k] * v[k] / 10, 1e-10);               // x depends on Ω t
    EXPECT_NEAR(v_by_speed[k], v[k] / 10 + t[k] * a[k] / 10, 1e-8);  // v = Ω x′(Ω t)
  }
}

// Rest at l = l0 + m g / k below the hook.
TEST(sensitivity, of_the_length_of_a_spring) {
  const std::string model = R"toml(
gravity = [0, -9.81]
[parameters]
k = 50
m = 2
l0 = 0.7
hook = 0.25
[bodies]
bob = {mass = "= m", inertia = 1, position = [0, -0.4]}
[joints]
upright = {type = "angle", bodies = ["ground", "bob"]}
[forces]
spring = {type = "spring", bodies = ["ground", "bob"], i = ["= hook", 0], j = [0, 0], stiffness = "= k", free_length = "= l0"}
[analysis]
type = "sensitivity"
)toml";
  const Results r = run(io::read_study_text(model, "test.toml"));
  ASSERT_TRUE(r.trusted) << r.verdict;
  const auto slope = [&](const char* column) { return r.column(column).at(0); };
  EXPECT_NEAR(slope("bob.y/k"), 2 * g / 2500, 1e-9);
  EXPECT_NEAR(slope("bob.y/m"), -g / 50, 1e-9);
  EXPECT_NEAR(slope("bob.y/l0"), -1, 1e-9);
  EXPECT_NEAR(slope("bob.x/hook"), 1, 1e-9);
  EXPECT_NEAR(slope("spring.force/m"), g, 1e-8);
  EXPECT_NEAR(slope("spring.force/k"), 0, 1e-8);
}

// A rod of mass m and length 2 l held by a torsion spring: k (θ − 0) = m g l cos θ, θ below the horizontal; so
// dθ/dk = −θ / (k + m g l sin θ).  And through a constraint: the pin's reaction grows with the mass by g.
TEST(sensitivity, of_a_rod_on_a_torsion_spring) {
  const std::string model = R"toml(
gravity = [0, -9.81]
[parameters]
k = 20
m = 1.5
[bodies]
rod = {mass = "= m", inertia = 0.2, position = [1, 0]}
[joints]
pin = {type = "revolute", bodies = ["ground", "rod"], i = [0, 0], j = [-1, 0]}
[forces]
coil = {type = "torsion_spring", bodies = ["ground", "rod"], stiffness = "= k"}
[analysis]
type = "sensitivity"
parameters = ["k", "m"]
)toml";
  const Results r = run(io::read_study_text(model, "test.toml"));
  ASSERT_TRUE(r.trusted) << r.verdict;
  const double theta = r.column("rod.angle").at(0), load = 1.5 * g;
  EXPECT_NEAR(20 * theta, -load * std::cos(theta), 1e-9);
  EXPECT_NEAR(r.column("rod.angle/k").at(0), -theta / (20 - load * std::sin(theta)), 1e-8);
  EXPECT_NEAR(r.column("rod.angle/m").at(0), -g * std::cos(theta) / (20 - load * std::sin(theta)), 1e-8);
  EXPECT_NEAR(r.column("pin.on_rod.fy/m").at(0), g, 1e-7);
}

TEST(sensitivity, an_unknown_parameter_is_refused_where_it_stands) {
  try {
    io::read_study_text(
        "gravity = [0, -9.81]\n[parameters]\nlength = 1\n[bodies]\nb = {mass = 1}\n[analysis]\n"
        "type = \"sensitivity\"\nparameters = [\"lenght\"]\n",
        "test.toml");
    FAIL() << "must be refused";
  } catch (const ModelError& e) {
    EXPECT_NE(std::string(e.what()).find("no parameter 'lenght'"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("length"), std::string::npos) << e.what();
  }
}
}  // namespace
}  // namespace mubody::testing
