// The total reaction of a compliant joint: its springs and its remaining equations.
#include <gtest/gtest.h>

#include "mubody/analyses/run.h"
#include "mubody/reading/read_model.h"

namespace mubody::testing {
namespace {
// A body that hangs on one joint alone: Newton and Euler give its reaction.
constexpr const char* plane = R"toml(
gravity = [0, -9.81]
[bodies]
rod = {mass = 2, inertia = 0.3, position = [0.5, 0], omega = 1}
[joints]
pin = {type = "revolute", bodies = ["ground", "rod"], at = [0, 0], compliance = {x = {stiffness = 5e3, damping = 20}}}
[analysis]
end = 1
[output]
step = 0.05
)toml";
constexpr const char* space = R"toml(
gravity = [0, 0, -9.81]
[bodies]
rod = {mass = 2, inertia = [0.3, 0.3, 0.3], position = [0.5, 0, 0.1]}
[joints]
pin = {type = "revolute", bodies = ["ground", "rod"], at = [0, 0, 0], axis = [0, 1, 0], across = [1, 0, 0], compliance = {y = {stiffness = 5e3, damping = 20}, angle_x = {stiffness = 900, damping = 5}}}
[analysis]
end = 1
[output]
step = 0.05
)toml";

class CompliantJoint : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(CompliantJoint, carries_what_newton_and_euler_ask_for) {
  const auto [text, formulation] = GetParam();
  const Study study =
      io::read_study_text(text, "rod.toml", {std::string("analysis.formulation=\"") + formulation + "\""});
  const Results r = run(study);
  ASSERT_TRUE(r.outcome) << r.outcome.why;
  const int D = study.mechanism.dim;
  const auto column = [&](const std::string& name) { return r.column(name); };
  const char* const axes[] = {"x", "y", "z"};
  for (std::size_t row = 0; row < r.times().size(); ++row) {
    const auto vector = [&](const std::string& before) {
      Vec<3> v = Vec<3>::Zero();
      for (int k = 0; k < D; ++k) v[k] = column(before + axes[k])[row];
      return v;
    };
    const Vec<3> F = vector("pin.on_rod.f"), a = vector("rod.a");
    const Vec<3> wanted = 2 * (a - study.mechanism.gravity);
    EXPECT_LT((F - wanted).norm(), 1e-9 * (1 + wanted.norm()));
    EXPECT_LT((F + vector("pin.on_ground.f")).norm(), 1e-9 * (1 + wanted.norm()));
    // Moments are about the ground's marker, the origin; the body's inertia is the same about all axes.
    const Vec<3> at = vector("rod.");
    Vec<3> M = Vec<3>::Zero(), spin = M;
    if (D == 2) {
      M[2] = -column("pin.on_ground.m")[row];
      spin[2] = column("rod.alpha")[row];
    } else {
      M = -vector("pin.on_ground.m");
      // Angular accelerations are in axes of the body.
      Eigen::Quaterniond turn(column("rod.e0")[row], column("rod.e1")[row], column("rod.e2")[row],
                              column("rod.e3")[row]);
      spin = turn * vector("rod.alpha");
    }
    const Vec<3> moment = at.cross(wanted) + 0.3 * spin;
    EXPECT_LT((M - moment).norm(), 1e-8 * (1 + moment.norm())) << row;
  }
}
INSTANTIATE_TEST_SUITE_P(bodies, CompliantJoint,
                         ::testing::Values(std::pair{plane, "body"}, std::pair{plane, "cartesian"},
                                           std::pair{space, "body"}, std::pair{space, "cartesian"}),
                         [](const auto& of) {
                           return std::string(of.param.first == plane ? "plane_" : "space_") + of.param.second;
                         });
}  // namespace
}  // namespace mubody::testing
