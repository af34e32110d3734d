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
}  // namespace
}  // namespace mubody::testing
