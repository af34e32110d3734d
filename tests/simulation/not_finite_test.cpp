// What is not finite is never good, and spoils nothing else; energy is balanced in every group of bodies.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <gtest/gtest.h>

#include "mubody/analyses/run.h"
#include "mubody/math/finite.h"
#include "mubody/mechanism/groups.h"
#include "mubody/reading/read_model.h"
#include "mubody/writing/read_results.h"
#include "mubody/writing/write_results.h"

namespace mubody::testing {
namespace {
const NotFinite* not_finite(const Results& r, const std::string& channel) {
  const auto found = std::ranges::find(r.not_finite, channel, &NotFinite::channel);
  return found == r.not_finite.end() ? nullptr : &*found;
}

constexpr const char* too_heavy = R"toml(gravity = [0, 0]
[bodies]
b = {mass = 1e300, inertia = 1e300, position = [0, 0], velocity = [1e5, 0]}
[analysis]
end = 1
[output]
step = 0.25)toml";

// A spring whose free end is so far away that its length overflows.
constexpr const char* too_far = R"toml(gravity = [0, -9.81]
[bodies]
a = {mass = 1, inertia = 1, position = [0, 0]}
b = {mass = 1, inertia = 1, position = [1, 0]}
[joints]
A = {type = "revolute", bodies = ["ground", "a"], i = [0, 0], j = [-1, 0]}
[forces]
C = {type = "disc_contact", bodies = ["a", "b"], i = [0, 0], j = [0, 1e308], radius_i = 0.1, radius_j = 0.1, law = "hertz"}
[analysis]
end = 1
[output]
step = 0.25)toml";
}  // namespace

TEST(not_finite, a_running_maximum_keeps_it) {
  double most = 0;
  keep_largest(most, 3);
  keep_largest(most, 2);
  EXPECT_EQ(most, 3);
  keep_largest(most, NAN);
  keep_largest(most, 5);
  EXPECT_TRUE(std::isnan(most));
}

TEST(not_finite, energy_that_overflows_is_not_trusted) {
  const Results r = run(io::read_study_text(too_heavy, "test.toml"));
  EXPECT_TRUE(r.outcome);
  EXPECT_FALSE(r.trusted);
  ASSERT_TRUE(not_finite(r, "kinetic"));
  EXPECT_EQ(not_finite(r, "kinetic")->at, 0);
  EXPECT_NE(r.verdict.find("'kinetic' is not finite at t = 0 s"), std::string::npos) << r.verdict;
  EXPECT_FALSE(not_finite(r, "b.x"));
}

TEST(not_finite, a_channel_is_named_in_every_analysis) {
  for (const char* analysis : {"forward", "assembly"}) {
    Study s =
        io::read_study_text(std::string(too_far), "test.toml", {std::string("analysis.type=") + analysis});
    const Results r = run(s);
    EXPECT_FALSE(r.trusted) << analysis;
    ASSERT_FALSE(r.not_finite.empty()) << analysis;
    EXPECT_TRUE(r.not_finite[0].channel.starts_with("C.")) << r.not_finite[0].channel;
    EXPECT_NE(r.verdict.find(r.not_finite[0].channel), std::string::npos) << r.verdict;
  }
}

TEST(not_finite, its_cell_is_empty_and_no_other) {
  const Results r = run(io::read_study_text(too_heavy, "test.toml"));
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("mubody-not-finite-" + std::to_string(getpid()));
  io::write_results(r, folder);
  std::ifstream file(folder / "energy.csv");
  std::string head, first;
  std::getline(file, head), std::getline(file, first);
  EXPECT_EQ(
      head,
      "time[s],kinetic[J],potential[J],total[J],driver_work[J],applied_work[J],dissipated[J],residual[J]");
  EXPECT_EQ(first, "0,,0,,0,0,0,");
  const io::StoredResults stored = io::read_results(folder.string());
  ASSERT_EQ(stored.results.tables.size(), r.tables.size());
  EXPECT_EQ(stored.results.column("b.x"), r.column("b.x"));
  EXPECT_EQ(stored.results.column("driver_work"), r.column("driver_work"));
  EXPECT_TRUE(std::isnan(stored.results.column("kinetic")[2]));
  ASSERT_EQ(stored.results.extremes.size(), r.extremes.size());
  EXPECT_EQ(stored.results.extremes[0].greatest, r.extremes[0].greatest);
  EXPECT_EQ(stored.results.extremes[0].greatest_at, r.extremes[0].greatest_at);
  std::filesystem::remove_all(folder);
}

namespace {
// A double pendulum with steps that lose energy, and a flywheel that has a million times as much.
std::string beside(const std::string& flywheel, const std::string& bearing) {
  return R"toml(gravity = [0, -9.81]
[bodies]
)toml" + flywheel +
         R"toml(
r0 = {mass = 1, inertia = "= 1/12", position = [0.5, 0]}
r1 = {mass = 1, inertia = "= 1/12", position = [1.5, 0]}
[joints]
A = {type = "revolute", bodies = ["ground", "r0"], i = [0, 0], j = [-0.5, 0]}
B = {type = "revolute", bodies = ["r0", "r1"], i = [0.5, 0], j = [-0.5, 0]}
)toml" + bearing +
         R"toml(
[analysis]
end = 3
integrator = "rk4"
step = 0.02
[output]
step = 0.25)toml";
}
const std::string flywheel = "fly = {mass = 1, inertia = 1, position = [5, 0], omega = 2000}",
                  bearing =
                      R"toml(F = {type = "revolute", bodies = ["ground", "fly"], i = [5, 0], j = [0, 0]})toml";
}  // namespace

TEST(groups_of_bodies, a_flywheel_elsewhere_hides_nothing) {
  const Results alone = run(io::read_study_text(beside("", ""), "test.toml"));
  EXPECT_FALSE(alone.trusted);
  EXPECT_TRUE(alone.balances.empty());
  for (const char* formulation : {"body", "joint"}) {
    const Results r = run(io::read_study_text(beside(flywheel, bearing), "test.toml",
                                              {std::string("analysis.formulation=") + formulation}));
    ASSERT_EQ(r.balances.size(), 2u);
    EXPECT_EQ(r.balances[0].bodies, std::vector<std::string>{"fly"});
    EXPECT_EQ(r.balances[1].bodies, (std::vector<std::string>{"r0", "r1"}));
    EXPECT_NEAR(r.balances[0].scale, 2e6, 1);
    EXPECT_NEAR(r.balances[1].scale, alone.statistics.energy_scale, 1e-2);
    EXPECT_LT(r.balances[0].residual, 1e-4);
    EXPECT_NEAR(r.balances[1].residual / alone.statistics.energy_residual, 1, 0.5);
    EXPECT_FALSE(r.trusted) << formulation;
    EXPECT_NE(r.verdict.find("'r0', 'r1'"), std::string::npos) << r.verdict;
  }
}

TEST(groups_of_bodies, each_balances_its_own_work) {
  // A driven crank, a damped slider, a mass on a spring, and two bodies that a spring connects.
  const Results r = run(io::read_study_text(R"toml(gravity = [0, -9.81]
[bodies]
crank = {mass = 1, inertia = 0.1, position = [0.5, 0], omega = 1}
slider = {mass = 2, inertia = 1, position = [3, 0], velocity = [2, 0]}
bob = {mass = 1, position = [6, -1]}
one = {mass = 1, position = [8, 0]}
two = {mass = 3, position = [9, 0]}
[joints]
A = {type = "revolute", bodies = ["ground", "crank"], i = [0, 0], j = [-0.5, 0]}
S = {type = "translational", bodies = ["ground", "slider"], at = [3, 0], axis = [1, 0]}
[drivers]
motor = {type = "angle", joint = "A", value = "= t + 0.1*sin(3*t)"}
[forces]
brake = {type = "spring", bodies = ["ground", "slider"], i = [0, 0], j = [0, 0], stiffness = 0, damping = 3, free_length = 1}
hangs = {type = "spring", bodies = ["ground", "bob"], i = [6, 0], j = [0, 0], stiffness = 100, free_length = 1}
holds = {type = "spring", bodies = ["one", "two"], i = [0, 0], j = [0, 0], stiffness = 50, damping = 1, free_length = 0.8}
push = {type = "force", body = "two", force = ["= 5*sin(4*t)", 0]}
[analysis]
end = 2)toml",
                                            "test.toml"));
  ASSERT_TRUE(r.trusted) << r.verdict;
  ASSERT_EQ(r.balances.size(), 4u);
  EXPECT_EQ(r.balances[3].bodies, (std::vector<std::string>{"one", "two"}));
  for (const GroupBalance& g : r.balances) {
    EXPECT_GT(g.scale, 1e-2) << g.bodies[0];
    EXPECT_LT(g.residual, 1e-6 * g.scale) << g.bodies[0];
  }
}

TEST(groups_of_bodies, are_not_connected_through_the_ground) {
  const Study s = io::read_study_text(beside(flywheel, bearing), "test.toml");
  std::vector<int> group;
  EXPECT_EQ(count_groups(s.mechanism, group), 2);
  EXPECT_EQ(group, (std::vector<int>{0, 0, 1, 1}));
}

TEST(groups_of_bodies, at_rest_there_is_no_alarm) {
  // Nothing moves: a body that lies still without gravity, and one that hangs.
  const Results r = run(io::read_study_text(R"toml(gravity = [0, -9.81]
[bodies]
heavy = {mass = 1000, inertia = 1, position = [100, -1]}
other = {mass = 1, inertia = 1, position = [0, 0]}
[joints]
A = {type = "revolute", bodies = ["ground", "heavy"], i = [100, 0], j = [0, 1]}
B = {type = "fixed", bodies = ["ground", "other"], i = [0, 0], j = [0, 0]}
[analysis]
end = 10)toml",
                                            "test.toml"));
  EXPECT_TRUE(r.trusted) << r.verdict;
}
}  // namespace mubody::testing
