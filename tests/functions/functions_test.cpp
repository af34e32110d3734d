#include <cmath>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "mubody/functions/formula.h"
#include "mubody/functions/harmonic.h"
#include "mubody/functions/polynomial.h"
#include "mubody/functions/registry.h"
#include "mubody/functions/smooth_step.h"
#include "mubody/functions/spline.h"
#include "tests/functions/refusal.h"
#include "tests/reference.h"

namespace mubody::testing {
namespace {

// Compares derivatives with differences over a range.
void expect_exact_derivatives(const Function& f, double from, double to) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> uniform(from, to);
  for (int k = 0; k < 100; ++k) {
    const double t = uniform(random), h = 1e-5;
    const Jet at = f(t), before = f(t - h), after = f(t + h);
    const double size = 1 + std::abs(at.x) + std::abs(at.v) + std::abs(at.a);
    EXPECT_NEAR(at.v, (after.x - before.x) / (2 * h), 1e-7 * size) << "t = " << t;
    EXPECT_NEAR(at.a, (after.v - before.v) / (2 * h), 1e-3 * size) << "t = " << t;
  }
}

TEST(functions, all_are_registered) {
  std::set<std::string_view> names;
  for (const FunctionEntry& entry : function_kinds()) {
    EXPECT_EQ(entry.make()->info().name, entry.info.name);
    EXPECT_FALSE(entry.info.summary.empty());
    names.insert(entry.info.name);
  }
  for (const char* name : {"constant", "polynomial", "harmonic", "step", "expression", "spline"})
    EXPECT_TRUE(names.contains(name)) << name;
}

TEST(polynomial, values_and_derivatives) {
  const Polynomial f{{1, -2, 0, 4}, 0.5};
  const Jet j = f(1.5);
  EXPECT_DOUBLE_EQ(j.x, 3);
  EXPECT_DOUBLE_EQ(j.v, 10);
  EXPECT_DOUBLE_EQ(j.a, 24);
  expect_exact_derivatives(Function(f), -2, 2);
  expect_exact_derivatives(Function(Polynomial{{3}}), -2, 2);
}

TEST(polynomial, refuses) {
  EXPECT_EQ(refusal(Polynomial{}), "coefficients: at least one is needed");
  EXPECT_EQ(refusal(Polynomial{{1, NAN}}), "coefficients: must be finite");
  EXPECT_EQ(refusal(Polynomial{{1}, INFINITY}), "start: must be finite");
}

TEST(harmonic, values_and_derivatives) {
  Harmonic f;
  f.amplitude = 2, f.frequency = 0.5, f.phase = pi / 2, f.offset = 1;
  EXPECT_DOUBLE_EQ(Function(f)(0).x, 3);
  EXPECT_DOUBLE_EQ(Function(f)(1).x, -1);
  expect_exact_derivatives(Function(f), -3, 3);
  Harmonic g = f;
  g.frequency.reset(), g.omega = pi;
  EXPECT_DOUBLE_EQ(Function(g)(0.3).v, Function(f)(0.3).v);
}

TEST(harmonic, needs_one_rate) {
  Harmonic f;
  EXPECT_EQ(refusal(f), "frequency: either frequency or omega is needed");
  f.omega = 1, f.frequency = 1;
  EXPECT_EQ(refusal(f), "omega: give frequency or omega, not both");
  f.frequency.reset(), f.omega = NAN;
  EXPECT_EQ(refusal(f), "omega: must be finite");
}

TEST(smooth_step, goes_from_one_value_to_the_other) {
  for (const int order : {0, 1}) {
    SmoothStep f;
    f.from = -1, f.to = 3, f.start = 1, f.end = 5, f.order.index = order;
    EXPECT_EQ(f(0.0).x, -1);
    EXPECT_DOUBLE_EQ(f(3.0).x, 1);
    EXPECT_EQ(f(7.0).x, 3);
    EXPECT_EQ(f(7.0).v, 0);
    expect_exact_derivatives(Function(f), 1.001, 4.999);
    for (const double end : {1.0, 5.0}) {
      EXPECT_NEAR(f(end - 1e-9).x, f(end + 1e-9).x, 1e-12);
      EXPECT_NEAR(f(end - 1e-9).v, f(end + 1e-9).v, 1e-8);
      EXPECT_EQ(std::abs(f(end - 1e-9).a - f(end + 1e-9).a) < 1e-7, order == 1);
    }
  }
  EXPECT_EQ(SmoothStep{}.order.word(), "quintic");
  EXPECT_DOUBLE_EQ((SmoothStep{0, 1, 0, 1, {{"cubic", "quintic"}, 0}}(0.25).x), 0.15625);
  EXPECT_DOUBLE_EQ((SmoothStep{0, 1, 0, 1}(0.25).x), 0.103515625);
}

TEST(smooth_step, refuses) {
  EXPECT_EQ(refusal(SmoothStep{0, 1, 2, 2}), "end: must be later than start");
  EXPECT_EQ(refusal(SmoothStep{0, NAN, 0, 2}), "to: must be finite");
}

TEST(formula, values_and_derivatives) {
  const Function f(Formula{"a*sin(2*pi*t) + t^2", {{"a", 3}}});
  EXPECT_NEAR(f(0.25).x, 3.0625, 1e-14);
  EXPECT_NEAR(f(0).v, 6 * pi, 1e-13);
  EXPECT_NEAR(f(0).a, 2, 1e-13);
  expect_exact_derivatives(f, -1, 1);
  expect_exact_derivatives(Function(Formula{"step(t, 0, 1, 1, 5)*exp(-t)"}), 0.01, 0.99);
}

TEST(formula, refuses) {
  EXPECT_EQ(refusal(Formula{"2*omgea", {{"omega", 1}}}),
            "text: unknown name 'omgea'; did you mean 'omega'? (at character 3)");
  EXPECT_EQ(refusal(Formula{}), "text: unexpected end of the expression (at character 1)");
}

Spline spline(std::vector<double> times, std::vector<double> values, int ends = 0) {
  Spline s;
  s.data.columns = {std::move(times), std::move(values)};
  s.ends.index = ends;
  return s;
}

TEST(spline, values_and_derivatives) {
  for (int ends = 0; ends < 4; ++ends)
    expect_exact_derivatives(Function(spline({0, 0.5, 1, 2}, {0, 1, -1, 0}, ends)), -0.4, 2.4);
  const Function natural(spline({0, 1, 2}, {0, 1, 0}));
  EXPECT_DOUBLE_EQ(natural(0).v, 1.5);
  Spline clamped = spline({0, 1, 2}, {0, 1, 0}, 1);
  clamped.start_slope = 4, clamped.end_slope = -1;
  EXPECT_DOUBLE_EQ(Function(clamped)(0).v, 4);
  EXPECT_DOUBLE_EQ(Function(clamped)(2).v, -1);
  const Function cubic(spline({0, 1, 2, 3}, {0, 1, 8, 27}, 2));
  EXPECT_NEAR(cubic(2.5).x, 15.625, 1e-13);
  const Function periodic(spline({0, 1, 2, 3}, {0, 1, -1, 0}, 3));
  EXPECT_NEAR(periodic(0.7).x, periodic(-5.3).x, 1e-13);
}

TEST(spline, uses_the_given_column) {
  Spline s = spline({0, 1}, {0, 1});
  s.data.columns.push_back({5, 7});
  s.column = 2;
  EXPECT_DOUBLE_EQ(Function(s)(0.5).x, 6);
  s.column = 3;
  EXPECT_EQ(refusal(s), "column: must lie between 1 and 2, not 3");
  s.column = 0;
  EXPECT_EQ(refusal(s), "column: must lie between 1 and 2, not 0");
}

TEST(spline, that_swings_far_out_is_remarked) {
  const std::vector<double> t{0, 49.99, 50, 50.01, 50.02, 50.03, 100}, f{0, 0, 0, 100, 0, 0, 0};
  for (const int interpolation : {0, 1, 2}) {
    Spline s;
    s.data.columns = {t, f};
    s.interpolation.index = interpolation;
    const std::string remark = Function(s).kind().remark();
    EXPECT_EQ(remark.empty(), interpolation != 0) << remark;
    if (interpolation == 0) EXPECT_NE(remark.find("the data from 0 to 100"), std::string::npos) << remark;
  }
  Spline tame;
  tame.data.columns = {{0, 1, 2, 3, 4}, {0, 1, 0, -1, 0}};
  EXPECT_EQ(Function(tame).kind().remark(), "");
}

TEST(spline, refuses) {
  EXPECT_EQ(refusal(spline({0, 0.1, 0.3, 0.2}, {0, 0, 0, 0})),
            "data: times must increase: row 4 has 0.2 after 0.3");
  EXPECT_EQ(refusal(spline({0, 0}, {0, 0})), "data: times must increase: row 2 has 0 after 0");
  EXPECT_EQ(refusal(spline({0}, {0})), "data: needs 2 rows or more, has 1");
  EXPECT_EQ(refusal(Spline{}), "data: needs 2 columns or more, has 0");
  EXPECT_EQ(refusal(spline({0, 1}, {0, 1, 2})), "data: columns must be equally long");
  EXPECT_EQ(refusal(spline({0, 1, 2}, {0, NAN, 1})), "data: values must be finite: row 2 has nan");
  EXPECT_EQ(refusal(spline({0, 1, INFINITY}, {0, 1, 1})), "data: values must be finite: row 3 has inf");
  EXPECT_EQ(refusal(spline({0, 1, 2}, {0, 1, 0.5}, 3)),
            "data: the last value of a periodic curve must be the first one");
  EXPECT_EQ(refusal(spline({0, pi, 2 * pi}, {0, 1, std::sin(2 * pi)}, 3)), "accepted");
}
}  // namespace
}  // namespace mubody::testing
