// Animated modes are periodic, satisfy the constraints, and have the shape that the table of modes gives.
#include "mubody/reading/read_model.h"
#include "tests/analyses/study.h"

namespace mubody::testing {
namespace {
constexpr const char* swinging_pendulums = R"toml(
gravity = [0, -9.81]
[bodies]
upper = {mass = 1, inertia = "= 1/12", position = [0, -0.5], angle = "= -pi/2"}
lower = {mass = 1, inertia = "= 1/12", position = [0, -1.5], angle = "= -pi/2"}
[joints]
A = {type = "revolute", bodies = ["ground", "upper"], i = [0, 0], j = [-0.5, 0]}
B = {type = "revolute", bodies = ["upper", "lower"], i = [0.5, 0], j = [-0.5, 0]}
[analysis]
type = "modes"
)toml";

TEST(mode_motion, stays_on_the_constraints_and_closes) {
  const Results r = run(io::read_study_text(swinging_pendulums, "test.toml"));
  const Table* const motion = r.find("mode_motion");
  ASSERT_NE(motion, nullptr);
  const auto mode = motion->column("mode"), phase = motion->column("phase");
  const auto x = motion->column("upper.x"), y = motion->column("upper.y"),
             angle = motion->column("upper.angle");
  const auto x2 = motion->column("lower.x"), y2 = motion->column("lower.y"),
             angle2 = motion->column("lower.angle");
  const auto shape = r.column("upper.angle.re"), shape2 = r.column("lower.angle.re");
  const std::size_t rows = mode.size() / 2;
  ASSERT_EQ(rows, 33u);
  for (std::size_t k = 0; k < mode.size(); ++k) {
    EXPECT_NEAR(x[k] - 0.5 * std::cos(angle[k]), 0, 1e-12);
    EXPECT_NEAR(y[k] - 0.5 * std::sin(angle[k]), 0, 1e-12);
    EXPECT_NEAR(x2[k] - 0.5 * std::cos(angle2[k]), 2 * x[k], 1e-12);
    EXPECT_NEAR(y2[k] - 0.5 * std::sin(angle2[k]), 2 * y[k], 1e-12);
    const std::size_t m = k / rows;
    EXPECT_EQ(mode[k], double(m + 1));
    EXPECT_NEAR(phase[k], 2 * pi * double(k % rows) / double(rows - 1), 1e-12);
    // The motion is a cosine of the phase times the shape of the table, up to the square of the amplitude.
    const double at_once = angle[m * rows] + pi / 2, at_once2 = angle2[m * rows] + pi / 2;
    EXPECT_NEAR(angle[k] + pi / 2, at_once * std::cos(phase[k]), 0.01);
    EXPECT_NEAR(at_once2 / at_once, shape2[m] / shape[m], 0.05 * std::abs(shape2[m] / shape[m]));
    EXPECT_LT(std::max(std::abs(at_once), std::abs(at_once2)), 0.25);
  }
  for (std::size_t m : {0, 1}) EXPECT_NEAR(angle2[m * rows], angle2[(m + 1) * rows - 1], 1e-12);
}

// The axis of a whirling rotor goes round a cone, so that its tilt is the same at every phase.
TEST(mode_motion, a_whirl_goes_round) {
  const Results r = run(io::read_study_text(R"toml(
gravity = [0, 0, 0]
[bodies]
rotor = {mass = 4, inertia = [0.03, 0.03, 0.05], position = [0, 0, 0], omega = [0, 0, 200]}
[forces]
bearing = {type = "bushing", bodies = ["ground", "rotor"], i = [0, 0, 0], j = [0, 0, 0], stiffness = [1e6, 1e6, 2e6, 300, 300, 0]}
[analysis]
type = "modes"
)toml",
                                            "test.toml"));
  const Table* const motion = r.find("mode_motion");
  ASSERT_NE(motion, nullptr);
  const auto mode = motion->column("mode"), e1 = motion->column("rotor.e1"), e2 = motion->column("rotor.e2");
  const auto imaginary = r.column("imaginary");
  int whirls = 0;
  for (std::size_t m = 0; m < imaginary.size(); ++m) {
    double least = 1e9, most = 0, along = 0;
    for (std::size_t k = 0; k < mode.size(); ++k) {
      if (mode[k] != double(m + 1)) continue;
      least = std::min(least, std::hypot(e1[k], e2[k])), most = std::max(most, std::hypot(e1[k], e2[k]));
      along = std::max(along, std::abs(e1[k]));
    }
    if (imaginary[m] == 0 || most < 0.05) continue;
    ++whirls;
    EXPECT_NEAR(least, most, 1e-3 * most);
    EXPECT_NEAR(along, most, 1e-2 * most);
  }
  EXPECT_EQ(whirls, 2);
}

TEST(mode_motion, of_what_cannot_move_is_none) {
  const Results r = run(io::read_study_text(R"toml(
[bodies]
block = {mass = 1, inertia = 1, position = [0, 0]}
[joints]
weld = {type = "fixed", bodies = ["ground", "block"], at = [0, 0]}
[analysis]
type = "modes"
)toml",
                                            "test.toml"));
  EXPECT_EQ(r.find("mode_motion"), nullptr) << r.verdict;
}
}  // namespace
}  // namespace mubody::testing
