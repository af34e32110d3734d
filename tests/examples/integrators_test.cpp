// Every integrator, chosen in the model file, on the four-bar of Marques, Souto and Flores (2017) with projection.
#include "mubody/integrators/integrator.h"
#include "tests/examples/example.h"

namespace mubody::testing {
namespace {
// The crank angle at 1 s from the closed-form equation of the mechanism's one freedom.  Fixed steps of 1 ms, the others
// with the tolerance that is the default.
TEST(four_bar_integrators, find_the_closed_form_solution) {
  for (const IntegratorEntry& kind : integrator_kinds()) {
    const Results r = run_example("four_bar", {"analysis.integrator='" + std::string(kind.info.name) + "'",
                                               "analysis.end=1", "output.step=0.25"});
    ASSERT_EQ(r.outcome.kind, Outcome::reached_end) << kind.info.name << ": " << r.verdict;
    EXPECT_LT(r.statistics.largest_violation, 2e-13) << kind.info.name;
    const double tolerance = kind.adaptive ? 2e-7 : kind.order == 4 ? 2e-6 : kind.order == 2 ? 1e-3 : 2e-2;
    EXPECT_NEAR(value_at(r, "crank.angle", 1), 0.05723334669417119, tolerance) << kind.info.name;
    if (kind.adaptive) {
      EXPECT_TRUE(r.trusted) << kind.info.name << ": " << r.verdict;
    }
  }
}
}  // namespace
}  // namespace mubody::testing
