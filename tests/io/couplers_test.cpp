// Couplers and curves as they stand in model files.
#include <gtest/gtest.h>

#include "mubody/joints/coupler.h"
#include "mubody/joints/point_on_curve.h"
#include "mubody/reading/read_model.h"

namespace mubody::testing {
namespace {
template <class J> const J& coupled_joint(const Study& study, const std::string& name) {
  for (const auto& joint : study.mechanism.joints)
    if (joint.name == name) return dynamic_cast<const JointOf<J>&>(*joint.what).joint;
  throw std::runtime_error("no joint " + name);
}

TEST(couplers, may_stand_before_their_joints_and_name_a_coordinate) {
  const Study study = io::read_study_text(R"toml(
gravity = [0, 0, -9.81]
[parameters]
pitch = "5 mm"
[bodies]
nut = {mass = 1, inertia = [1, 1, 1], position = [0, 0, 0.2]}
[joints]
thread = {type = "coupler", joints = ["C.slide", "C.angle"], ratios = [1, "= -pitch/(2*pi)"]}
C = {type = "cylindrical", bodies = ["ground", "nut"], i = {at = [0, 0, 0], axis = [0, 0, 1]}, j = {at = [0, 0, 0], axis = [0, 0, 1]}}
)toml",
                                          "text.toml");
  const Coupler& thread = coupled_joint<Coupler>(study, "thread");
  ASSERT_EQ(thread.couples.size(), 2u);
  EXPECT_EQ(thread.couples[0].motion, slide_z);
  EXPECT_EQ(thread.couples[1].motion, turn_z);
  EXPECT_EQ(thread.couples[0].j.body, 1);
  EXPECT_NEAR(thread.ratios[1], -0.005 / (2 * EIGEN_PI), 1e-18);
  EXPECT_NEAR(*thread.offset, 0.2, 1e-15);  // as at the start
  EXPECT_EQ(study.mechanism.joints.front().name, "thread");
}

TEST(couplers, functions_have_the_units_of_their_joints) {
  const Study study = io::read_study_text(R"toml(
gravity = [0, -9.81]
[bodies]
cam = {mass = 1, inertia = 0.01, angle = "90 deg"}
tappet = {mass = 0.3, inertia = 0.001, position = [0, 0.1]}
[joints]
A = {type = "revolute", bodies = ["ground", "cam"], at = [0, 0]}
G = {type = "translational", bodies = ["ground", "tappet"], at = [0, 0], axis = [0, 1]}
law = {type = "coupler", joints = ["A", "G"], offset = "2 mm", function = {type = "spline", data = [["0 deg", "0 mm"], ["90 deg", "5 mm"], ["180 deg", "8 mm"]]}}
)toml",
                                          "text.toml");
  const Coupler& law = coupled_joint<Coupler>(study, "law");
  EXPECT_NEAR((*law.function)(EIGEN_PI / 2).x, 0.005, 1e-15);
  EXPECT_NEAR((*law.function)(EIGEN_PI).x, 0.008, 1e-15);
  EXPECT_NEAR(*law.offset, 0.002, 1e-18);
}

TEST(couplers, a_roller_stays_on_the_side_on_which_it_starts) {
  for (const double y : {0.13, 0.07}) {
    const Study study = io::read_study_text(
        "gravity = [0, -9.81]\n[bodies]\ndisc = {mass = 1, inertia = 0.01}\n"
        "arm = {mass = 1, inertia = 0.01, position = [0, " +
            std::to_string(y) +
            "]}\n[joints]\n"
            "roll = {type = \"point_on_curve\", bodies = [\"disc\", \"arm\"], i = [0, 0], j = [0, 0], "
            "curve = {type = \"arc\", radius = \"10 cm\"}, radius = \"3 cm\"}\n",
        "text.toml");
    const PointOnCurve& roll = coupled_joint<PointOnCurve>(study, "roll");
    EXPECT_EQ(roll.radius, 0.03);
    EXPECT_EQ(roll.side, y > 0.1 ? -1 : 1);  // left of a circle is inside
  }
}
}  // namespace
}  // namespace mubody::testing
