// Every example in joint coordinates: the same motion and the same reactions as in body coordinates.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "tests/examples/example.h"

namespace mubody::testing {
namespace {
constexpr double agreement = 1e-8;  // of the largest value of the same unit in a table
constexpr int rows = 25;

std::vector<std::string> all_examples() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(examples()))
    if (entry.is_directory()) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// As far as nearby motions stay together to 1e-8: beyond, these models magnify the last digits.
double horizon(const std::string& name, double end) {
  static const std::map<std::string, double> chaotic{};
  const auto found = chaotic.find(name);
  return found == chaotic.end() ? end : std::min(end, found->second);
}

class InJointCoordinates : public ::testing::TestWithParam<std::string> {};

TEST_P(InJointCoordinates, MotionAndReactionsAreTheSame) {
  const std::string& name = GetParam();
  const Study given = read_study(model_of(name).string(), {});
  const std::string type(given.analysis.type.word());
  if (type != "forward" && type != "kinematic") GTEST_SKIP() << type << " has no coordinates to choose";
  const double start = given.analysis.start, end = horizon(name, given.analysis.end);
  std::vector<std::string> settings{fmt::format("analysis.end={}", end)};
  if (type == "forward")
    settings.insert(settings.end(), {"analysis.integrator=dormand-prince", "analysis.rtol=1e-11",
                                     "analysis.atol=1e-12", "analysis.treatment=projection"});
  if (given.output.times.empty()) settings.push_back(fmt::format("output.step={}", (end - start) / rows));
  Study study = read_study(model_of(name).string(), settings);
  const Results body = run(study);
  study.analysis.formulation.index = 2;
  ASSERT_EQ(study.analysis.formulation.word(), "joint");
  const Results joint = run(study);
  ASSERT_EQ(joint.outcome.kind, body.outcome.kind) << joint.outcome.why << body.outcome.why;
  EXPECT_EQ(joint.trusted, body.trusted) << joint.verdict;

  std::set<std::string> open;  // reactions that redundant equations leave open
  for (const Reaction& r : body.reactions)
    if (r.unique == Reaction::no) open.insert(r.channel);
  for (const Table& table : body.tables) {
    if (table.name == "energy" || table.name == "violations") continue;
    const auto other = std::find_if(joint.tables.begin(), joint.tables.end(),
                                    [&](const Table& t) { return t.name == table.name; });
    ASSERT_NE(other, joint.tables.end()) << table.name;
    ASSERT_EQ(other->rows(), table.rows());
    std::map<std::string, double> scale;
    for (std::size_t c = 1; c < table.columns.size(); ++c)
      for (std::size_t r = 0; r < table.rows(); ++r) {
        double& most = scale[table.columns[c].unit];
        most = std::max(most, std::abs(table.at(r, c)));
      }
    for (std::size_t c = 1; c < table.columns.size(); ++c) {
      ASSERT_EQ(other->columns[c].name, table.columns[c].name);
      if (open.contains(table.columns[c].name)) continue;
      double worst = 0;
      for (std::size_t r = 0; r < table.rows(); ++r)
        worst = std::max(worst, std::abs(other->at(r, c) - table.at(r, c)));
      EXPECT_LE(worst, agreement * std::max(scale[table.columns[c].unit], 1e-6)) << table.columns[c].name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Examples, InJointCoordinates, ::testing::ValuesIn(all_examples()),
                         [](const auto& test) { return test.param; });

// Every treatment takes the equations as they are: the four-bar with RK4 and steps of 1 ms, as in treatments_test.cpp.
class TreatmentsInJointCoordinates : public ::testing::TestWithParam<const char*> {};

TEST_P(TreatmentsInJointCoordinates, GiveTheSameMotion) {
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
    const double tolerance = name == "generalized-alpha" ? 2e-2 : 1e-5;  // of second order, of fourth
    for (std::size_t c = 1; c < own.columns.size(); ++c)
      EXPECT_NEAR(own.at(last, c), other.at(last, c), tolerance * (1 + std::abs(other.at(last, c))))
          << own.columns[c].name;
  }
}

INSTANTIATE_TEST_SUITE_P(All, TreatmentsInJointCoordinates,
                         ::testing::Values("standard", "projection", "baumgarte", "direct", "penalty",
                                           "augmented", "index1", "partitioning", "null-space",
                                           "generalized-alpha"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// Whichever joint closes the loop.
TEST(NamedChords, DoNotChangeTheMotion) {
  for (const char* chord : {"A", "B", "C", "D"}) {
    const Results r = run_example("four_bar", {std::string("analysis.chords=['") + chord + "']",
                                               "analysis.formulation=joint", "output.step=1"});
    ASSERT_EQ(r.outcome.kind, Outcome::reached_end) << r.verdict;
    EXPECT_EQ(r.statistics.worst_joint, chord);
    EXPECT_NEAR(value_at(r, "crank.angle", 10), -0.48089787952216956, 1e-6) << chord;
  }
}
}  // namespace
}  // namespace mubody::testing
