// Design variables: derivatives in tables against closed forms, against the analysis of sensitivity, and changed models.
#include <cmath>

#include "mubody/reading/real_time_file.h"
#include "tests/precompute/models.h"

namespace mubody::testing {
namespace {
// The slider-crank of examples/slider_crank_driven without its motor.
constexpr const char* slider_crank = R"(
gravity = [0, -9.81]
[parameters]
r = 0.1
l = 0.3
m = 2
k = 300
[bodies]
crank  = {mass = 1, inertia = 0.02, position = ["= r/2", 0], omega = 10}
rod    = {mass = "= m", inertia = "= m*l*l/12", position = ["= r + l/2", 0]}
slider = {mass = 1, inertia = 0.01, position = ["= r + l", 0]}
[joints]
A = {type = "revolute", bodies = ["ground", "crank"], i = [0, 0], j = ["= -r/2", 0]}
B = {type = "revolute", bodies = ["crank", "rod"], i = ["= r/2", 0], j = ["= -l/2", 0]}
C = {type = "revolute", bodies = ["rod", "slider"], i = ["= l/2", 0], j = [0, 0]}
D = {type = "translational", bodies = ["ground", "slider"], i = {at = [0, 0], axis = [1, 0]}, j = [0, 0]}
[forces]
spring = {type = "spring", bodies = ["ground", "slider"], i = [-0.5, 0], j = [0, 0], stiffness = "= k", free_length = 0.8}
brake = {type = "moment", body = "crank", moment = "= -0.02*crank.omega^3/100"}
[analysis]
end = 1
rtol = 1e-11
hold = ["crank.angle", "crank.omega"]
[output]
step = 0.05
)";

PrecomputeOptions design_options() {
  PrecomputeOptions o;
  o.bound = 1e-9;
  o.independent = {"A.angle"};
  o.design = {"r", "l", "m", "k"};
  return o;
}

TEST(design, derivatives_are_those_of_closed_forms) {
  const Study study = io::read_study_text(slider_crank, "slider_crank.toml");
  const Precomputed made = precompute(study, design_options());
  RealTime run(made.model, study.mechanism);
  const auto x = [](double angle, double r, double l) {
    return r * std::cos(angle) + std::sqrt(l * l - std::pow(r * std::sin(angle), 2));
  };
  VecX by(9);
  for (int k = 0; k < 24; ++k) {
    RealTime::State s = run.start();
    s.theta[0] = 0.27 * k;
    const double angle = s.theta[0], root = x(angle, 0.1, 0.3) - 0.1 * std::cos(angle);
    run.sensitivity(s, 0, by);
    EXPECT_NEAR(by[6], std::cos(angle) - 0.1 * std::pow(std::sin(angle), 2) / root, 1e-8);
    EXPECT_NEAR(by[5], -std::sin(angle) / root, 1e-7);  // derivative of the rod's angle, asin(-r sin / l)
    run.sensitivity(s, 1, by);
    EXPECT_NEAR(by[6], 0.3 / root, 1e-8);
    for (const int other : {2, 3}) {
      run.sensitivity(s, other, by);
      EXPECT_LT(by.lpNorm<Eigen::Infinity>(), 1e-9);  // mass and stiffness move nothing
    }
  }
  EXPECT_EQ(made.sensitivities.size(), 4u * 9u);
}

// Driven at 10 rad/s the analysis of sensitivity finds the same derivatives.
TEST(design, derivatives_are_those_of_the_analysis_of_sensitivity) {
  const Study study = io::read_study_text(slider_crank, "slider_crank.toml");
  PrecomputeOptions o = design_options();
  o.design = {"l", "r"};
  const Precomputed made = precompute(study, o);
  RealTime tables(made.model, study.mechanism);
  const Results r = run(io::read_study_text(
      std::string(slider_crank) + "[drivers]\nmotor = {type = \"angle\", joint = \"A\", value = \"= 10*t\"}\n",
      "driven.toml",
      {"analysis.type=sensitivity", "analysis.hold=[]",
       "output.channels=[\"slider.x\", \"rod.y\", \"rod.angle\"]"}));
  ASSERT_TRUE(r.trusted) << r.verdict;
  const Table& table = *r.find("sensitivity");
  const auto t = table.column("time");
  VecX by(9);
  for (std::size_t row = 0; row < t.size(); ++row) {
    RealTime::State s = tables.start();
    s.theta[0] = 10 * t[row];
    for (const int k : {0, 1}) {
      const std::string name = k == 0 ? "l" : "r";
      tables.sensitivity(s, k, by);
      EXPECT_NEAR(by[6], table.column("slider.x/" + name)[row], 1e-7);
      EXPECT_NEAR(by[4], table.column("rod.y/" + name)[row], 1e-7);
      EXPECT_NEAR(by[5], table.column("rod.angle/" + name)[row], 1e-7);
    }
  }
}

// A changed model runs from the tables of the nominal one, with an error that falls as the square of the change.
TEST(design, foresees_small_changes) {
  const Study study = io::read_study_text(slider_crank, "slider_crank.toml");
  const Precomputed made = precompute(study, design_options());
  double before = 0;
  for (const double share : {0.02, 0.01, 0.005}) {
    RealTimeModel tables = io::real_time_from(io::real_time_bytes(made.model), "x.rt");
    std::vector<std::string> settings;
    for (const DesignVariable& d : tables.design)
      settings.push_back("parameters." + d.name + "=" + std::to_string(d.nominal * (1 + share)));
    const Study changed = io::read_study_text(slider_crank, "slider_crank.toml", settings);
    for (DesignVariable& d : tables.design) d.value = changed.parameters.at(d.name);
    const Results fast = run_real_time(tables, changed), full = run(changed), nominal = run(study);
    ASSERT_TRUE(fast.outcome) << fast.outcome.why;
    const double error = apart(fast, full, "slider.x"), change = apart(nominal, full, "slider.x");
    EXPECT_LT(error, 0.1 * change) << share;
    if (before > 0) {
      EXPECT_NEAR(before / error, 4, 0.6);
    }
    before = error;
  }
}

TEST(design, wants_parameters_that_are_there) {
  const Study study = io::read_study_text(slider_crank, "slider_crank.toml");
  PrecomputeOptions o = design_options();
  o.design = {"length"};
  EXPECT_THROW(precompute(study, o), ModelError);
}
}  // namespace
}  // namespace mubody::testing
