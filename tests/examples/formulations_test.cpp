// Every example in every formulation: the same motion and the same reactions.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "tests/examples/example.h"

namespace mubody::testing {
namespace {
constexpr double alike = 1e-8;  // relative to the largest number of a column, or to 1

const std::vector<std::string> formulations{"cartesian", "joint"};

struct Special {
  std::vector<std::string> settings;
  double stiff = alike;  // for accelerations and forces
};
// Motions that amplify errors are compared for as long as possible.  A contact or a bushing with the stiffness
// K turns an error of position into a force K times as large, which limits the accuracy of forces and
// accelerations.  In a singular position reactions have no bounds: the singular slider-crank is compared at
// instants that are not next to one.  The start of the half HAT-leg has gaps of 1e-6 m, which joint coordinates
// cannot represent: it is closed first.
const std::map<std::string, Special> special{
    {"backlash_gears", {{}, 1e-6}},
    {"car", {{"analysis.end=2"}}},  // to the left; back it would do the same
    {"clearance_slider_crank", {{"analysis.end=0.003"}, 1e-6}},
    {"door", {{"analysis.rtol=1e-12"}}},
    {"geneva", {{"analysis.end=0.5"}, 1e-6}},
    {"half_hat_leg", {{"analysis.assembly.as_given=false"}}},
    {"lubricated_slider_crank", {{"analysis.end=0.006"}}},
    {"ratchet", {{"analysis.end=0.2"}, 1e-6}},
    {"slider_crank_singular", {{"output.step=0.5"}}},
    {"stiff_bushing", {{"analysis.end=0.02", "output.step=0.001"}, 1e-6}},
    {"spatial_slider_crank", {{}, 1e-7}},  // 1.4e-8; next to a gimbal lock, where angles turn very fast, 4.6e-8
    {"struck_sphere", {{}, 1e-7}},
    {"tumbling_body", {{"analysis.end=10"}}},
};
Special of(const std::string& example) {
  const auto found = special.find(example);
  return found == special.end() ? Special{} : found->second;
}

bool is_motion(const std::string& unit) {
  for (const char* one : {"s", "m", "rad", "1", "m/s", "rad/s"})
    if (unit == one) return true;
  return false;
}
// When a ball passes the gimbal lock of its three angles, whole turns depend on round-off.
bool is_one_of_three(const std::string& channel) {
  return channel.ends_with(".angle_z") || channel.ends_with(".angle_x");
}

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
  for (const std::string& more : of(example).settings) settings.push_back(more);
  return run_example(example, settings);
}

class Formulations : public ::testing::TestWithParam<Case> {};

TEST_P(Formulations, same_motion_and_reactions) {
  const Results a = run_in(GetParam().example, "body"), b = run_in(GetParam().example, GetParam().formulation);
  ASSERT_TRUE(a.trusted) << a.verdict;
  EXPECT_TRUE(b.trusted) << b.verdict;
  std::vector<std::string> open;  // reactions that redundant constraints leave to the solver
  for (const Reaction& r : a.reactions)
    if (r.unique != Reaction::yes) open.push_back(r.channel);
  for (const char* name : {"bodies", "joints", "points", "forces", "drives"}) {
    const Table *one = a.find(name), *two = b.find(name);
    ASSERT_EQ(one == nullptr, two == nullptr) << name;
    if (!one) continue;
    ASSERT_EQ(one->columns.size(), two->columns.size());
    ASSERT_EQ(one->rows(), two->rows());
    for (std::size_t k = 0; k < one->columns.size(); ++k) {
      const std::string& channel = one->columns[k].name;
      EXPECT_EQ(channel, two->columns[k].name);
      if (std::ranges::find(open, channel) != open.end()) continue;
      double size = 1, off = 0, at = 0;
      for (std::size_t row = 0; row < one->rows(); ++row) {
        size = std::max(size, std::abs(one->at(row, k)));
        double d = std::abs(one->at(row, k) - two->at(row, k));
        if (is_one_of_three(channel)) d = std::abs(wrapped(d));
        if (!(d <= off)) off = d, at = one->at(row, 0);
      }
      EXPECT_LT(off, (is_motion(one->columns[k].unit) ? alike : of(GetParam().example).stiff) * size)
          << channel << " at " << at << " s";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(all, Formulations, ::testing::ValuesIn(all_cases()),
                         [](const auto& test) { return test.param.example + "_in_" + test.param.formulation; });
}  // namespace
}  // namespace mubody::testing
