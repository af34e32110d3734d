// Roads: heights and slopes, and wheels on them.
#include "mubody/functions/formula.h"
#include "mubody/functions/harmonic.h"
#include "mubody/joints/planar.h"
#include "tests/forces/wheel.h"

namespace mubody::testing {
namespace {
Road by_formula(const char* text) {
  Road road;
  road.formula = text;
  road.check(), road.prepare();
  return road;
}
// z = 1 + 2x − y + 0.3 x y over a grid that is not regular.
Road by_grid() {
  Road road;
  road.grid.columns.resize(3);
  for (const double x : {0.0, 0.5, 2.0, 3.0})
    for (const double y : {1.0, -1.0, 0.0}) {
      road.grid.columns[0].push_back(x), road.grid.columns[1].push_back(y);
      road.grid.columns[2].push_back(1 + 2 * x - y + 0.3 * x * y);
    }
  road.check(), road.prepare();
  return road;
}

TEST(road, plane_unless_more_is_given) {
  Road road;
  road.prepare();
  EXPECT_TRUE(road.is_plane());
  EXPECT_EQ(road.at(3.0, 4.0).z, 0);
}

TEST(road, formula_with_its_slopes) {
  const HeightAt<double> s = by_formula("0.1*sin(x)*y^2").at(0.3, 2.0);
  EXPECT_TRUE(same(s.z, 0.4 * std::sin(0.3)));
  EXPECT_TRUE(same(s.dx, 0.4 * std::cos(0.3)));
  EXPECT_TRUE(same(s.dy, 0.4 * std::sin(0.3)));
}

TEST(road, grid_is_exact_for_surfaces_that_it_can_be_exact_for) {
  const Road road = by_grid();
  for (const double x : {0.0, 0.2, 0.5, 1.9, 3.0})
    for (const double y : {-1.0, -0.3, 0.0, 0.8}) {
      const HeightAt<double> s = road.at(x, y);
      EXPECT_NEAR(s.z, 1 + 2 * x - y + 0.3 * x * y, 1e-14);
      EXPECT_NEAR(s.dx, 2 + 0.3 * y, 1e-14);
      EXPECT_NEAR(s.dy, -1 + 0.3 * x, 1e-14);
    }
  const HeightAt<double> beyond = road.at(9.0, 0.5);  // as at the edge
  EXPECT_NEAR(beyond.z, road.at(3.0, 0.5).z, 1e-14);
  EXPECT_EQ(beyond.dx, 0);
}

// A crest of the radius 0.5 is followed by a wheel of 0.4 and not by one of 0.6; the edges of a bump by none, those of a hollow by
// all.
TEST(road, tells_edges_that_a_wheel_cannot_follow) {
  Road crest, bump, hollow;
  Formula f;
  f.variable = "x", f.text = "0.1*cos(x*sqrt(20))";  // z'' = -2 at the top
  crest.profile = Function(f);
  EXPECT_FALSE(crest.edge(0.4));
  EXPECT_TRUE(crest.edge(0.6));
  f.text = "max(0, 0.02 - 0.4*abs(x - 15))";
  bump.profile = Function(f);
  ASSERT_TRUE(bump.edge(0.3));
  EXPECT_NEAR(*bump.edge(0.3), 15, 0.1);
  f.text = "0.1*abs(x)";
  hollow.profile = Function(f);
  EXPECT_FALSE(hollow.edge(0.3));
  EXPECT_FALSE(Road().edge(0.3));
}

// Height and slopes do not jump from cell to cell, and the slopes are those of the height.
TEST(road, grid_is_smooth) {
  Road road;
  road.grid.columns.resize(3);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 5; ++j) {
      road.grid.columns[0].push_back(i), road.grid.columns[1].push_back(0.5 * j);
      road.grid.columns[2].push_back(std::sin(i * 1.3) * std::cos(j * 0.9) + 0.1 * i * j);
    }
  road.prepare();
  for (int i = 1; i < 5; ++i)
    for (const double y : {0.2, 0.5, 1.3}) {
      const double e = 1e-9;
      const auto before = road.at(i - e, y), after = road.at(i + e, y);
      EXPECT_NEAR(before.z, after.z, 1e-8);
      EXPECT_NEAR(before.dx, after.dx, 1e-7);
      EXPECT_NEAR(before.dy, after.dy, 1e-7);
    }
  const double h = 1e-5;
  for (const double x : {0.3, 1.7, 4.4})
    for (const double y : {0.1, 0.9, 1.6}) {
      EXPECT_NEAR(road.at(x, y).dx, (road.at(x + h, y).z - road.at(x - h, y).z) / (2 * h), 1e-8);
      EXPECT_NEAR(road.at(x, y).dy, (road.at(x, y + h).z - road.at(x, y - h).z) / (2 * h), 1e-8);
    }
}

TEST(road, grid_that_is_none_is_refused) {
  Road road;
  road.grid.columns = {{0, 0, 1}, {0, 1, 0}, {0, 0, 0}};
  EXPECT_THROW(road.check(), FieldError);
}

// The mean square of the slope along x is the integral of (2 π n)² G(n) = (2 π n0)² G(n0) over the band.
TEST(road, roughness_has_the_power_of_its_class) {
  for (const int seed : {1, 2, 3}) {
    Road road;
    road.roughness.index = 3, road.seed = seed;  // C
    road.prepare();
    double sum = 0;
    constexpr int count = 200'000;
    for (int k = 0; k < count; ++k) sum += std::pow(road.at(0.05 * k, 0.7).dx, 2);
    const double expected = std::pow(2 * EIGEN_PI * 0.1, 2) * 256e-6 * (2.83 - 0.011);
    EXPECT_NEAR(sum / count, expected, 0.02 * expected);
  }
  Road one, other;
  one.roughness.index = other.roughness.index = 1, other.seed = 2;
  one.prepare(), other.prepare();
  EXPECT_NE(one.at(1.0, 0.0).z, other.at(1.0, 0.0).z);
  EXPECT_NE(one.at(1.0, 0.0).z, one.at(1.0, 1.0).z);
}

// A wheel at rest on an inclined plane that a formula gives stands as on a plane that is inclined.
TEST(road, wheel_on_a_slope) {
  TyreFiala tyre = fiala();
  tyre.road.formula = "0.1*x + 0.05*y";
  Motion motion(wheel_on_road(tyre, {.height = 0.3}));
  const Vec<3> n = Vec<3>(-0.1, -0.05, 1).normalized();
  const double sine = n.y(), cosine = std::sqrt(1 - sine * sine), radius = 0.3 * n.z() / cosine;
  EXPECT_TRUE(same(motion("tyre.compression"), 0.31 - radius, 100));
  const double load = 2e5 * (0.31 - radius) / cosine;
  EXPECT_TRUE(same(motion("tyre.force"), load, 1000));
  EXPECT_NEAR(motion("tyre.fx"), load * n.x(), 1e-9);
  EXPECT_NEAR(motion("tyre.fz"), load * n.z(), 1e-9);
  EXPECT_NEAR(motion("tyre.z"), 0.1 * motion("tyre.x") + 0.05 * motion("tyre.y"), 1e-12);
}

// Over waves a wheel that rolls without losses keeps its energy: what acts is the slope of what the tyre stores.
TEST(road, wheel_over_waves_closes_the_energy_balance) {
  TyreBrush tyre = brush();
  tyre.shape.damping = 0;
  Harmonic wave;
  wave.amplitude = 0.03, wave.omega = 2;
  tyre.road.profile = Function(wave);
  tyre.road.formula = "0.01*sin(3*x + y)";
  Model model = wheel_on_road(tyre, {.height = 0.35, .vx = 6, .spin = 20, .mass = 30}, {0, 0, -g});
  const Quaternion across = turn_between(Vec<3>::UnitZ(), Vec<3>::UnitY());
  model.joint("upright", Planar{}, model.ground().at(Vec<3>::Zero(), across),
              BodyRef(1).at(Vec<3>::Zero(), across));
  Simulation s(model, {.rtol = 1e-10, .atol = 1e-12});
  ASSERT_TRUE(s.advance_to(2));
  const Results r = s.finish();
  EXPECT_LT(r.statistics.energy_residual, 1e-5 * r.statistics.energy_scale);
}
}  // namespace
}  // namespace mubody::testing
