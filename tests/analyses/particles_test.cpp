// Bodies without inertia that nothing turns are particles in every analysis.
#include "mubody/analyses/assembly.h"
#include "tests/analyses/study.h"
#include "tests/near.h"

namespace mubody::testing {
namespace {
// A four-bar by natural_four_bar coordinates: two points, three distances.
constexpr std::string_view natural_four_bar = R"toml(
gravity = [0, -9.81]
[bodies]
P2 = {mass = 1, position = [0.5, 0.8660254037844386]}
P3 = {mass = 1, position = [3.3, 2.4]}
[joints]
a = {type = "distance", bodies = ["ground", "P2"], i = [0, 0], j = [0, 0], length = 1.0}
b = {type = "distance", bodies = ["P2", "P3"], i = [0, 0], j = [0, 0], length = 3.0}
c = {type = "distance", bodies = ["ground", "P3"], i = [3.5, 0], j = [0, 0], length = 2.5}
[analysis]
end = 3
[output]
step = 0.1
)toml";
constexpr std::string_view natural_driver = R"toml(
[drivers]
m = {type = "coordinate", body = "P2", coordinate = "x", value = "= cos(pi/3 + 0.2*t)"}
)toml";

Study particle_study(const std::string& text, const std::vector<std::string>& settings = {}) {
  return io::read_study_text(text, "text.toml", settings);
}

TEST(particles, have_no_freedom_to_turn) {
  const Results r = Assembly{}.run(particle_study(std::string(natural_four_bar)));
  EXPECT_EQ(r.freedom.counted, 1);
  EXPECT_EQ(r.freedom.actual, 1);
  EXPECT_EQ(r.freedom.particles, 2);
  EXPECT_TRUE(r.freedom.redundant.empty());
  EXPECT_TRUE(r.loops.empty());
  EXPECT_EQ(r.find("joints")->find("P2.angle"), -1);
  EXPECT_EQ(r.find("violations")->find("P2.position"), -1);
  ASSERT_GE(r.remarks.size(), 2u);
  EXPECT_NE(r.remarks[0].find("'P2' has no inertia and nothing turns it: it is taken as a particle"),
            std::string::npos);
}

TEST(particles, follow_drivers_in_all_coordinates) {
  for (const char* formulation : {"body", "cartesian", "joint"}) {
    const Results r =
        run(particle_study(std::string(natural_four_bar) + std::string(natural_driver),
                           {"analysis.type=kinematic", std::string("analysis.formulation=") + formulation}));
    EXPECT_TRUE(r.trusted) << formulation << r.verdict;
    const auto t = r.times(), x = r.column("P2.x"), y = r.column("P2.y"), X = r.column("P3.x"),
               Y = r.column("P3.y"), angle = r.column("P3.angle");
    ASSERT_EQ(t.size(), 31u);
    for (std::size_t k = 0; k < t.size(); ++k) {
      EXPECT_NEAR(x[k], std::cos(pi / 3 + 0.2 * t[k]), 1e-11);
      EXPECT_NEAR(y[k], std::sin(pi / 3 + 0.2 * t[k]), 1e-11);
      EXPECT_NEAR(std::hypot(X[k] - x[k], Y[k] - y[k]), 3, 1e-11);
      EXPECT_NEAR(std::hypot(X[k] - 3.5, Y[k]), 2.5, 1e-11);
      EXPECT_NEAR(angle[k], 0, 1e-13);
    }
  }
}

TEST(particles, move_alike_in_all_coordinates) {
  const Results body = run(particle_study(std::string(natural_four_bar)));
  EXPECT_TRUE(body.trusted) << body.verdict;
  for (const char* formulation : {"cartesian", "joint"}) {
    const Results r = run(
        particle_study(std::string(natural_four_bar), {std::string("analysis.formulation=") + formulation}));
    EXPECT_TRUE(r.trusted) << formulation << r.verdict;
    EXPECT_NEAR(r.column("P3.x").back(), body.column("P3.x").back(), 1e-6) << formulation;
    EXPECT_NEAR(r.column("b.on_P3.fx").back(), body.column("b.on_P3.fx").back(), 1e-4) << formulation;
  }
}

TEST(particles, have_one_mode_and_rest_in_equilibrium) {
  const Results modes =
      run(particle_study(std::string(natural_four_bar), {"analysis.type=modes", "analysis.about=equilibrium"}));
  EXPECT_EQ(modes.find("modes")->rows(), 1u) << modes.verdict;
  const Results rest = run(particle_study(std::string(natural_four_bar), {"analysis.type=equilibrium"}));
  EXPECT_TRUE(rest.trusted) << rest.verdict;
  EXPECT_EQ(rest.find("stability")->rows(), 1u);
}

TEST(particles, are_driven_alone) {
  const Results r = run(particle_study(R"toml(
[bodies]
P = {mass = 1, position = [1, 0]}
[drivers]
x = {type = "coordinate", body = "P", coordinate = "x", value = "= cos(t)"}
y = {type = "coordinate", body = "P", coordinate = "y", value = "= sin(t)"}
[analysis]
type = "kinematic"
)toml"));
  EXPECT_TRUE(r.trusted) << r.verdict;
  EXPECT_NEAR(r.column("P.y").back(), std::sin(1), 1e-12);
}

TEST(particles, in_space) {
  const std::string text = R"toml(
gravity = [0, 0, -9.81]
[bodies]
P = {mass = 1, position = [0, 0.6, -0.8], orientation = {axis = [1, 2, 3], angle = 0.7}}
[joints]
link = {type = "distance", bodies = ["ground", "P"], i = [0, 0, 0], j = [0, 0, 0]}
flat = {type = "point_on_plane", bodies = ["ground", "P"], i = {at = [0, 0, 0], axis = [1, 0, 0]}, j = [0, 0, 0]}
[analysis]
end = 0.5
)toml";
  for (const char* formulation : {"body", "cartesian", "joint"}) {
    const Results r = run(particle_study(text, {std::string("analysis.formulation=") + formulation}));
    EXPECT_EQ(r.freedom.actual, 1);
    EXPECT_EQ(r.freedom.particles, 3);
    EXPECT_TRUE(r.trusted) << formulation << r.verdict;
    EXPECT_NEAR(r.column("P.e0").back(), std::cos(0.35), 1e-12) << formulation;
    EXPECT_NEAR(std::hypot(r.column("P.y").back(), r.column("P.z").back()), 1, 1e-9);
  }
}

TEST(particles, are_none_that_a_moment_turns_later) {
  const std::string text = R"toml(
[bodies]
P = {mass = 1, position = [1, 0]}
[joints]
link = {type = "distance", bodies = ["ground", "P"], i = [0, 0], j = [0, 0]}
[forces]
M = {type = "moment", body = "P", moment = "= t"}
)toml";
  EXPECT_THROW(run(particle_study(text)), ModelError);
}
}  // namespace
}  // namespace mubody::testing
