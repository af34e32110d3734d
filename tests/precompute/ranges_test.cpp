// Ranges of several variables: those that are given hold or are refused, and messages propose some that work.
#include <cstdio>

#include "tests/precompute/models.h"

namespace mubody::testing {
namespace {
// A chassis that heaves on a rail, with a double wishbone: two freedoms.
constexpr const char* quarter_car = R"(
gravity = [0, -9.81]
[bodies]
chassis = {mass = 350, inertia = 50, position = [0, 0.6]}
lower = {mass = 5, inertia = 0.1, position = [0.45, 0.3]}
upper = {mass = 3, inertia = 0.05, position = [0.45, 0.55]}
hub = {mass = 40, inertia = 1, position = [0.72, 0.42]}
[joints]
rail = {type = "RAIL", bodies = ["ground", "chassis"], at = [0, 0.6], to = [0, 1.6]}
l1 = {type = "revolute", bodies = ["chassis", "lower"], at = [0.25, 0.32]}
l2 = {type = "revolute", bodies = ["lower", "hub"], at = [0.65, 0.27]}
u1 = {type = "revolute", bodies = ["chassis", "upper"], at = [0.3, 0.55]}
u2 = {type = "revolute", bodies = ["upper", "hub"], at = [0.62, 0.56]}
[forces]
strut = {type = "spring", bodies = ["chassis", "lower"], i = [0.35, 0.2], j = [0.05, 0], stiffness = 60000, free_length = 0.65}
)";

// Two cranks whose tips two rods join: they meet singular positions on the way.
constexpr const char* crossing_five_bar = R"(
[bodies]
c1 = {mass = 1, inertia = 0.02, position = [-0.25, 0.15], angle = 2.0}
r1 = {mass = 0.8, inertia = 0.05, position = [0, 0.6], angle = 1.0}
r2 = {mass = 0.9, inertia = 0.05, position = [0.9, 0.6], angle = 2.2}
c2 = {mass = 1, inertia = 0.02, position = [1.05, 0.15], angle = 1.0}
[joints]
J1 = {type = "revolute", bodies = ["ground", "c1"], i = [0, 0], j = [-0.2, 0]}
J2 = {type = "revolute", bodies = ["c1", "r1"], i = [0.2, 0], j = [-0.45, 0]}
J3 = {type = "revolute", bodies = ["r1", "r2"], i = [0.45, 0], j = [0.45, 0]}
J4 = {type = "revolute", bodies = ["c2", "r2"], i = [0.2, 0], j = [-0.45, 0]}
J5 = {type = "revolute", bodies = ["ground", "c2"], i = [0.8, 0], j = [-0.2, 0]}
[analysis]
hold = ["c1.angle", "c2.angle"]
)";

constexpr double degree = EIGEN_PI / 180;

Study quarter(const std::string& rail = "translational") {
  std::string text = quarter_car;
  text.replace(text.find("RAIL"), 4, rail);
  return io::read_study_text(text, "quarter.toml");
}

PrecomputeOptions rough() {
  PrecomputeOptions o;
  o.bound = 10;
  o.degree = 3;
  return o;
}

TEST(ranges, a_variable_with_a_range_is_independent) {
  PrecomputeOptions o = rough();
  o.ranges = {{"rail.slide", -0.1, 0.1}, {"l1.angle", -20 * degree, 20 * degree}};
  const Precomputed made = precompute(quarter(), o);
  const auto& variables = made.model.regions.front().variables;
  ASSERT_EQ(variables.size(), 2u);
  EXPECT_EQ(variables[0].name, "rail.slide");
  EXPECT_EQ(variables[1].name, "l1.angle");
  EXPECT_DOUBLE_EQ(variables[1].low, -20 * degree);
  EXPECT_DOUBLE_EQ(variables[1].high, 20 * degree);
}

TEST(ranges, a_coordinate_of_a_body_with_a_range_is_independent) {
  PrecomputeOptions o = rough();
  o.ranges = {{"chassis.y", 0.5, 0.7}, {"hub.y", 0.35, 0.5}};
  const Precomputed made = precompute(quarter(), o);
  const auto& variables = made.model.regions.front().variables;
  EXPECT_EQ(variables[0].name, "chassis.y");
  EXPECT_EQ(variables[1].name, "hub.y");
}

TEST(ranges, those_of_other_variables_are_refused) {
  PrecomputeOptions o = rough();
  o.independent = {"rail.slide", "u1.angle"};
  o.ranges = {{"rail.slide", -0.1, 0.1}, {"l1.angle", -20 * degree, 20 * degree}};
  expect_parts(message_of(quarter(), o), {"--range is for l1.angle", "rail.slide, u1.angle"});
}

TEST(ranges, more_than_freedoms_are_refused) {
  PrecomputeOptions o = rough();
  o.ranges = {{"rail.slide", -0.1, 0.1}, {"l1.angle", -0.3, 0.3}, {"u1.angle", -0.3, 0.3}};
  expect_parts(message_of(quarter(), o), {"2 freedoms", "ranges of 3 variables"});
}

TEST(ranges, those_of_variables_that_depend_on_each_other_are_refused) {
  PrecomputeOptions o = rough();
  o.ranges = {{"l1.angle", -0.3, 0.3}, {"u1.angle", -0.3, 0.3}};
  expect_parts(message_of(quarter(), of_whole(o)), {"l1.angle, u1.angle", "depend on each other"});
}

// The chassis also pitches: the slide and the angle of a slot are variables like those of other joints.
TEST(ranges, a_slot_has_variables) {
  PrecomputeOptions o = rough();
  o.ranges = {{"rail.slide", -0.1, 0.1}, {"rail.angle", -0.1, 0.1}, {"l1.angle", -0.1, 0.1}};
  const Precomputed made = precompute(quarter("slot"), o);
  EXPECT_EQ(made.model.regions.front().variables[1].name, "rail.angle");
}

TEST(ranges, those_that_work_are_proposed) {
  const Study study = io::read_study_text(crossing_five_bar, "five_bar.toml");
  PrecomputeOptions o = rough();
  o.independent = {"J1.angle", "J5.angle"};
  o.ranges = {{"J1.angle", -60 * degree, 200 * degree}, {"J5.angle", -20 * degree, 240 * degree}};
  const std::string message = message_of(study, o);
  expect_parts(message, {"cannot go everywhere", "give --range J1.angle="});
  double low[2], high[2];
  ASSERT_EQ(std::sscanf(message.substr(message.find("give ")).c_str(),
                        "give --range J1.angle=%lfdeg:%lfdeg --range J5.angle=%lfdeg:%lfdeg", &low[0], &high[0],
                        &low[1], &high[1]),
            4)
      << message;
  for (std::size_t k = 0; k < 2; ++k) o.ranges[k].low = low[k] * degree, o.ranges[k].high = high[k] * degree;
  EXPECT_EQ(message_of(study, o), "no error");
}

// Each crank can go all the way round.  Where both point at each other, at 0° and 180°, their tips meet, and the rods turn
// about them freely: a singular point, which no net of lines hits.
TEST(ranges, those_that_are_found_avoid_a_singular_point) {
  const Study study = io::read_study_text(crossing_five_bar, "five_bar.toml");
  PrecomputeOptions o = rough();
  o.independent = {"J1.angle", "J5.angle"};
  const Precomputed made = precompute(study, o);
  const auto& ranges = made.model.regions.front().variables;
  ASSERT_EQ(ranges[0].name, "J1.angle");
  EXPECT_FALSE(ranges[0].periodic);
  EXPECT_GT(ranges[0].high - ranges[0].low, 120 * degree);
  EXPECT_FALSE(ranges[0].low < 0 && ranges[1].high > EIGEN_PI);
  ASSERT_EQ(made.remarks.size(), 1u);
  expect_parts(made.remarks.front(), {"not all of them together"});
}

// The ranges that a message proposes, as they are typed.
std::vector<PrecomputeOptions::Range> proposed(const std::string& message) {
  std::vector<PrecomputeOptions::Range> all;
  for (std::size_t at = message.find("--range "); at != std::string::npos;
       at = message.find("--range ", at + 1)) {
    char name[40];
    char unit[40] = "";
    double low = 0, high = 0;
    const std::string text = message.substr(at);
    if (std::sscanf(text.c_str(), "--range %39[^=]=%lf%*[deg]:%lf%3[deg]", name, &low, &high, unit) == 4)
      all.push_back({name, low * degree, high * degree});
    else if (std::sscanf(text.c_str(), "--range %39[^=]=%lf:%lf", name, &low, &high) == 3)
      all.push_back({name, low, high});
  }
  return all;
}

// A slide has no end by itself.  The range that is proposed works when it is typed, although that of the other variable is
// still to be found: it ends where tables would become large.
TEST(ranges, the_one_that_is_proposed_for_a_slide_is_enough) {
  PrecomputeOptions o = of_whole();
  o.ranges = proposed(message_of(quarter(), o));
  ASSERT_EQ(o.ranges.size(), 1u);
  const Precomputed made = precompute(quarter(), o);
  ASSERT_TRUE(made.outcome);
  EXPECT_LE(made.model.certified, 1e-8);
  double samples = 0;
  for (const TableReport& t : made.tables) samples += double(t.samples + t.checks);
  EXPECT_LT(samples, 1e6);
  ASSERT_FALSE(made.remarks.empty());
  expect_parts(made.remarks.back(), {"of how far their variables can go", "--range"});
  const VariableRange& other = made.model.regions.front().variables[1];
  EXPECT_GT(other.high - other.low, 30 * degree);
}

TEST(ranges, smaller_ones_that_work_are_proposed_where_memory_is_short) {
  PrecomputeOptions o;
  o.memory = 600e3;
  o.ranges = {{"rail.slide", -0.1, 0.1}, {"u1.angle", -60 * degree, 100 * degree}};
  const std::string message = message_of(quarter(), o);
  expect_parts(message, {"at least", "MB may be taken", "--memory"});
  o.ranges = proposed(message);
  ASSERT_EQ(o.ranges.size(), 2u) << message;
  EXPECT_EQ(message_of(quarter(), o), "no error") << message;
}
}  // namespace
}  // namespace mubody::testing
