// Parts of formulas that depend on one variable alone, and where they may change within a short span.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "mubody/math/expression.h"

namespace mubody::testing {
namespace {
const std::string t_and_x[] = {"t", "x"};

double at(const Expression& e, double t) { return e(std::span(&t, 1)); }
}  // namespace

TEST(parts, are_as_large_as_can_be) {
  const Expression e = Expression::parse("x*exp(-((t-50)/0.002)^2) + floor(100*t)*sin(x) - 3*x", t_and_x);
  const std::vector<Expression> parts = e.parts_of(0);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_NEAR(at(parts[0], 50.002), std::exp(-1), 1e-10);
  EXPECT_DOUBLE_EQ(at(parts[1], 0.128), 12);
  const std::vector<Expression> of_state = e.parts_of(1);
  ASSERT_EQ(of_state.size(), 2u);
  EXPECT_DOUBLE_EQ(at(of_state[0], 0.5), std::sin(0.5));
  EXPECT_DOUBLE_EQ(at(of_state[1], 0.5), 1.5);
}

TEST(parts, of_one_variable_are_the_whole_formula) {
  const std::vector<Expression> parts = Expression::parse("2*t + if(t < 1, t, 5)", t_and_x).parts_of(0);
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_DOUBLE_EQ(at(parts[0], 3), 11);
  EXPECT_TRUE(Expression::parse("2*x", t_and_x).parts_of(0).empty());
  EXPECT_TRUE(Expression::parse("x*t", t_and_x).parts_of(0).empty());  // t itself is smooth
}

TEST(parts, that_may_be_sharp_say_where) {
  struct Case {
    const char* formula;
    double place;
  };
  for (const auto& [formula, place] :
       {Case{"7*exp(-((t - 50.1234)/1e-9)^2)", 50.1234}, Case{"tanh((t - 3.21)/1e-7) + t", 3.21},
        Case{"1/(1 + ((t - 77.7)/1e-8)^2)", 77.7}, Case{"sin(pi*t/100)^1e12", 50}}) {
    const std::vector<Expression> sharp = Expression::parse(formula, t_and_x).parts_of(0)[0].sharp_parts();
    ASSERT_EQ(sharp.size(), 1u) << formula;
    const std::vector<double> places = sharp[0].sharp_places(0, 100);
    EXPECT_TRUE(std::ranges::any_of(places, [&](double t) { return std::abs(t - place) < 1e-10; })) << formula;
  }
  EXPECT_TRUE(Expression::parse("sin(1000*t)*t^3/7", t_and_x).sharp_parts().empty());
}

// (t − 50)² is computed with an error of about 1e-12: where it passes 1e-8 is known to some 1e-9 only.
TEST(breakpoints_of_formulas, say_how_far_round_off_decides) {
  const Expression blurred = Expression::parse("if(t*t - 100*t + 2500 < 1e-8, 1, 0)", t_and_x);
  const std::vector<SignChange> changes = blurred.breakpoints(0, 100);
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_NEAR(changes[0].at, 50 - 1e-4, 1e-8);
  EXPECT_NEAR(changes[1].at, 50 + 1e-4, 1e-8);
  for (const SignChange& c : changes) {
    EXPECT_GT(c.unsure, 1e-10);
    EXPECT_LT(c.unsure, 1e-6);
    for (int k = 0; k < 1000; ++k)
      EXPECT_NE(at(blurred, c.at - c.unsure * (1 + 1e-3 * k)), at(blurred, c.at + c.unsure * (1 + 1e-3 * k)));
  }
  const std::vector<SignChange> sharp = Expression::parse("if(t < 1/3, 1, 0)", t_and_x).breakpoints(0, 100);
  ASSERT_EQ(sharp.size(), 1u);
  EXPECT_EQ(sharp[0].unsure, 0);
}

// Held to one whole number, floor is off its side wherever another one is right, also after an even number of them.
TEST(switches_of_formulas, of_floor_see_any_other_whole_number) {
  const Expression e = Expression::parse("floor(t)", t_and_x);
  Switches s = e.switches();
  const auto crossed = [&](double t) {
    e(std::span(&t, 1), s);
    return Switches::sign_of(s.value[0]) != s.side[0];
  };
  for (const double from : {2.0, 2.5}) {
    s.held = false;
    crossed(from);
    s.hold();
    for (const double t : {2.25, 2.75}) EXPECT_FALSE(crossed(t)) << from << " " << t;
    for (const double t : {0.5, 1.5, 3.5, 4.5, 5.5}) EXPECT_TRUE(crossed(t)) << from << " " << t;
  }
}
}  // namespace mubody::testing
