// Joint coordinates under every treatment and with any chord; every example is run in formulations_test.cpp.
#include <algorithm>

#include "tests/examples/example.h"

namespace mubody::testing {
namespace {
// Every treatment takes the equations as they are: the four-bar with RK4 and steps of 1 ms, as in treatments_test.cpp.
class TreatmentsInJointCoordinates : public ::testing::TestWithParam<const char*> {};

TEST_P(TreatmentsInJointCoordinates, give_the_same_motion) {
  const std::string name = GetParam();
  for (const char* model : {"four_bar", "double_pendulum"}) {
    const bool loop = std::string(model) == "four_bar";
    const std::string end = loop ? "10" : "2";
    const Results r = run_example(
        model, {"analysis.treatment=" + name, "analysis.formulation=joint", "analysis.integrator=rk4",
                "analysis.type=forward", "analysis.step=0.001", "output.step=1", "analysis.end=" + end});
    const Results body = run_example(model, {"analysis.integrator=dormand-prince", "analysis.rtol=1e-11",
                                             "analysis.type=forward", "output.step=1", "analysis.end=" + end});
    ASSERT_EQ(r.outcome.kind, Outcome::reached_end) << r.verdict;
    const Table &own = r.tables.front(), &other = body.tables.front();
    ASSERT_EQ(own.name, "bodies");
    const auto last = own.rows() - 1;
    ASSERT_EQ(other.rows() - 1, last);
    // The method is of second order; or has approximate forces, as in body coordinates; or is of fourth order.
    const double tolerance = name == "generalized-alpha" ? 2e-2 : name == "penalty" ? 1e-3 : 1e-5;
    for (std::size_t c = 1; c < own.columns.size(); ++c)
      EXPECT_NEAR(own.at(last, c), other.at(last, c), tolerance * (1 + std::abs(other.at(last, c))))
          << own.columns[c].name;
  }
}

INSTANTIATE_TEST_SUITE_P(all, TreatmentsInJointCoordinates,
                         ::testing::Values("standard", "projection", "baumgarte", "direct", "penalty",
                                           "augmented", "index1", "partitioning", "null-space",
                                           "generalized-alpha"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// The motion is the same whichever joint closes the loop.
TEST(named_chords, do_not_change_the_motion) {
  for (const char* chord : {"A", "B", "C", "D"}) {
    const Results r = run_example("four_bar", {std::string("analysis.chords=['") + chord + "']",
                                               "analysis.formulation=joint", "output.step=1"});
    ASSERT_EQ(r.outcome.kind, Outcome::reached_end) << r.verdict;
    EXPECT_EQ(r.statistics.worst_joint, chord);
    EXPECT_NEAR(value_at(r, "crank.angle", 10), -0.48089787952216956, 1e-6) << chord;
  }
}
TEST(named_chords, have_no_say_in_other_coordinates) {
  const std::vector<std::string> settings{"analysis.chords=['A']", "analysis.end=0.1"};
  const auto mentioned = [](const Results& r) {
    return std::ranges::any_of(r.remarks,
                               [](const std::string& x) { return x.find("'chords'") != std::string::npos; });
  };
  EXPECT_TRUE(mentioned(run_example("four_bar", settings)));
  EXPECT_FALSE(mentioned(run_example("four_bar", {settings[0], settings[1], "analysis.formulation=joint"})));
}

// The angle of a pin is a coordinate, so no turn is lost if it goes round several times in a step.
TEST(large_turns, are_pins_own_affair) {
  const auto remarks = [](const char* joint, const char* formulation) {
    const Results r = run(io::read_study_text(std::string(R"toml(
gravity = [0, 0, 0]
[bodies]
rotor = {mass = 1, inertia = [0.1, 0.1, 0.2], position = [0, 0, 0], omega = [0, 0, 300]}
[joints]
A = {type = ")toml") + joint + R"toml(", bodies = ["ground", "rotor"], at = [0, 0, 0], axis = [0, 0, 1]}
[analysis]
end = 1
integrator = "rk4"
step = 0.01
formulation = ")toml" + formulation + "\"\n",
                                              "test.toml"));
    return std::ranges::count_if(r.remarks,
                                 [](const std::string& x) { return x.find("turned by") != std::string::npos; });
  };
  EXPECT_EQ(remarks("revolute", "body"), 1);
  EXPECT_EQ(remarks("revolute", "joint"), 0);
  EXPECT_EQ(remarks("spherical", "joint"), 1);
}
}  // namespace
}  // namespace mubody::testing
