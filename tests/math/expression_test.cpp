#include "mubody/math/expression.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "tests/reference.h"

namespace mubody::testing {
namespace {
const std::vector<std::string> xy{"x", "y"};

double value(std::string_view text, double x = 0, double y = 0,
             const std::map<std::string, double>& constants = {}) {
  return Expression::parse(text, xy, constants)(std::vector{x, y});
}

struct Mistake {
  std::size_t position;
  std::string message;
  bool operator==(const Mistake&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Mistake& m) { return out << m.position << ": " << m.message; }

Mistake mistake(std::string_view text) {
  const std::vector<std::string> variables{"t", "crank.omega", "omega"};
  try {
    Expression::parse(text, variables);
  } catch (const ExpressionError& e) {
    return {e.position, e.what()};
  }
  return {0, "no mistake"};
}

TEST(expression, numbers) {
  EXPECT_DOUBLE_EQ(value("1"), 1);
  EXPECT_DOUBLE_EQ(value(".5"), 0.5);
  EXPECT_DOUBLE_EQ(value("2."), 2);
  EXPECT_DOUBLE_EQ(value("1e-3"), 1e-3);
  EXPECT_DOUBLE_EQ(value("1.5E+2"), 150);
}

TEST(expression, precedence) {
  EXPECT_DOUBLE_EQ(value("-2^2"), -4);
  EXPECT_DOUBLE_EQ(value("2^3^2"), 512);
  EXPECT_DOUBLE_EQ(value("2^-1"), 0.5);
  EXPECT_DOUBLE_EQ(value("(-2)^2"), 4);
  EXPECT_DOUBLE_EQ(value("-x^2", 3), -9);
  EXPECT_DOUBLE_EQ(value("7 - 2 - 1"), 4);
  EXPECT_DOUBLE_EQ(value("8/4/2"), 1);
  EXPECT_DOUBLE_EQ(value("1 + 2*3 - -4"), 11);
  EXPECT_DOUBLE_EQ(value("2*-x", 3), -6);
  EXPECT_DOUBLE_EQ(value("--x + +y", 3, 1), 4);
  EXPECT_DOUBLE_EQ(value("1 + 1 < 3 and not 2 > 3"), 1);
  EXPECT_DOUBLE_EQ(value("1 or 0 and 0"), 1);
  EXPECT_DOUBLE_EQ(value("not not 7"), 1);
}

TEST(expression, functions) {
  EXPECT_DOUBLE_EQ(value("atan2(1, -1)"), 3 * pi / 4);
  EXPECT_DOUBLE_EQ(value("log(e^2)"), 2);
  EXPECT_DOUBLE_EQ(value("log10(1000)"), 3);
  EXPECT_DOUBLE_EQ(value("hypot(3, 4)"), 5);
  EXPECT_DOUBLE_EQ(value("pow(2, 10)"), 1024);
  EXPECT_DOUBLE_EQ(value("min(3, x, 2)", 1), 1);
  EXPECT_DOUBLE_EQ(value("max(3, x, 2)", 7), 7);
  EXPECT_DOUBLE_EQ(value("mod(-1, 3)"), 2);
  EXPECT_DOUBLE_EQ(value("mod(7, -3)"), -2);
  EXPECT_DOUBLE_EQ(value("mod(6, 3)"), 0);
  EXPECT_DOUBLE_EQ(value("clamp(x, -1, 2)", 5), 2);
  EXPECT_DOUBLE_EQ(value("clamp(x, -1, 2)", -5), -1);
  EXPECT_DOUBLE_EQ(value("sign(x)", -3), -1);
  EXPECT_DOUBLE_EQ(value("sign(x)", 0), 0);
  EXPECT_DOUBLE_EQ(value("floor(-1.5) + ceil(1.2)"), 0);
  EXPECT_DOUBLE_EQ(value("if(x >= 0, sqrt(x), 5)", -1), 5);
  for (const auto& [x, expected] : {std::pair{0.0, 10.0}, {1.0, 10.0}, {2.0, 15.0}, {3.0, 20.0}, {9.0, 20.0}})
    EXPECT_DOUBLE_EQ(value("step(x, 1, 10, 3, 20)", x), expected);
  EXPECT_DOUBLE_EQ(value("step(x, 1, 0, 3, 1)", 1.5), 3 * 0.0625 - 2 * 0.015625);
}

TEST(expression, names_mean_variables_then_constants_then_pi) {
  EXPECT_DOUBLE_EQ(value("2*pi"), 2 * pi);
  EXPECT_DOUBLE_EQ(value("pi + e", 0, 0, {{"pi", 1}, {"e", 2}}), 3);
  EXPECT_DOUBLE_EQ(value("x + gear.ratio", 1, 0, {{"x", 100}, {"gear.ratio", 2}}), 3);
  const std::vector<std::string> dotted{"crank.omega", "P1.x", "part.2"};
  EXPECT_DOUBLE_EQ(Expression::parse("crank.omega - P1.x*part.2", dotted)(std::vector{5.0, 2.0, 3.0}), -1);
}

TEST(expression, is_a_value) {
  Expression e;
  EXPECT_EQ(e(std::vector<double>{}), 0);
  e = Expression::parse("x*y", xy);
  const Expression copy = e;
  const Expression moved = std::move(e);
  EXPECT_EQ(copy(std::vector{2.0, 3.0}), 6);
  EXPECT_EQ(moved(std::vector{2.0, 3.0}), 6);
  EXPECT_EQ(copy.text(), "x*y");
}

TEST(expression, lists_names) {
  const auto names = Expression::names("2*pi*t + crank.omega*sin(t) - if(a and not b, e, foo(c)) $ 1e3");
  EXPECT_EQ(names, (std::vector<std::string>{"t", "crank.omega", "a", "b", "c"}));
}

TEST(expression, told_mistakes) {
  EXPECT_EQ(mistake("2*omgea"), (Mistake{2, "unknown name 'omgea'; did you mean 'omega'?"}));
  EXPECT_EQ(mistake("zzz"), (Mistake{0, "unknown name 'zzz'"}));
  EXPECT_EQ(mistake("crank.omga"), (Mistake{0, "unknown name 'crank.omga'; did you mean 'crank.omega'?"}));
  EXPECT_EQ(mistake("1 + sqt(t)"), (Mistake{4, "unknown function 'sqt'; did you mean 'sqrt'?"}));
  EXPECT_EQ(mistake("(1 + t"), (Mistake{6, "expected ')'"}));
  EXPECT_EQ(mistake("sin(t"), (Mistake{5, "expected ')'"}));
  EXPECT_EQ(mistake("sin(t, 2)"), (Mistake{0, "sin takes 1 argument, 2 given"}));
  EXPECT_EQ(mistake("3*atan2()"), (Mistake{2, "atan2 takes 2 arguments, 0 given"}));
  EXPECT_EQ(mistake("min(t)"), (Mistake{0, "min takes at least 2 arguments, 1 given"}));
  EXPECT_EQ(mistake("2 +"), (Mistake{3, "unexpected end of the expression"}));
  EXPECT_EQ(mistake(""), (Mistake{0, "unexpected end of the expression"}));
  EXPECT_EQ(mistake("2 + $x"), (Mistake{4, "unexpected character '$'"}));
  EXPECT_EQ(mistake("2µ"), (Mistake{1, "unexpected character 'µ'"}));
  EXPECT_EQ(mistake("t = 2"), (Mistake{2, "unexpected character '='; write '==' to compare"}));
  EXPECT_EQ(mistake("2 t"), (Mistake{2, "expected an operator before 't'"}));
  EXPECT_EQ(mistake("2*(t))"), (Mistake{5, "unexpected ')'"}));
  EXPECT_EQ(mistake("t**2"), (Mistake{2, "unexpected '*'; powers are written with '^'"}));
  EXPECT_EQ(mistake("sin + 1"), (Mistake{4, "expected '(' after 'sin'"}));
  EXPECT_EQ(mistake("0 < t < 1"), (Mistake{6, "comparisons do not chain; write 'a < b and b < c'"}));
  EXPECT_EQ(mistake("1e999"), (Mistake{0, "'1e999' is beyond the range of numbers"}));
  EXPECT_EQ(mistake("t/(2 - 2)/(1/0)"), (Mistake{12, "division by zero"}));
  EXPECT_EQ(mistake("sqrt(-1)"), (Mistake{0, "sqrt has no finite value here"}));
  EXPECT_EQ(ExpressionError(4, "expected ')'").located(), "expected ')' (at character 5)");
}

// A sum of many terms lies as deep as it is long, if it is taken as a tree.
TEST(expression, length_is_limited) {
  const auto joined = [](int n, const std::string& term, const std::string& sign) {
    std::string s = term;
    for (int k = 1; k < n; ++k) s += sign + term;
    return s;
  };
  const std::string why =
      "the expression has more than 10000 numbers, names and operations; write it as a table, or as several "
      "signals";
  for (const char* sign : {"+", "-", "*", " and ", " or "})
    for (const char* term : {"t", "2*t", "sin(t)", "t^2", "not t"}) {
      if (std::string(term) == "not t" && std::string(sign).front() != ' ') continue;
      const Mistake m = mistake(joined(100'000, term, sign));
      EXPECT_EQ(m.message, why) << term << sign;
      EXPECT_GT(m.position, 2'000u) << term << sign;
      EXPECT_LT(m.position, 60'000u) << term << sign;
    }
  EXPECT_EQ(mistake(joined(100'000, "2", "+")).message, "no mistake");  // it is one number
  std::string negated;
  for (int k = 0; k < 100'000; ++k) negated += "not ";
  EXPECT_EQ(mistake(negated + "t").message, why);
  // What may be written can be used as well.
  const std::string names[] = {"t", "x"};
  const Expression sum = Expression::parse(joined(1'400, "2*sin(t)*x", "+"), names);
  const double values[] = {0.3, 2};
  EXPECT_NEAR(sum(values), 1'400 * 4 * std::sin(0.3), 1e-8);
  EXPECT_EQ(sum.parts_of(0).size(), 1'400u);
}

TEST(expression, depth_is_limited) {
  const auto nested = [](int n, const std::string& open, const std::string& close) {
    std::string s;
    for (int k = 0; k < n; ++k) s += open;
    s += "t";
    for (int k = 0; k < n; ++k) s += close;
    return s;
  };
  EXPECT_EQ(mistake(nested(63, "(t+", ")")).message, "no mistake");
  EXPECT_EQ(mistake(nested(64, "(t+", ")")).message, "the expression is nested too deeply");
  EXPECT_EQ(mistake(nested(90, "(", ")")).message, "no mistake");
  EXPECT_EQ(mistake(nested(100000, "(", ")")).message, "the expression is nested too deeply");
  EXPECT_EQ(mistake(nested(100000, "-", "")).message, "the expression is nested too deeply");
  EXPECT_EQ(mistake(nested(100000, "t^", "")).message, "the expression is nested too deeply");
  EXPECT_EQ(mistake(nested(100000, "sin(", ")")).message, "the expression is nested too deeply");
  EXPECT_EQ(mistake(nested(1000, "t+", "")).message, "no mistake");  // from the left, two places suffice
}

// x(s) and y(s) wander smoothly; every formula of them is differentiated by s, exactly and by differences.
class Derivative : public ::testing::TestWithParam<const char*> {};
TEST_P(Derivative, agrees_with_differences) {
  const Expression f = Expression::parse(GetParam(), xy);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(0.15, 0.85), rate(-1, 1);
  for (int sample = 0; sample < 40; ++sample) {
    const Jet x{uniform(random), rate(random), rate(random)}, y{uniform(random), rate(random), rate(random)};
    const auto at = [&](double s) {
      return f(std::vector{x.x + s * (x.v + s * x.a / 2), y.x + s * (y.v + s * y.a / 2)});
    };
    const Jet exact = f(std::vector{x, y});
    const double h = 1e-3;  // five-point differences: errors of h⁴ and of rounding / h²
    const double v = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
    const double a = (16 * (at(h) + at(-h)) - (at(2 * h) + at(-2 * h)) - 30 * at(0)) / (12 * h * h);
    const double size = 1 + std::abs(exact.x) + std::abs(exact.v) + std::abs(exact.a);
    EXPECT_DOUBLE_EQ(exact.x, at(0));
    EXPECT_NEAR(exact.v, v, 1e-7 * size);
    EXPECT_NEAR(exact.a, a, 1e-6 * size);
  }
}
INSTANTIATE_TEST_SUITE_P(all, Derivative,
                         ::testing::Values("x + y*3", "x - y", "-x", "x*y", "x/y", "x^3", "x^2.5", "(x-2)^3",
                                           "(x-2)^-2", "2^x", "x^y", "pow(x, 2*y)", "x^1", "x^0", "sin(x*y)",
                                           "cos(2*x)", "tan(x)", "asin(x)", "acos(x)", "atan(x/y)",
                                           "atan2(y, x)", "atan2(y-2, x-3)", "sinh(x)", "cosh(x)", "tanh(2*x)",
                                           "exp(x*y)", "log(x)", "log10(x)", "sqrt(x)", "abs(x-2)", "abs(x+y)",
                                           "sign(x)*x", "floor(x+2)*y", "ceil(x)*y", "min(x, y+1)",
                                           "max(x, y+1)", "mod(x+5, 1)", "mod(x+7, 2+y/10)", "hypot(x, y)",
                                           "if(x < 2, x^2, y)", "if(x > 2, x^2, y^2)", "(x < 2)*x",
                                           "step(x, 0, 0, 1, 1)", "step(x, -1-y, y, 2+y, y^2)",
                                           "step(x, 2, y, 3, 9)", "step(x, -2, 9, -1, y)", "clamp(x, 0, 1)*y",
                                           "clamp(x, 2, y+3)", "3 - x*2 + 4", "x - 3 - y*(2 - x)", "x^7*y^12",
                                           "if(x < y, if(y < 0.5, x^2, y^3), if(x < 0.5, 1 - x, 2*y)) + x",
                                           "x and y", "not x", "x or y", "x*sin(3*y)^2/sqrt(1 + x^2)"));

TEST(expression, works_out_only_what_holds) {
  const char* const nested = "1 + if(x < 0, -1, if(x < 1, if(y > 0, x + y, x - y), if(y > 0, x*y, 7))) * 2";
  for (const double x : {-0.5, 0.5, 2.0})
    for (const double y : {-3.0, 3.0}) {
      const double inner = x < 0 ? -1 : x < 1 ? (y > 0 ? x + y : x - y) : (y > 0 ? x * y : 7);
      EXPECT_DOUBLE_EQ(value(nested, x, y), 1 + inner * 2);
    }
  for (int n = 0; n <= 20; ++n)  // small exponents become products
    EXPECT_NEAR(value("x^" + std::to_string(n), -1.1) / std::pow(-1.1, n), 1, 1e-14) << n;
  EXPECT_DOUBLE_EQ(value("2^x^2", 3), 512);
  EXPECT_DOUBLE_EQ(value("(x + 1)^2^2", 1), 16);
  // Formulas that need the whole stack, and few places of it.
  std::string sum = "x", high = "x";
  for (int k = 0; k < 25; ++k) sum = "y*(x + " + sum + ")*x";
  EXPECT_DOUBLE_EQ(value(sum, 1, 1), 26);
  for (int k = 0; k < 25; ++k) high = "x + (y*y + " + high + ")";
  EXPECT_EQ(mistake("t + (t*t + " + std::string(200, '-') + "t)").message,
            "the expression is nested too deeply");
  EXPECT_DOUBLE_EQ(value(high, 1, 2), 26 + 25 * 4);
}

TEST(expression_jet, delicate_places) {
  const auto jet = [](std::string_view text, const Jet& x) {
    return Expression::parse(text, xy)(std::vector{x, Jet{}});
  };
  const auto same = [](const Jet& a, const Jet& b) { return a.x == b.x && a.v == b.v && a.a == b.a; };
  EXPECT_TRUE(same(jet("x^2", {0, 1, 0}), {0, 0, 2}));
  EXPECT_TRUE(same(jet("x^3", {0, 1, 5}), {0, 0, 0}));
  EXPECT_TRUE(same(jet("x^1", {0, 2, 3}), {0, 2, 3}));
  EXPECT_TRUE(same(jet("x^0", {0, 2, 3}), {1, 0, 0}));
  EXPECT_TRUE(same(jet("x^3", {-2, 1, 0}), {-8, 12, -12}));
  EXPECT_TRUE(same(jet("x^x", {0, 0, 0}), {1, 0, 0}));
  EXPECT_TRUE(same(jet("0^x", {2, 1, 1}), {0, 0, 0}));
  EXPECT_TRUE(same(jet("sqrt(x)", {0, 0, 0}), {0, 0, 0}));
  EXPECT_TRUE(same(jet("abs(x)", {0, 1, 0}), {0, 1, 0}));
  EXPECT_TRUE(same(jet("if(x > 0, sqrt(x), 7)", {-1, 1, 0}), {7, 0, 0}));
  EXPECT_TRUE(std::isinf(jet("sqrt(x)", {0, 1, 0}).v));
}
}  // namespace
}  // namespace mubody::testing
