// Every treatment on the four-bar of Marques, Souto and Flores (2017): violation, energy and motion as an independent
// implementation of the same methods found them, RK4 with steps of 1 ms over 10 s.
#include "tests/examples/example.h"

namespace mubody::testing {
namespace {
struct Method {
  const char* name;
  const char* setting;
  double violation;  // largest ΦᵀΦ; 0: at round-off
  double energy;     // largest drift [J]
};

void PrintTo(const Method& m, std::ostream* out) { *out << m.name; }

class FourBarMethods : public ::testing::TestWithParam<Method> {};

TEST_P(FourBarMethods, AreAsAccurateAsPublishedMethodsCanBe) {
  const Method& m = GetParam();
  const Results r =
      run_example("four_bar", {std::string("analysis.treatment=") + m.setting, "output.step=0.001"});
  ASSERT_EQ(r.outcome.kind, Outcome::reached_end) << r.verdict;
  EXPECT_NEAR(value_at(r, "crank.angle", 10), -0.48089787952216956, 1e-6);
  const double largest = r.statistics.largest_violation;  // of one row; ΦᵀΦ has eight
  if (m.violation > 0) {
    EXPECT_LT(largest * largest, 3 * m.violation);
    EXPECT_GT(8 * largest * largest, m.violation / 3);
  } else {
    EXPECT_LT(8 * largest * largest, 1e-25);
  }
  EXPECT_LT(r.statistics.energy_residual, 3 * m.energy);
}

INSTANTIATE_TEST_SUITE_P(
    All, FourBarMethods,
    ::testing::Values(Method{"standard", "'standard'", 4.754e-14, 5.536e-06},
                      Method{"baumgarte", "{type='baumgarte', alpha=5, beta=5}", 8.432e-19, 1.165e-06},
                      Method{"augmented", "{type='augmented', alpha=1e7, omega=10, mu=1, tolerance=1e-8}",
                             2.182e-19, 1.526e-06},
                      Method{"index1", "{type='index1', alpha=1e7}", 0, 1.205e-06},
                      Method{"direct", "'direct'", 0, 2.667e-07},
                      Method{"projection", "'projection'", 0, 2.702e-07},
                      Method{"null_space", "'null-space'", 4.754e-14, 5.536e-06}),
    [](const auto& info) { return std::string(info.param.name); });

// Constraints that depend on each other are no obstacle to these.
TEST(RedundantConstraints, AreHeldByTreatmentsThatNeedNoInverse) {
  for (const char* treatment : {"'projection'", "'index1'", "'direct'"}) {
    const Results r =
        run_example("four_bar_in_space", {std::string("analysis.treatment=") + treatment, "analysis.end=1",
                                          "analysis.rtol=1e-9", "output.step=0.5"});
    EXPECT_TRUE(r.trusted) << treatment << ": " << r.verdict;
    EXPECT_NEAR(value_at(r, "crank.x", 1), std::cos(0.05723334669417119), 1e-6) << treatment;
  }
}
}  // namespace
}  // namespace mubody::testing
