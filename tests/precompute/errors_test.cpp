// Models that cannot be precomputed, and the proposals of the messages.
#include "tests/precompute/models.h"
#include "tests/scaled.h"

namespace mubody::testing {
namespace {
TEST(precompute_errors, range_beyond_a_dead_point) {
  const Study study = io::read_study_text(double_rocker, "rocker.toml");
  PrecomputeOptions o;
  o.independent = {"A.angle"};
  o.ranges = {{"A.angle", 0.2, 3}};
  const std::string message = message_of(study, o);
  expect_parts(message, {"--range A.angle", "--independent"});
  // Bar and right in a line, 1.5 - 0.8 or 1.5 + 0.8 m from A's tip to D: cos A = (1.5² + 1.6² −
  // 0.7²)/(2·1.5·1.6) ...
  std::size_t at = 0;
  for (const double far : {0.7, 2.3}) {
    at = message.find("dead point of A.angle at ", at + 1);
    ASSERT_NE(at, std::string::npos) << message;
    const double dead = std::acos((1.5 * 1.5 + 1.6 * 1.6 - far * far) / (2 * 1.5 * 1.6)) * 180 / EIGEN_PI;
    EXPECT_NEAR(std::stod(message.substr(at + 25)), dead, 0.05);
  }
  // The proposal works.
  double low = 0, high = 0;
  const std::string proposal = message.substr(message.find("give --range"));
  ASSERT_EQ(std::sscanf(proposal.c_str(), "give --range A.angle=%lfdeg:%lfdeg", &low, &high), 2) << message;
  constexpr double degree = EIGEN_PI / 180;
  o.ranges = {{"A.angle", low * degree, high * degree}};
  EXPECT_EQ(message_of(study, o), "no error");
}

TEST(precompute_errors, variables_go_both_ways_from_the_start) {
  const Study study = io::read_study_text(double_rocker, "rocker.toml");
  PrecomputeOptions o;
  o.independent = {"A.angle"};
  const Precomputed made = precompute(study, o);
  const VariableRange& range = made.model.regions.front().variables.front();
  EXPECT_NEAR(range.low * 180 / EIGEN_PI, 25.84, 2);  // dead points as above
  EXPECT_NEAR(range.high * 180 / EIGEN_PI, 95.74, 2);
  EXPECT_GT(range.low * 180 / EIGEN_PI, 25.84);
  EXPECT_LT(range.high * 180 / EIGEN_PI, 95.74);
}

TEST(precompute_errors, a_degree_that_does_not_do_gives_way_to_a_higher_one) {
  const Study study = io::read_study_text(triple_rocker, "rocker.toml");
  PrecomputeOptions o;
  o.bound = 1e-10;
  o.degree = 3;
  o.memory = 1e6;
  expect_parts(message_of(study, o), {"--order"});
  o.degree = 0;
  const Precomputed made = precompute(study, o);
  EXPECT_LE(made.model.certified, o.bound);
  EXPECT_GT(made.model.degree, 3);
}

TEST(precompute_errors, start_outside_the_range) {
  PrecomputeOptions o;
  o.ranges = {{"A.angle", -1, 0.5}};
  expect_parts(message_of(example("four_bar"), o), {"does not contain the start", "60 deg"});
}

TEST(precompute_errors, bound_too_tight_for_the_memory) {
  PrecomputeOptions o;
  o.bound = 1e-6;
  o.degree = 3;
  o.memory = 1e5;
  const std::string message = message_of(example("four_bar"), o);
  expect_parts(message, {"MB", "--memory", "--bound", "--order", "--range"});
  // The proposal works.
  double kilobytes = 0, bound = 0;
  ASSERT_EQ(std::sscanf(message.substr(message.find("give ")).c_str(), "give --memory %lfkB, --bound %lf",
                        &kilobytes, &bound),
            2)
      << message;
  PrecomputeOptions larger = o, looser = o;
  larger.memory = 1000 * kilobytes;
  looser.bound = bound;
  EXPECT_EQ(message_of(example("four_bar"), larger), "no error");
  EXPECT_EQ(message_of(example("four_bar"), looser), "no error");
}

// Without a bound, none is proposed that leaves nothing of a small mechanism.
TEST(precompute_errors, bounds_that_are_proposed_follow_the_size) {
  const Study study = scaled(example("four_bar"), 1e-6);
  PrecomputeOptions o;
  o.degree = 3;
  o.memory = 1e5;
  const std::string message = message_of(study, o);
  expect_parts(message, {"MB", "--memory", "--order", "--range"});
  const std::size_t at = message.find("--bound");
  if (at == std::string::npos) return;
  double bound = 0;
  ASSERT_EQ(std::sscanf(message.substr(at).c_str(), "--bound %lf", &bound), 1) << message;
  EXPECT_LE(bound, 0.1 * scales_of(study.mechanism).length) << message;
}

TEST(precompute_errors, contacts_in_the_loop) {
  expect_parts(message_of(example("clearance_slider_crank"), of_whole()), {"clearance", "mubody run"});
}

TEST(precompute_errors, too_many_freedoms) {
  expect_parts(message_of(example("five_bar_pendulum"), of_whole()), {"at most 3", "mubody run"});
}

TEST(precompute_errors, rolling_and_structures) {
  expect_parts(message_of(example("rolling_disc"), of_whole()), {"velocities", "mubody run"});
  const Study frame = io::read_study_text(R"(
gravity = [0, -9.81]
[bodies]
beam = {mass = 1, inertia = 1, position = [0, 0]}
[joints]
wall = {type = "fixed", bodies = ["ground", "beam"], at = [0, 0]}
)",
                                          "frame.toml");
  expect_parts(message_of(frame), {"nothing can move", "leave out a joint"});
}

TEST(precompute_errors, drivers_of_several_equations) {
  const Study study = io::read_study_text(R"(
gravity = [0, 0, -9.81]
[bodies]
head = {mass = 1, inertia = [1, 1, 1], position = [0, 0, 0]}
[joints]
neck = {type = "spherical", bodies = ["ground", "head"], at = [0, 0, 0]}
[drivers]
nod = {type = "orientation", bodies = ["ground", "head"], angles = ["= t", 0, 0]}
)",
                                          "head.toml");
  expect_parts(message_of(study), {"driver 'nod' (orientation)", "3 equations", "angles or slides"});
}

TEST(precompute_errors, driver_beyond_a_dead_point) {
  std::string text = double_rocker;
  text += "[drivers]\nmotor = {type = \"angle\", bodies = [\"ground\", \"left\"], value = \"= pi/2 + t\"}\n";
  expect_parts(message_of(io::read_study_text(text, "rocker.toml")), {"motor", "dead point"});
}

TEST(precompute_errors, lines_of_the_file) {
  const auto says = [](const std::string& lines, const std::vector<std::string>& parts) {
    try {
      io::read_study_text(std::string(double_rocker) + lines, "rocker.toml");
      ADD_FAILURE() << lines;
    } catch (const ModelError& e) {
      expect_parts(e.what(), parts);
    }
  };
  says("[precompute]\nbuond = 1e-6", {"rocker.toml:20", "buond", "bound"});
  says("[precompute]\nbound = -1", {"rocker.toml:20", "must be positive"});
  says("[precompute]\norder = 4", {"rocker.toml:20", "3, 5, 7 or 9"});
  says("[precompute]\nmemory = \"much\"", {"rocker.toml:20", "100 MB"});
  says("[precompute]\nindependent = [\"A.angel\"]", {"rocker.toml:20", "A.angle"});
  says("[precompute.range]\nA.angle = [1, 0]", {"rocker.toml:20", "not below"});
  says("[precompute.range]\nA.angle = [\"1 m\", 2]", {"rocker.toml:20", "A: angle"});
}

TEST(precompute_errors, names) {
  PrecomputeOptions o;
  o.independent = {"A.angel"};
  expect_parts(message_of(example("four_bar"), o), {"'A.angel'", "A.angle"});
  o.independent = {"A.angle", "B.angle"};
  expect_parts(message_of(example("four_bar"), o), {"1 freedom", "2 independent variables"});
  o.independent = {"A.angle"};
  o.ranges = {{"B.angle", -1, 1}};
  expect_parts(message_of(example("four_bar"), o), {"B.angle", "A.angle"});
}

TEST(precompute_errors, variable_at_its_dead_point) {
  PrecomputeOptions o;
  o.independent = {"J34.slide"};  // stretched at the start
  expect_parts(message_of(example("crank_slider"), o), {"dead point of J34.slide", "--independent"});
}
}  // namespace
}  // namespace mubody::testing
