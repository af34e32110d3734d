// Rows beside a singular position, however close to it they fall.
#include <cmath>

#include <gtest/gtest.h>

#include "mubody/analyses/run.h"
#include "mubody/reading/read_model.h"

namespace mubody::testing {
namespace {
// Crank and rod of 1 m: with the crank upright the slider is under the bearing, and could leave the line of the crank.
constexpr std::string_view equal_rods = R"toml(
gravity = [0, -9.81]
[bodies]
crank = {mass = 1, inertia = "= 1/12", position = ["= 0.5*cos(1)", "= 0.5*sin(1)"], angle = 1, omega = 6}
rod = {mass = 1, inertia = "= 1/12", position = ["= 1.5*cos(1)", "= 0.5*sin(1)"], angle = -1}
slider = {mass = 1, inertia = 0.1, position = ["= 2*cos(1)", 0]}
[joints]
A = {type = "revolute", bodies = ["ground", "crank"], i = [0, 0], j = [-0.5, 0]}
B = {type = "revolute", bodies = ["crank", "rod"], i = [0.5, 0], j = [-0.5, 0]}
C = {type = "revolute", bodies = ["rod", "slider"], i = [0.5, 0], j = [0, 0]}
G = {type = "translational", bodies = ["ground", "slider"], i = {at = [0, 0], axis = [1, 0]}, j = [0, 0]}
[analysis]
end = 0.54
hold = ["crank.angle", "crank.omega"]
)toml";
}  // namespace

// Next to the position the force in B is 2.3338 N and hardly changes from row to row.
TEST(beside_singular, reactions_are_smooth_from_row_to_row) {
  for (const double rtol : {1e-6, 1e-9, 1e-12}) {
    Study s = io::read_study_text(equal_rods, "test.toml");
    s.analysis.control.rtol = rtol;
    s.output.step = 1e-4;
    const Results r = run(s);
    ASSERT_TRUE(r.outcome) << r.outcome.why;
    const std::vector<double> t = r.times(), force = r.column("B.on_rod.fy");
    for (std::size_t k = 1; k + 1 < t.size(); ++k)
      if (t[k] > 0.5) {
        EXPECT_NEAR(force[k], (force[k - 1] + force[k + 1]) / 2, 2e-3) << rtol << ' ' << t[k];
      }
  }
}
}  // namespace mubody::testing
