// Light bodies beside heavy ones, in all coordinates and treatments, against closed equations of motion that are
// integrated in extended precision.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "mubody/analyses/run.h"
#include "mubody/reading/read_model.h"
#include "mubody/treatments/treatment.h"
#include "tests/extrapolation.h"

namespace mubody::testing {
namespace {
// A mechanism, the angles of two of its bodies at the end, and how far they may be off by the tolerance of the run.
struct Answer {
  std::string model;
  double end;
  std::array<std::pair<const char*, double>, 2> angles;
};

// Two rods of 1 m, released at 30 degrees and -20 degrees.
Answer double_pendulum(double upper, double lower) {
  const Real m1 = upper, m2 = lower, k = 1 / 12.L;
  // Angles of the rods and their rates; all terms of the second equation are divided by the mass of the lower rod, and
  // the determinant is written as a sum of positive terms.
  const Equation<4> f = [=](const Vector<4>& x) {
    const Real s = std::sin(x[0] - x[1]), c = std::cos(x[0] - x[1]);
    const Real b1 = -(m2 / 2) * s * x[3] * x[3] - g_real * (m1 / 2 + m2) * std::cos(x[0]);
    const Real b2 = s * x[2] * x[2] / 2 - g_real * std::cos(x[1]) / 2;
    const Real own = m1 * (k + 0.25L), other = k + 0.25L;
    const Real det = own * other + m2 * (k + s * s / 4);
    return Vector<4>{x[2], x[3], (other * b1 - m2 * c / 2 * b2) / det, ((own + m2) * b2 - c / 2 * b1) / det};
  };
  const Real a = pi_real / 6, b = -pi_real / 9, end = 1.2L;
  const Vector<4> x = solve_exactly<4>(f, {a, b, 0, 0}, end, 60);
  return {fmt::format(R"toml(gravity = [0, -9.81]
[parameters]
a = "30 deg"
b = "-20 deg"
[bodies]
upper = {{mass = {0}, inertia = "= {0}/12", position = ["= 0.5*cos(a)", "= 0.5*sin(a)"], angle = "= a"}}
lower = {{mass = {1}, inertia = "= {1}/12", position = ["= cos(a) + 0.5*cos(b)", "= sin(a) + 0.5*sin(b)"], angle = "= b"}}
[joints]
A = {{type = "revolute", bodies = ["ground", "upper"], i = [0, 0], j = [-0.5, 0]}}
B = {{type = "revolute", bodies = ["upper", "lower"], i = [0.5, 0], j = [-0.5, 0]}})toml",
                      upper, lower),
          double(end),
          {{{"upper.angle", double(x[0])}, {"lower.angle", double(x[1])}}}};
}

// A crank of 0.5 m, a rod of 1 m and a slider, started at 60 degrees with 2 rad/s.
Answer slider_crank(double crank, double rod, double slider) {
  const Real m1 = crank, m2 = rod, m3 = slider, l = 0.5L;
  // One freedom, J θ'' + ½ J' θ'² = −V'; every way is differentiated twice by the crank's angle.
  const Equation<2> f = [=](const Vector<2>& x) {
    const Real s = std::sin(x[0]), c = std::cos(x[0]);
    const Real sp = -l * s, cp = std::sqrt(1 - sp * sp);
    const Real p1 = -l * c / cp, p2 = (l * s + p1 * p1 * sp) / cp;  // of the rod's angle
    const Real x1 = -l * s - sp * p1, x2 = -l * c - cp * p1 * p1 - sp * p2;
    const Real rx1 = -l * s - sp * p1 / 2, rx2 = -l * c - (cp * p1 * p1 + sp * p2) / 2;
    const Real ry1 = l * c + cp * p1 / 2, ry2 = -l * s + (cp * p2 - sp * p1 * p1) / 2;
    const Real J = m1 * l * l / 3 + m2 * (rx1 * rx1 + ry1 * ry1 + p1 * p1 / 12) + m3 * x1 * x1;
    const Real bend = m2 * (rx1 * rx2 + ry1 * ry2 + p1 * p2 / 12) + m3 * x1 * x2;
    const Real weight = g_real * (m1 * l * c / 2 + m2 * ry1);
    return Vector<2>{x[1], -(bend * x[1] * x[1] + weight) / J};
  };
  const Real start = pi_real / 3, end = 0.4L;
  const Vector<2> x = solve_exactly<2>(f, {start, 2}, end, 40);
  const Real psi = -std::asin(l * std::sin(x[0]));
  return {fmt::format(R"toml(gravity = [0, -9.81]
[parameters]
a = "60 deg"
b = "= -asin(0.5*sin(a))"
[bodies]
crank = {{mass = {0}, inertia = "= {0}/48", position = ["= 0.25*cos(a)", "= 0.25*sin(a)"], angle = "= a", omega = 2}}
rod = {{mass = {1}, inertia = "= {1}/12", position = ["= 0.5*cos(a) + 0.5*cos(b)", "= 0.25*sin(a)"], angle = "= b"}}
slider = {{mass = {2}, inertia = {2}, position = ["= 0.5*cos(a) + cos(b)", 0]}}
[joints]
A = {{type = "revolute", bodies = ["ground", "crank"], i = [0, 0], j = [-0.25, 0]}}
B = {{type = "revolute", bodies = ["crank", "rod"], i = [0.25, 0], j = [-0.5, 0]}}
C = {{type = "revolute", bodies = ["rod", "slider"], i = [0.5, 0], j = [0, 0]}}
guide = {{type = "translational", bodies = ["ground", "slider"], at = [0, 0], axis = [1, 0]}}
[analysis]
hold = ["crank.angle", "crank.omega"])toml",
                      crank, rod, slider),
          double(end),
          {{{"crank.angle", double(x[0])}, {"rod.angle", double(psi)}}}};
}

Study study_of(const Answer& a, std::vector<std::string> settings) {
  settings.push_back(fmt::format("analysis.end={}", a.end));
  settings.push_back(fmt::format("output.step={}", a.end));
  return io::read_study_text(a.model, "test.toml", settings);
}

double error_of(const Answer& a, const Results& r) {
  double worst = 0;
  for (const auto& [channel, truth] : a.angles)
    worst = std::max(worst, std::abs(r.column(channel).back() - truth));
  return worst;
}

std::vector<std::pair<std::string, Answer>> answers(double ratio) {
  const std::string r = fmt::format(" with {:.0e}", ratio);
  return {{"lower rod" + r, double_pendulum(1, ratio)},
          {"upper rod" + r, double_pendulum(ratio, 1)},
          {"crank" + r, slider_crank(ratio, 1, 1)},
          {"rod" + r, slider_crank(1, ratio, 1)},
          {"slider" + r, slider_crank(1, 1, ratio)}};
}
}  // namespace

TEST(mass_ratio, the_independent_solution_is_exact) {
  // A simple pendulum whose energy is known, and the same motion in steps of half the size.
  const Equation<2> f = [](const Vector<2>& x) { return Vector<2>{x[1], -g_real * std::cos(x[0])}; };
  const Vector<2> coarse = solve_exactly<2>(f, {0, 0}, 2, 50), fine = solve_exactly<2>(f, {0, 0}, 2, 100);
  EXPECT_LT(std::abs(coarse[0] - fine[0]), 1e-15L);
  EXPECT_LT(std::abs(fine[1] * fine[1] / 2 + g_real * std::sin(fine[0])), 1e-15L);
}

TEST(mass_ratio, is_no_matter_for_any_coordinates) {
  for (const double ratio : {1e-18, 1e-14, 1e-13, 1e-12, 1e-9, 1e9, 1e12, 1e13, 1e14, 1e18})
    for (const auto& [name, answer] : answers(ratio))
      for (const char* formulation : {"body", "cartesian", "joint"}) {
        const bool beyond = ratio < 1e-12 || ratio > 1e12;
        if (beyond && std::string(formulation) == "joint")
          continue;  // a light rod takes a step for all round-off
        const Results r = run(study_of(answer, {fmt::format("analysis.formulation='{}'", formulation)}));
        const std::string what = fmt::format("{} in {} coordinates: {}", name, formulation, r.verdict);
        ASSERT_TRUE(r.outcome) << what;
        EXPECT_TRUE(r.trusted) << what;
        EXPECT_LT(error_of(answer, r), 1e-7) << what;
      }
}

// A light mass between heavy ones swings a hundred thousand times a second: the run says so after some of the steps that it
// may take, and does not take them all.
TEST(mass_ratio, a_motion_that_needs_too_many_steps_is_stopped_early) {
  const Results r = run(io::read_study_text(R"toml(gravity = [0, -9.81]
[bodies]
a = {mass = 1, position = [1, 0]}
b = {mass = 1e9, position = [3, 0]}
[joints]
A = {type = "revolute", bodies = ["ground", "a"], i = [0, 0], j = [-1, 0]}
B = {type = "revolute", bodies = ["a", "b"], i = [1, 0], j = [-1, 0]}
[analysis]
end = 2
max_steps = 20000
[output]
step = 1)toml",
                                            "test.toml", {}));
  EXPECT_EQ(r.outcome.kind, Outcome::too_many_steps) << r.verdict;
  EXPECT_FALSE(r.trusted);
  EXPECT_LT(r.statistics.steps, 10000);
  EXPECT_NE(r.outcome.why.find("at this pace"), std::string::npos) << r.outcome.why;
}

// A penalty factor that hides a mass is refused; a violation that it does not hold is no good verdict.
TEST(mass_ratio, is_no_matter_for_any_treatment_or_is_reported) {
  for (const double ratio : {1e-9, 1e9})
    for (const auto& [name, answer] : answers(ratio))
      for (const TreatmentEntry& t : treatment_kinds()) {
        std::vector<std::string> settings{fmt::format("analysis.treatment='{}'", t.info.name)};
        if (t.steps) settings.push_back("analysis.step=5e-4");
        const Study study = study_of(answer, settings);
        try {
          const Results r = run(study);
          if (!r.trusted) continue;
          EXPECT_LT(error_of(answer, r), t.steps ? 1e-4 : 1e-6)
              << name << " by " << t.info.name << ": " << r.verdict;
        } catch (const ModelError& e) {
          EXPECT_NE(std::string(e.what()).find("alpha"), std::string::npos) << name << " by " << t.info.name;
        }
      }
}
}  // namespace mubody::testing
