// Contacts that are so soft that bodies pass through each other.
#include <array>

#include <gtest/gtest.h>

#include "mubody/analyses/run.h"
#include "mubody/reading/read_model.h"

namespace mubody::testing {
namespace {
Study with_stiffness(const char* text, const char* stiffness) {
  return io::read_study_text(text, "test.toml", {std::string("parameters.K=") + stiffness});
}

constexpr const char* discs = R"toml(
[parameters]
K = 1e6
[bodies]
a = {mass = 1, inertia = 0.005, velocity = [10, 0]}
b = {mass = 1, inertia = 0.005, position = [10, 0.05], velocity = [-10, 0]}
[forces]
hit = {type = "disc_contact", bodies = ["a", "b"], i = [0, 0], j = [0, 0], radius_i = 0.1, radius_j = 0.1, law = {type = "lankarani_nikravesh", stiffness = "= K", restitution = 0.8}}
[analysis]
end = 1
)toml";

constexpr const char* ball = R"toml(
gravity = [0, 0, -9.81]
[parameters]
K = 1e5
[bodies]
ball = {mass = 1, inertia = [0.004, 0.004, 0.004], position = [0, 0, 1]}
[forces]
floor = {type = "plane_contact", bodies = ["ground", "ball"], i = [0, 0, 0], j = [0, 0, 0], axis = [0, 0, 1], radius = 0.1, law = {type = "hunt_crossley", stiffness = "= K", restitution = 0.5}}
[analysis]
end = 1
)toml";
}  // namespace

TEST(passed_through, is_not_trusted) {
  for (const auto& [text, hard, soft] : {std::array{discs, "1e6", "10"}, std::array{ball, "1e5", "100"}}) {
    EXPECT_TRUE(run(with_stiffness(text, hard)).trusted);
    const Results r = run(with_stiffness(text, soft));
    EXPECT_TRUE(r.outcome);
    EXPECT_FALSE(r.trusted);
    EXPECT_NE(r.verdict.find("pass through each other at"), std::string::npos) << r.verdict;
  }
}
}  // namespace mubody::testing
