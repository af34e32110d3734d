// The two mechanisms of Roupa, Gonçalves and Silva (2018) in fully Cartesian coordinates: a pendulum and a slider-crank
// with equal rods, which goes through eleven singular positions.
#include <array>
#include <functional>

#include <fmt/format.h>

#include "mubody/results/agreement.h"
#include "tests/examples/example.h"

namespace mubody::testing {
namespace {
Results in_cartesian(const std::string& example, std::vector<std::string> settings = {}) {
  settings.insert(settings.begin(),
                  {"analysis.formulation='cartesian'", "analysis.rtol=1e-11", "output.step=0.01"});
  return run_example(example, settings);
}

struct Row {
  double t, x, y;
};

// Bob of the pendulum: Jacobi's elliptic functions, and the equation of motion of the angle at 30 digits.
constexpr std::array bob{
    Row{0.5, -0.3910487915505464, -0.9203699487851922}, Row{1, 0.9862917511318753, -0.16501085312554117},
    Row{2, -0.7935661953433217, -0.6084839304437916},   Row{3, 0.1766517899228382, -0.9842734097378926},
    Row{4, 0.5775636282486314, -0.8163456714678389},    Row{5, -0.9423054350437573, -0.3347543384140006},
    Row{6, 0.9994975399393528, -0.03169649278992706},   Row{7, -0.9986187791754798, -0.052540782998298716},
    Row{8, 0.9198579831077385, -0.39225156585151255},   Row{9, -0.49837370905755896, -0.8669623095153627},
    Row{10, -0.2750874625761169, -0.961419205099125}};

// Knee P2 of the slider-crank whose rods are prisms: the equation of motion of the crank's angle, by two integrators.
constexpr std::array knee{
    Row{0.5, -0.1840304686969024, 0.9829205393068142}, Row{1, -0.9753897152004773, -0.22048787604113673},
    Row{2, 0.2774126025499021, 0.9607508771510386},    Row{3, -0.1989087297541914, -0.9800180188280081},
    Row{4, -0.1133804091884291, 0.9935516508024453},   Row{5, 0.7219576059537016, -0.6919372913823909},
    Row{6, -0.5212333242358654, 0.853414214614468},    Row{7, 0.8718362260904832, 0.4897975039506672},
    Row{8, -0.960580449717902, 0.2780021575811116},    Row{9, 0.4256294091890929, 0.9048975665970949},
    Row{10, -0.5328713043368651, -0.8461962969750743}};
constexpr double crank_at_the_end = 35.56632537254203, slider_at_the_end = -1.0657426086737303;

template <class Rows> void expect_rows(const Results& r, const std::string& point, const Rows& rows) {
  for (const Row& row : rows) {
    EXPECT_NEAR(value_at(r, point + ".x", row.t), row.x, 1e-8) << row.t << " s";
    EXPECT_NEAR(value_at(r, point + ".y", row.t), row.y, 1e-8) << row.t << " s";
  }
}

/// The angle of a mechanism with one freedom every 0.01 s for 10 s, by Runge's rule with 100 steps in between.
std::vector<double> angles(double angle, double rate,
                           const std::function<double(double, double)>& acceleration) {
  constexpr double step = 1e-4;
  std::vector<double> all{angle};
  for (int k = 1; k <= 100000; ++k) {
    const double a1 = acceleration(angle, rate), v2 = rate + step / 2 * a1;
    const double a2 = acceleration(angle + step / 2 * rate, v2), v3 = rate + step / 2 * a2;
    const double a3 = acceleration(angle + step / 2 * v2, v3), v4 = rate + step * a3;
    const double a4 = acceleration(angle + step * v3, v4);
    angle += step / 6 * (rate + 2 * v2 + 2 * v3 + v4);
    rate += step / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    if (k % 100 == 0) all.push_back(angle);
  }
  return all;
}

// The document reports intraclass correlations of 1.000 (pendulum) and 0.998 (slider-crank).
void expect_agreement(const Results& r, const std::string& channel, const std::vector<double>& reference) {
  const Agreement a = agreement(r.times(), r.column(channel), reference);
  ASSERT_TRUE(a.consistency && a.absolute);
  EXPECT_NEAR(*a.consistency, 1, 1e-12) << channel;
  EXPECT_NEAR(*a.absolute, 1, 1e-12) << channel;
  EXPECT_LT(a.max, 1e-7) << channel;
}

TEST(cartesian_pendulum, reference_values) {
  const Results r = in_cartesian("pendulum");
  EXPECT_TRUE(r.trusted) << r.verdict;
  expect_rows(r, "bob", bob);
}

TEST(cartesian_pendulum, agrees_in_both_coordinates) {
  const Results r = in_cartesian("pendulum");
  const std::vector<double> theta =
      angles(-EIGEN_PI / 2, 0, [](double angle, double) { return -g * std::sin(angle); });
  std::vector<double> x, y;
  for (const double angle : theta) x.push_back(std::sin(angle)), y.push_back(-std::cos(angle));
  EXPECT_NEAR(x.back(), bob.back().x, 1e-9);  // the closed form meets the reference
  expect_agreement(r, "bob.x", x);
  expect_agreement(r, "bob.y", y);
}

// The document: violations up to 4e-6, energy varies in the order of 1e-6 J.
TEST(cartesian_pendulum, violation_and_energy_a_hundred_times_smaller) {
  const Results r = in_cartesian("pendulum");
  EXPECT_LT(r.statistics.largest_violation, 4e-8);
  EXPECT_LT(r.statistics.energy_residual, 1e-8);
}

// The rows of the pin to the ground are constant, that of the unit vector's length is not.
TEST(cartesian_pendulum, rows_are_counted) {
  const Formulation f = in_cartesian("pendulum").formulation;
  EXPECT_EQ(f.word, "cartesian");
  EXPECT_EQ(f.coordinates, 4);
  EXPECT_EQ(f.equations, 3);
  EXPECT_EQ(f.constant, 2);
  EXPECT_EQ(f.linear, 1);
  EXPECT_EQ(f.other, 0);
}

TEST(cartesian_slider_crank, reference_values) {
  const Results r = in_cartesian("slider_crank_singular");
  EXPECT_TRUE(r.trusted) << r.verdict;
  expect_rows(r, "knee", knee);
  EXPECT_NEAR(value_at(r, "crank.angle", 10), crank_at_the_end, 1e-8);  // over five turns
  EXPECT_NEAR(value_at(r, "slider.x", 10), slider_at_the_end, 1e-8);
}

// T = ½ J(θ) θ̇² with J = 2 I + m L²/4 + m L² (9 s² + c²)/4, V = m g L s.
TEST(cartesian_slider_crank, agrees_in_both_coordinates) {
  const Results r = in_cartesian("slider_crank_singular");
  const double I = (1 + 0.01) / 12;
  const std::vector<double> theta = angles(EIGEN_PI / 4, 2 * std::sqrt(2.0), [&](double angle, double rate) {
    const double c = std::cos(angle), s = std::sin(angle);
    return (-2 * s * c * rate * rate - g * c) / (2 * I + 0.25 + (9 * s * s + c * c) / 4);
  });
  EXPECT_NEAR(theta.back(), crank_at_the_end, 1e-8);
  std::vector<double> x, y;
  for (const double angle : theta) x.push_back(std::cos(angle)), y.push_back(std::sin(angle));
  expect_agreement(r, "knee.x", x);
  expect_agreement(r, "knee.y", y);
}

// The document: violations up to 5e-8 (of the order of 1e-8), energy varies by 6e-3 J (of the order of 1e-3 J).
TEST(cartesian_slider_crank, violation_and_energy_a_hundred_times_smaller) {
  const Results r = in_cartesian("slider_crank_singular");
  EXPECT_LT(r.statistics.largest_violation, 1e-10);
  EXPECT_LT(r.statistics.energy_residual, 1e-5);
}

// Two pins and a slot on the ground give five constant rows, and each rod has a unit vector.
TEST(cartesian_slider_crank, rows_are_counted) {
  const Formulation f = in_cartesian("slider_crank_singular").formulation;
  EXPECT_EQ(f.coordinates, 8);
  EXPECT_EQ(f.equations, 7);
  EXPECT_EQ(f.constant, 5);
  EXPECT_EQ(f.linear, 2);
  EXPECT_EQ(f.other, 0);
}

// The document passes the singular positions with Baumgarte's gains from 50 on only; projection needs no gain, and
// every treatment that holds the constraints closely passes.
TEST(cartesian_slider_crank, passes_singular_positions_at_any_step) {
  for (int k = 0; k < 10; ++k) {
    const double step = 0.83e-3 + k * (1.41e-3 - 0.83e-3) / 9;
    const Results r =
        run_example("slider_crank_singular", {"analysis.formulation='cartesian'", "analysis.integrator='rk4'",
                                              fmt::format("analysis.step={}", step)});
    EXPECT_TRUE(r.trusted) << step << " s: " << r.verdict;
    EXPECT_NEAR(value_at(r, "crank.angle", 10), crank_at_the_end, 1e-6) << step << " s";
  }
}

// All treatments handle the bodies' own constraints like any other.
TEST(cartesian_four_bar, every_treatment) {
  const double reference =
      -1.485158890344739;  // the crank's angle after 2 s, from the equation of its one freedom
  const std::pair<const char*, double> treatments[] = {
      {"'standard'", 1e-6}, {"'baumgarte'", 1e-6},        {"'projection'", 1e-8}, {"'partitioning'", 1e-7},
      {"'direct'", 1e-7},   {"'augmented'", 1e-5},        {"'index1'", 1e-6},     {"'null-space'", 1e-6},
      {"'penalty'", 1e-2},  {"'generalized-alpha'", 1e-3}};
  for (const auto& [treatment, close] : treatments) {
    const Results r = run_example("four_bar", {"analysis.formulation='cartesian'", "analysis.end=2",
                                               std::string("analysis.treatment=") + treatment});
    EXPECT_TRUE(bool(r.outcome)) << treatment << r.outcome.why;
    EXPECT_NEAR(value_at(r, "crank.angle", 2), reference, close) << treatment;
  }
}
}  // namespace
}  // namespace mubody::testing
