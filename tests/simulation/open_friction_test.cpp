// Friction whose load redundant equations leave open: the motion is one of many, and is not trusted.
#include <gtest/gtest.h>

#include "mubody/analyses/run.h"
#include "mubody/reading/read_model.h"

namespace mubody::testing {
namespace {
Study door(const std::string& hinges) {
  return io::read_study_text(
      "gravity = [0, 0, -9.81]\n[bodies]\n"
      "d = {mass = 20, inertia = [3, 3, 1.2], position = [0.4, 0, 1], omega = [0, 0, 2]}\n"
      "[joints]\n" +
          hinges + "[analysis]\nend = 1\nestimate = false\n",
      "door.toml");
}

// Parallel pins of which one may rub along its axis too.
Study linkage(const std::string& more, const std::string& formulation) {
  const std::string friction = "friction = {coefficient = 0.3, radius = \"20 mm\"";
  return io::read_study_text(
      "gravity = [0, 0, -9.81]\n[bodies]\n"
      "a = {mass = 1, inertia = [0.01, 0.01, 0.01], position = [0, 0, 0.1], omega = [0, 3, 0]}\n"
      "b = {mass = 2, inertia = [0.02, 0.05, 0.05], position = [0.2, 0, 0.2]}\n"
      "c = {mass = 1, inertia = [0.01, 0.01, 0.01], position = [0.4, 0, 0.1]}\n[joints]\n"
      "A = {type = \"revolute\", bodies = [\"ground\", \"a\"], at = [0, 0, 0], axis = [0, 1, 0], " +
          friction +
          "}}\n"
          "B = {type = \"revolute\", bodies = [\"a\", \"b\"], at = [0, 0, 0.2], axis = [0, 1, 0], " +
          friction +
          "}}\n"
          "C = {type = \"revolute\", bodies = [\"b\", \"c\"], at = [0.4, 0, 0.2], axis = [0, 1, 0], " +
          friction +
          "}}\n"
          "D = {type = \"revolute\", bodies = [\"ground\", \"c\"], at = [0.4, 0, 0], axis = [0, 1, 0], " +
          friction + more +
          "}}\n"
          "[forces]\nf = {type = \"force\", body = \"b\", at = [0, 0.1, 0], force = [0, 20, 0]}\n"
          "[analysis]\nend = 0.2\nestimate = false\nformulation = \"" +
          formulation + "\"\n",
      "linkage.toml");
}

const std::string rubbing = ", friction = {coefficient = 0.3, radius = \"10 mm\"}}\n";
const std::string lower =
    "lo = {type = \"revolute\", bodies = [\"ground\", \"d\"], at = [0, 0, 0.2], axis = [0, 0, 1]";
}  // namespace

TEST(open_friction, of_a_door_on_two_hinges_is_not_trusted) {
  const std::string upper =
      "hi = {type = \"revolute\", bodies = [\"ground\", \"d\"], at = [0, 0, 1.8], axis = [0, 0, 1]";
  const Results r = run(door(lower + rubbing + upper + rubbing));
  ASSERT_TRUE(r.outcome) << r.outcome.why;
  EXPECT_FALSE(r.trusted);
  EXPECT_NE(r.verdict.find("friction of joint 'lo' and others"), std::string::npos) << r.verdict;
  EXPECT_TRUE(run(door(lower + "}\n" + upper + "}\n")).trusted);  // what does not rub is no matter
}

TEST(open_friction, is_none_where_one_joint_carries_all) {
  const Results r = run(door(lower + rubbing));
  EXPECT_TRUE(r.trusted) << r.verdict;
  EXPECT_TRUE(r.open_frictions.empty());
}

// Parallel pins leave forces along them open, and none across.
TEST(open_friction, counts_what_rubs) {
  const Results body = run(linkage("", "body")), joint = run(linkage("", "joint"));
  EXPECT_TRUE(body.open_frictions.empty());
  EXPECT_TRUE(body.trusted) << body.verdict;
  EXPECT_NEAR(body.column("a.wy").back(), joint.column("a.wy").back(), 1e-7);
  const Results collar = run(linkage(", collar = \"20 mm\"", "body"));
  EXPECT_EQ(collar.open_frictions, std::vector<std::string>{"D"});
  EXPECT_FALSE(collar.trusted);
}
}  // namespace mubody::testing
