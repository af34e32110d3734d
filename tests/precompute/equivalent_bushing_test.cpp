// Several bushings as one: the numbers of the dissertation, energy, and a body on two bushings.
#include "mubody/forces/equivalent_bushing.h"

#include "mubody/mechanism/compliance.h"
#include "tests/precompute/models.h"
#include "tests/random.h"

namespace mubody::testing {
namespace {
// Bushings p1, p2 of the upper arm and p3, p4 of the lower one, Table 5.8.1 [in].  Each has a lateral stiffness of 100 lb/in and
// 100 lb in/rad about the vertical; about its own axis, z here, it turns freely.  x is across, y upwards.
std::vector<BushingPart> pair_of(double half) {
  BushingPart p;
  p.stiffness << 100, 0, 0, 0, 100, 0;
  p.at = Vec<3>(0, 0, half);
  BushingPart r = p;
  r.at = -p.at;
  return {p, r};
}
const double upper = (Vec<3>(18.808, 48.335, 38.47) - Vec<3>(17.558, 39.67, 40.4)).norm() / 2;
const double lower = (46.57 - 28.99) / 2;

TEST(equivalent_bushing, has_the_stiffness_of_the_dissertation) {
  constexpr int about_y = 4, about_z = 5;
  for (const auto& [half, stiffness] : {std::pair(upper, 4.2185e3), std::pair(lower, 1.5653e4)}) {
    const EquivalentBushing e = equivalent_bushing(pair_of(half), {about_z, about_y});
    EXPECT_NEAR(e.K(1, 1), stiffness, 0.5e-4 * stiffness);  // eqs. 5.8.3.17, 5.8.3.19: five digits
    EXPECT_EQ(e.K(0, 0), 0);
    EXPECT_EQ(e.K(0, 1), 0);
    // Eqs. 5.8.3.16 (both 4.4825 in) and 5.8.3.18: lateral, about its axis, about the vertical.
    for (const int side : {0, 1}) {
      const MatX& B = e.B[std::size_t(side)];
      EXPECT_NEAR(B(0, 1), (side == 0 ? 1 : -1) * half, 1e-12);
      EXPECT_EQ(B(0, 0), 0);
      EXPECT_EQ(B(about_z, 0), 1);
      EXPECT_EQ(B(about_y, 1), 1);
    }
  }
  EXPECT_NEAR(upper, 4.4825, 0.5e-4);
  EXPECT_NEAR(equivalent_bushing(pair_of(upper), {4}).K(0, 0), 4218.48125, 1e-9);
  EXPECT_NEAR(equivalent_bushing(pair_of(lower), {4}).K(0, 0), 15652.82, 1e-9);
}

// Eq. 5.8.3.4: the equivalent bushing stores the energy of its parts at any displacement.
TEST(equivalent_bushing, stores_what_its_parts_store) {
  Random random(3);
  std::vector<BushingPart> parts(3);
  for (BushingPart& p : parts) {
    p.at = Vec<3>(random(), random(), random());
    for (int k = 0; k < 6; ++k) p.stiffness[k] = random(0, 2);
  }
  const EquivalentBushing e = equivalent_bushing(parts, {0, 1, 2, 3, 4, 5});
  for (int trial = 0; trial < 10; ++trial) {
    const VecX s = random.vector(6);
    double stored = 0;
    for (std::size_t p = 0; p < parts.size(); ++p) {
      const SixMotions own = displaced_at(parts[p].at, SixMotions(s));
      EXPECT_LT((own - e.B[p] * s).norm(), 1e-14);
      stored += 0.5 * own.dot(parts[p].stiffness.cwiseProduct(own));
    }
    EXPECT_NEAR(0.5 * s.dot(e.K * s), stored, 1e-13 * stored);
  }
}

constexpr const char* block = R"toml(
gravity = [0, 0, -9.81]
[bodies]
block = {mass = 10, inertia = [0.3, 0.5, 0.4], position = [0.2, 0.1, 0]}
[forces]
push = {type = "force", body = "block", at = [0.1, 0.2, 0.1], force = ["= 30*sin(9*t)", "= 20*sin(7*t)", 0]}
[analysis]
end = 0.5
rtol = 1e-10
[output]
step = 0.02
)toml";

// A block on two bushings moves as on the equivalent one, up to the squares of its turns.
TEST(equivalent_bushing, carries_a_body_as_its_parts_do) {
  const Study two = io::read_study_text(std::string(block) + R"(
[forces.front]
type = "bushing"
bodies = ["ground", "block"]
at = [0, 0.3, 0]
stiffness = [4e5, 3e5, 5e5, 2e4, 3e4, 1e4]
damping = [400, 300, 500, 2, 3, 1]
[forces.rear]
type = "bushing"
bodies = ["ground", "block"]
at = [0.1, -0.4, 0]
stiffness = [2e5, 6e5, 4e5, 3e4, 2e4, 4e4]
)",
                                        "two.toml");
  const Study one = io::read_study_text(std::string(block) + R"(
[joints.mount]
type = "fixed"
bodies = ["ground", "block"]
at = [0.05, 0, 0]
[joints.mount.compliance]
motions = ["x", "y", "z", "angle_x", "angle_y", "angle_z"]
[joints.mount.compliance.bushings]
front = {at = [0, 0.3, 0], stiffness = [4e5, 3e5, 5e5, 2e4, 3e4, 1e4], damping = [400, 300, 500, 2, 3, 1]}
rear  = {at = [0.1, -0.4, 0], stiffness = [2e5, 6e5, 4e5, 3e4, 2e4, 4e4]}
)",
                                        "one.toml");
  const Results a = run(two), b = run(one);
  ASSERT_TRUE(a.outcome);
  ASSERT_TRUE(b.outcome);
  // Turns are below 5e-4 rad: squares of them, over 0.4 m, 1e-7 m.
  for (const char* column : {"block.x", "block.y", "block.z"}) EXPECT_LT(apart(a, b, column), 2e-7) << column;
  // The deflections of the parts, projected back.
  const auto front = a.column("front.z"), back = b.column("mount.front_z");
  double most = 0;
  for (std::size_t k = 0; k < front.size(); ++k) {
    most = std::max(most, std::abs(front[k]));
    EXPECT_NEAR(front[k], back[k], 2e-7);
  }
  EXPECT_GT(most, 5e-5);
}

TEST(equivalent_bushing, wants_motions_that_the_joint_holds) {
  const auto wrong = [](const std::string& compliance) {
    return [=] {
      io::read_study_text(std::string(block) +
                              "[joints]\nA = {type = \"revolute\", bodies = [\"ground\", \"block\"], "
                              "at = [0, 0, 0], axis = [0, 0, 1], compliance = " +
                              compliance + "}\n",
                          "wrong.toml");
    };
  };
  const auto message = [](const auto& read) -> std::string {
    try {
      read();
    } catch (const ModelError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_NE(message(wrong("{angle_z = {stiffness = 1}}")).find("free already"), std::string::npos);
  EXPECT_NE(message(wrong("{}")).find("no direction"), std::string::npos);
  EXPECT_NE(message(wrong("{angle_w = {stiffness = 1}}")).find("angle_w"), std::string::npos);
  EXPECT_NE(message(wrong("{x = {stiffness = -1}}")).find("positive"), std::string::npos);
  EXPECT_NE(message(wrong("{bushings = {}, motions = [\"x\"]}")).find("front"), std::string::npos);
  EXPECT_EQ(message(wrong("{x = {stiffness = 1e6, damping = 3}}")), "");
}
}  // namespace
}  // namespace mubody::testing
