// Mechanisms that are not the same after a full turn, because springs are wound up.
#include "tests/precompute/models.h"

namespace mubody::testing {
namespace {
// A wheel, heavy on one side, that winds a spring up by several turns and is thrown back by it.
constexpr const char* wound_in_the_plane = R"(
gravity = [0, -9.81]
[bodies]
wheel = {mass = 2, inertia = 0.5, position = [0.1, 0], angle = "400 deg", omega = 12}
[joints]
pin = {type = "revolute", bodies = ["ground", "wheel"], at = [0, 0]}
[forces]
coil = {type = "torsion_spring", bodies = ["ground", "wheel"], stiffness = 0.3, free_angle = 5}
[analysis]
end = 5
rtol = 1e-11
[output]
step = 0.05
)";
constexpr const char* wound_in_space = R"(
gravity = [0, -9.81, 0]
[bodies]
wheel = {mass = 2, inertia = [0.3, 0.3, 0.5], position = [0.1, 0, 0], omega = [0, 0, 12]}
[joints]
pin = {type = "revolute", bodies = ["ground", "wheel"], at = [0, 0, 0], axis = [0, 0, 1]}
[forces]
coil = {type = "torsion_spring", joint = "pin", stiffness = 0.3, free_angle = -0.5}
[analysis]
end = 5
rtol = 1e-11
[output]
step = 0.05
)";

TEST(turns, a_spring_is_wound_up) {
  for (const char* text : {wound_in_the_plane, wound_in_space}) {
    const Study study = io::read_study_text(text, "wheel.toml");
    PrecomputeOptions o;
    o.bound = 1e-10;
    const Precomputed made = precompute(study, o);
    EXPECT_TRUE(made.model.regions[0].variables[0].periodic);
    EXPECT_EQ(made.run_time, std::vector<std::string>{"coil"});  // a periodic table cannot represent it
    const Results fast = run_real_time(made.model, study), full = run(study);
    ASSERT_TRUE(fast.outcome) << fast.outcome.why;
    const std::vector<double> angle = full.column("coil.angle");
    const auto [least, most] = std::minmax_element(angle.begin(), angle.end());
    EXPECT_GT(*most - *least, 13);  // more than two turns
    for (const char* column : {"wheel.x", "wheel.y", "coil.angle", "coil.moment"})
      EXPECT_LT(apart(fast, full, column), 1e-6) << column;
    EXPECT_LT(fast.statistics.energy_residual, 1e-6);
  }
}

TEST(turns, a_torque_without_end_is_none_of_a_potential) {
  // A constant moment M does the work 2 pi M in every turn.
  std::string text = wound_in_the_plane;
  text.replace(text.find("stiffness = 0.3"), 15, "law = \"= 1.5\"");
  const Study study = io::read_study_text(text, "wheel.toml");
  const Precomputed made = precompute(study, {});
  const Results fast = run_real_time(made.model, study), full = run(study);
  EXPECT_LT(apart(fast, full, "wheel.angle"), 1e-5);
}

TEST(turns, a_spring_in_a_motion_of_several_regions) {
  // A wheel on the coupler's joint: no part of the double rocker itself goes round, but angles vary widely.
  std::string text = triple_rocker;
  text += "[forces]\ncoil = {type = \"torsion_spring\", bodies = [\"ground\", \"bar\"], stiffness = 2}\n";
  const Study study = io::read_study_text(text, "rocker.toml", {"bodies.left.omega=6"});
  PrecomputeOptions o;
  o.bound = 1e-9;
  const Precomputed made = precompute(study, o);
  ASSERT_GT(made.model.regions.size(), 1u);
  const Results fast = run_real_time(made.model, study), full = run(study);
  ASSERT_TRUE(fast.outcome) << fast.outcome.why;
  for (const char* column : {"left.angle", "bar.angle", "coil.moment"})
    EXPECT_LT(apart(fast, full, column), 1e-6) << column;
}
}  // namespace
}  // namespace mubody::testing
