// Every example in every formulation: the same motion and the same reactions.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "tests/examples/example.h"

namespace mubody::testing {
namespace {
constexpr double same = 1e-8;  // of the largest number of a column, or of 1

const std::vector<std::string> formulations{"cartesian"};

// Motions that cannot be compared over the whole time of the example, because they amplify errors (contacts one after
// the other) or would take too long at this tolerance.
const std::map<std::string, std::vector<std::string>> shorter;

struct Case {
  std::string example, formulation;
};

std::vector<Case> all_cases() {
  std::vector<Case> all;
  for (const auto& entry : std::filesystem::directory_iterator(examples()))
    if (entry.is_directory())
      for (const std::string& formulation : formulations)
        all.push_back({entry.path().filename().string(), formulation});
  std::ranges::sort(all, {}, [](const Case& c) { return std::pair(c.example, c.formulation); });
  return all;
}

Results run_in(const std::string& example, const std::string& formulation) {
  std::vector<std::string> settings{"analysis.formulation='" + formulation + "'", "analysis.rtol=1e-11",
                                    "analysis.integrator='dormand-prince'", "analysis.treatment='projection'"};
  if (const auto found = shorter.find(example); found != shorter.end())
    settings.insert(settings.end(), found->second.begin(), found->second.end());
  return run_example(example, settings);
}

class Formulations : public ::testing::TestWithParam<Case> {};

TEST_P(Formulations, SameMotionAndReactions) {
  const Results a = run_in(GetParam().example, "body"), b = run_in(GetParam().example, GetParam().formulation);
  ASSERT_TRUE(a.trusted) << a.verdict;
  EXPECT_TRUE(b.trusted) << b.verdict;
  std::vector<std::string> open;  // redundant constraints leave these to the solver
  for (const Reaction& r : a.reactions)
    if (r.unique != Reaction::yes) open.push_back(r.channel);
  for (const char* name : {"bodies", "joints", "points", "forces", "drives"}) {
    const Table *one = a.find(name), *two = b.find(name);
    ASSERT_EQ(one == nullptr, two == nullptr) << name;
    if (!one) continue;
    ASSERT_EQ(one->columns.size(), two->columns.size());
    ASSERT_EQ(one->rows(), two->rows());
    for (std::size_t k = 0; k < one->columns.size(); ++k) {
      EXPECT_EQ(one->columns[k].name, two->columns[k].name);
      if (std::ranges::find(open, one->columns[k].name) != open.end()) continue;
      double size = 1, off = 0, at = 0;
      for (std::size_t row = 0; row < one->rows(); ++row) {
        size = std::max(size, std::abs(one->at(row, k)));
        const double d = std::abs(one->at(row, k) - two->at(row, k));
        if (!(d <= off)) off = d, at = one->at(row, 0);
      }
      EXPECT_LT(off, same * size) << one->columns[k].name << " at " << at << " s";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Formulations, ::testing::ValuesIn(all_cases()),
                         [](const auto& test) { return test.param.example + "_in_" + test.param.formulation; });
}  // namespace
}  // namespace mubody::testing
