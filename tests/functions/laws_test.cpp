#include <cmath>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "mubody/forces/laws/expression_law.h"
#include "mubody/forces/laws/piecewise_law.h"
#include "mubody/forces/laws/polynomial_law.h"
#include "mubody/forces/laws/registry.h"
#include "mubody/forces/laws/table_law.h"
#include "tests/functions/refusal.h"
#include "tests/near.h"

namespace mubody::testing {
namespace {
// A law that stores energy is the slope of its potential, which is zero without deflection.
void expect_force_from_potential(const Law& law) {
  EXPECT_TRUE(law.stores_energy());
  EXPECT_TRUE(same(law.potential(0), 0, 1));
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-3, 3);
  for (int k = 0; k < 100; ++k) {
    const double d = uniform(random), h = 1e-5;
    const double slope = (law.potential(d + h) - law.potential(d - h)) / (2 * h);
    EXPECT_NEAR(law.force({.deflection = d}), slope, 1e-4) << "d = " << d;
  }
}

TableLaw table(std::vector<double> deflections, std::vector<double> forces, int interpolation = 0) {
  TableLaw law;
  law.data.columns = {std::move(deflections), std::move(forces)};
  law.interpolation.index = interpolation;
  return law;
}

TEST(laws, all_are_registered) {
  std::set<std::string_view> names;
  for (const LawEntry& entry : law_kinds()) names.insert(entry.make()->info().name);
  for (const char* name : {"polynomial", "table", "piecewise", "expression"})
    EXPECT_TRUE(names.contains(name)) << name;
}

TEST(polynomial_law, force_and_potential) {
  const Law law(PolynomialLaw{{100, 0, 5}});
  EXPECT_DOUBLE_EQ(law.force({.deflection = 2}), 240);
  EXPECT_DOUBLE_EQ(law.potential(2), 220);
  EXPECT_EQ(law.force({}), 0);
  expect_force_from_potential(law);
  expect_force_from_potential(Law(PolynomialLaw{{3, -2}}));
  EXPECT_EQ(refusal(PolynomialLaw{}), "coefficients: at least one is needed");
  EXPECT_EQ(refusal(PolynomialLaw{{INFINITY}}), "coefficients: must be finite");
}

TEST(table_law, force_and_potential) {
  const Law lines(table({-1, 1, 2}, {-10, 10, 30}));
  EXPECT_DOUBLE_EQ(lines.force({.deflection = 0.5}), 5);
  EXPECT_DOUBLE_EQ(lines.force({.deflection = 3}), 50);
  EXPECT_DOUBLE_EQ(lines.force({.deflection = -2}), -20);
  EXPECT_DOUBLE_EQ(lines.potential(1), 5);
  EXPECT_DOUBLE_EQ(lines.potential(2), 25);
  EXPECT_DOUBLE_EQ(lines.potential(-1), 5);
  for (const int interpolation : {0, 1}) {
    expect_force_from_potential(Law(table({-1, 0, 0.5, 1}, {-10, 1, 2, 30}, interpolation)));
    expect_force_from_potential(Law(table({1, 2, 2.5}, {1, 2, 8}, interpolation)));  // zero lies outside
  }
  const Law copy = lines;
  EXPECT_DOUBLE_EQ(copy.force({.deflection = 0.5}), 5);
}

TEST(table_law, refuses) {
  EXPECT_EQ(refusal(table({0, 0.2, 0.1}, {0, 1, 2})),
            "data: deflections must increase: row 3 has 0.1 after 0.2");
  EXPECT_EQ(refusal(table({0}, {0})), "data: needs 2 rows or more, has 1");
}

TEST(piecewise_law, force_and_potential) {
  const Law stops(PiecewiseLaw{{-1, 2}, {1000, 10, 500}});
  EXPECT_DOUBLE_EQ(stops.force({.deflection = 1}), 10);
  EXPECT_DOUBLE_EQ(stops.force({.deflection = 3}), 20 + 500);
  EXPECT_DOUBLE_EQ(stops.force({.deflection = -2}), -10 - 1000);
  EXPECT_DOUBLE_EQ(stops.potential(3), 20 + 20 + 250);
  EXPECT_DOUBLE_EQ(stops.potential(-2), 5 + 10 + 500);
  EXPECT_TRUE(std::isnan(stops.force({.deflection = NAN})));
  const Law copy = stops;
  EXPECT_DOUBLE_EQ(copy.force({.deflection = 3}), 520);
}

// Zero deflection between breaks, on one, below all and above all.
TEST(piecewise_law, is_continuous_and_zero_at_zero) {
  for (const std::vector<double>& breaks :
       {std::vector<double>{-1, 0.5, 2}, {-1, 0, 1}, {1, 1.5, 2}, {-2, -1, -0.5}}) {
    const Law law(PiecewiseLaw{breaks, {30, 1, 5, 20}});
    EXPECT_EQ(law.force({}), 0);
    EXPECT_EQ(law.potential(0), 0);
    expect_force_from_potential(law);
    for (const double b : breaks) {
      const double h = 1e-9;
      EXPECT_NEAR(law.force({.deflection = b - h}), law.force({.deflection = b + h}), 1e-6) << "break " << b;
      EXPECT_NEAR(law.potential(b - h), law.potential(b + h), 1e-6) << "break " << b;
    }
  }
}

TEST(piecewise_law, refuses) {
  EXPECT_EQ(refusal(PiecewiseLaw{{}, {1}}), "breaks: at least one is needed");
  EXPECT_EQ(refusal(PiecewiseLaw{{0, NAN}, {1, 1, 1}}), "breaks: must be finite");
  EXPECT_EQ(refusal(PiecewiseLaw{{0, 0}, {1, 1, 1}}), "breaks: must increase");
  EXPECT_EQ(refusal(PiecewiseLaw{{0, 1}, {1, 1}}), "stiffness: needs 3 numbers, one more than breaks, has 2");
  EXPECT_EQ(refusal(PiecewiseLaw{{0}, {1, INFINITY}}), "stiffness: must be finite");
}

TEST(expression_law, force_of_all_its_variables) {
  const Law law(ExpressionLaw{"k*deflection + 10*rate + length^2 - t", {{"k", 100}}});
  EXPECT_DOUBLE_EQ(law.force({.deflection = 2, .rate = 3, .length = 4, .t = 5}), 200 + 30 + 16 - 5);
  EXPECT_FALSE(law.stores_energy());
  EXPECT_EQ(law.potential(1), 0);
  EXPECT_EQ(refusal(ExpressionLaw{"2*lenght"}),
            "text: unknown name 'lenght'; did you mean 'length'? (at character 3)");
}
}  // namespace
}  // namespace mubody::testing
