// Joints that give way together with design variables: each term of the series in deflections has derivatives by
// parameters of the model.
#include <cmath>

#include "mubody/reading/real_time_file.h"
#include "tests/precompute/models.h"

namespace mubody::testing {
namespace {
// A slider-crank whose crank pin sits in rubber; its stiffness is a parameter too.
const char* const rubber = R"toml(
gravity = [0, -9.81]
[parameters]
r = 0.1
l = 0.3
m = 2
k = 300
bush = 4e4
[bodies]
crank  = {mass = 1, inertia = 0.02, position = ["= r/2", 0], omega = 10}
rod    = {mass = "= m", inertia = "= m*l*l/12", position = ["= r + l/2", 0]}
slider = {mass = 1, inertia = 0.01, position = ["= r + l", 0]}
[joints]
A = {type = "revolute", bodies = ["ground", "crank"], i = [0, 0], j = ["= -r/2", 0]}
B = {type = "revolute", bodies = ["crank", "rod"], i = ["= r/2", 0], j = ["= -l/2", 0], compliance = {x = {stiffness = "= bush", damping = 60}}}
C = {type = "revolute", bodies = ["rod", "slider"], i = ["= l/2", 0], j = [0, 0]}
D = {type = "translational", bodies = ["ground", "slider"], i = {at = [0, 0], axis = [1, 0]}, j = [0, 0]}
[forces]
spring = {type = "spring", bodies = ["ground", "slider"], i = [-0.5, 0], j = [0, 0], stiffness = "= k", free_length = 0.8}
brake = {type = "moment", body = "crank", moment = "= -0.02*crank.omega^3/100"}
[analysis]
end = 0.2
rtol = 1e-11
hold = ["crank.angle", "crank.omega"]
[output]
step = 0.02
)toml";

const Study& nominal() {
  static const Study study = io::read_study_text(rubber, "rubber.toml");
  return study;
}

/// Made once for all tests.
const Precomputed& tables() {
  static const Precomputed made = [] {
    PrecomputeOptions o;
    o.bound = 1e-5;
    o.degree = 7;
    o.independent = {"A.angle"};
    o.ranges = {{"A.angle", -1, 3}};
    o.design = {"r", "bush"};
    return precompute(nominal(), o);
  }();
  return made;
}

/// A run from the tables with changed parameters, and the same of the full model.
struct Both {
  Results fast, full;
};
Both changed(double r, double bush) {
  RealTimeModel model = io::real_time_from(io::real_time_bytes(tables().model), "x.rt");
  const Study study = io::read_study_text(
      rubber, "rubber.toml", {"parameters.r=" + std::to_string(r), "parameters.bush=" + std::to_string(bush)});
  for (DesignVariable& d : model.design) d.value = study.parameters.at(d.name);
  return {run_real_time(model, study), run(study)};
}

// At given angle and deflection, against closed forms: the crank pin is at r + d.
TEST(compliant_design, derivatives_are_those_of_closed_forms) {
  const Precomputed& made = tables();
  ASSERT_EQ(made.model.stiff.size(), 1u);
  ASSERT_EQ(made.model.design.size(), 2u);
  EXPECT_EQ(made.neglected.size(), 1u);
  EXPECT_EQ(made.sensitivities.size(), 2u * 9u);
  RealTime run(made.model, nominal().mechanism);
  VecX by(9);
  for (int k = 0; k < 5; ++k) {
    RealTime::State s = run.start();
    const double angle = 0.9 * k - 0.7;
    s.theta[0] = angle;
    double before = 0;
    for (const double d : {4e-3, 2e-3}) {
      s.theta[1] = d;
      const double R = 0.1 + d, root = std::sqrt(0.09 - std::pow(R * std::sin(angle), 2));
      run.sensitivity(s, 0, by);
      const double wrong = std::abs(by[6] - (std::cos(angle) - R * std::pow(std::sin(angle), 2) / root));
      EXPECT_LT(wrong, 20 * d * d);  // by terms of second order in d
      if (before > 1e-6) {
        EXPECT_NEAR(before / wrong, 4, 0.3);
      }
      before = wrong;
      run.sensitivity(s, 1, by);
      EXPECT_LT(by.lpNorm<Eigen::Infinity>(), 1e-9);  // the stiffness moves nothing at a given deflection
    }
  }
}

// Runs with changed values against full models: the error falls as the square of the change, down to what the series in
// the deflection leaves out at the nominal values too.
TEST(compliant_design, foresees_small_changes) {
  const Results unchanged = run(nominal());
  const auto error_at = [&](double r) {
    const Both b = changed(r, 4e4);
    EXPECT_TRUE(b.fast.outcome) << b.fast.outcome.why;
    const double error = apart(b.fast, b.full, "slider.x"), change = apart(unchanged, b.full, "slider.x");
    if (r != 0.1) {
      EXPECT_LT(error, 0.1 * change) << r;
    }
    return error;
  };
  const double none = error_at(0.1), large = error_at(0.102), half = error_at(0.101), other = error_at(0.099);
  EXPECT_LT(none, 1e-5);
  EXPECT_NEAR((large - none) / (half - none), 4, 1.2);
  EXPECT_NEAR(other / half, 1, 0.4);
}

// A stiffer bushing is foreseen exactly: the tables do not contain it.
TEST(compliant_design, stiffness_may_change_by_any_amount) {
  const Both b = changed(0.1, 9e4);
  ASSERT_TRUE(b.fast.outcome) << b.fast.outcome.why;
  const double error = apart(b.fast, b.full, "slider.x");
  EXPECT_LT(error, 1e-5);
  EXPECT_GT(apart(run(nominal()), b.full, "slider.x"), 10 * error);
}
}  // namespace
}  // namespace mubody::testing
