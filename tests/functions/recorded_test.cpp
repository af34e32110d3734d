// Functions, laws and formulas that are recorded are the same as with doubles: every kind, with all of its options.
#include <cmath>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "mubody/forces/laws/expression_law.h"
#include "mubody/forces/laws/piecewise_law.h"
#include "mubody/forces/laws/polynomial_law.h"
#include "mubody/forces/laws/registry.h"
#include "mubody/forces/laws/table_law.h"
#include "mubody/functions/cam.h"
#include "mubody/functions/constant.h"
#include "mubody/functions/formula.h"
#include "mubody/functions/harmonic.h"
#include "mubody/functions/polynomial.h"
#include "mubody/functions/registry.h"
#include "mubody/functions/signal.h"
#include "mubody/functions/smooth_step.h"
#include "mubody/functions/spline.h"
#include "mubody/recording/derivative.h"
#include "tests/evaluated.h"
#include "tests/near.h"
#include "tests/random.h"

namespace mubody::testing {
namespace {
constexpr double operations = 10;  // whose round-off two ways of evaluation may differ by

void expect_same(const std::vector<double>& recorded, const Jet& known, const std::string& what) {
  EXPECT_TRUE(same(recorded[0], known.x, operations)) << what;
  EXPECT_TRUE(same(recorded[1], known.v, operations)) << what;
  EXPECT_TRUE(same(recorded[2], known.a, operations)) << what;
}

/// Compares at random arguments, and at some that are given.
template <class F, class G>
void expect_same_function(const F& known, const G& recorded, const std::string& name,
                          const std::vector<double>& places = {}) {
  Computation g;
  const JetOf<Recorded> f = recorded(Recorded::input(g, 0));
  const Recorded wanted[] = {f.x, f.v, f.a};
  std::vector<double> all = places;
  Random random(7);
  for (int k = 0; k < 200; ++k) all.push_back(random(-3, 3));
  for (const double t : all)
    expect_same(evaluated(g, {{t}}, wanted), known(t), name + " at " + std::to_string(t));
}

std::vector<Function> spline_examples() {
  std::vector<Function> all;
  for (int ends = 0; ends < 4; ++ends)
    for (int interpolation = 0; interpolation < 3; ++interpolation) {
      Spline s;
      s.data.columns = {{-1, -0.5, 0.25, 1, 2}, {0, 1, -1, 0.5, 0}};
      s.ends.index = ends, s.interpolation.index = interpolation, s.start_slope = 2, s.end_slope = -1;
      all.emplace_back(s);
    }
  Spline two;
  two.data.columns = {{0, 1}, {2, 3}};
  all.emplace_back(two);
  return all;
}

std::vector<Function> function_examples() {
  std::vector<Function> all = spline_examples();
  all.emplace_back(Constant{3});
  all.emplace_back(Polynomial{{1, -2, 0, 4}, 0.5});
  all.emplace_back(Polynomial{{2}});
  Harmonic sine;
  sine.amplitude = 2, sine.frequency = 0.5, sine.phase = 0.3, sine.offset = 1;
  all.emplace_back(sine);
  for (const int order : {0, 1}) {
    SmoothStep step{-1, 3, -1, 1.5};
    step.order.index = order;
    all.emplace_back(step);
  }
  all.emplace_back(Formula{"a*sin(2*t) + t^2 - if(t < 0.5, exp(-t), step(t, 1, 0, 2, 1))", {{"a", 3}}});
  for (int law = 0; law < int(cam_laws().size()); ++law) {
    Cam cam;
    cam.lift = 0.3, cam.start = 0.2, cam.rise = 0.5, cam.dwell = 0.25, cam.fall = 0.75, cam.period = 2;
    cam.law.index = law;
    all.emplace_back(cam);
  }
  return all;
}

TEST(recorded_functions, are_those_of_doubles) {
  std::set<std::string_view> seen;
  for (const Function& f : function_examples()) {
    const std::string_view name = f.kind().info().name;
    seen.insert(name);
    expect_same_function(f, f, std::string(name), {-1, -0.5, 0.25, 1, 1.5, -7, 8});
  }
  for (const FunctionEntry& entry : function_kinds())
    EXPECT_TRUE(seen.contains(entry.info.name)) << entry.info.name << " has no example";
}

TEST(recorded_functions, laws_of_cams_are_those_of_doubles) {
  for (const CamLawEntry& law : cam_laws())
    expect_same_function(law.at, law.recorded, std::string(law.info.name));
}

// The derivatives that functions state are those of their recordings.
TEST(recorded_functions, rates_are_exact_derivatives) {
  for (const Function& f : function_examples()) {
    Computation g;
    const Recorded t = Recorded::input(g, 0);
    const JetOf<Recorded> jet = f(t);
    const std::vector<int> of{jet.x.node_in(g), jet.v.node_in(g)};
    const std::vector<int> changes = directional(g, of, {{t.node_in(g), g.constant(1)}});
    Random random(7);
    for (int k = 0; k < 200; ++k) {
      const double at[] = {random(-3, 3)};
      const std::vector<double> all = evaluated(g, at);
      const Jet known = f(at[0]);
      const double size = std::max({1.0, std::abs(known.x), std::abs(known.v), std::abs(known.a)});
      EXPECT_NEAR(all[std::size_t(changes[0])], known.v, 1e-12 * size)
          << f.kind().info().name << " at " << at[0];
      EXPECT_NEAR(all[std::size_t(changes[1])], known.a, 1e-12 * size)
          << f.kind().info().name << " at " << at[0];
    }
  }
}

// Where the argument is known nothing is recorded.
TEST(recorded_functions, of_known_arguments_are_known) {
  for (const Function& f : function_examples()) {
    const JetOf<Recorded> at = f(Recorded(0.3));
    ASSERT_TRUE(at.x.is_plain() && at.v.is_plain() && at.a.is_plain());
    expect_same({at.x.value(), at.v.value(), at.a.value()}, f(0.3), std::string(f.kind().info().name));
  }
}

TEST(recorded_functions, inputs_of_the_model_are_supplied) {
  Function f(Polynomial{{1, 2}});
  const auto held = std::make_shared<Held>();
  held->input = 4;
  f.hold(held);
  Computation g;
  const Recorded t = Recorded::input(g, 0);
  const auto at = [&](const JetOf<Recorded>& j) {
    const double inputs[] = {0.5, 6, 7, 8};
    const Recorded wanted[] = {j.x, j.v, j.a};
    return evaluated(g, inputs, wanted);
  };
  EXPECT_EQ(at(f(t)), (std::vector<double>{2, 2, 0}));
  g.supply(4, {g.input(1), g.input(2), g.input(3)});
  EXPECT_EQ(at(f(t)), (std::vector<double>{6, 7, 8}));
  // One that is no input of the model keeps what was set.
  const auto set = std::make_shared<Held>();
  set->set = true, set->at = 0.25, set->value = {1, 2, 4};
  f.hold(set);
  EXPECT_EQ(at(f(t)), (std::vector<double>{1.625, 3, 4}));
}

struct OwnFunction {
  static constexpr Info info{"own", "a function that knows doubles alone"};
  void fields(Fields&) {}
  void check() {}
  Jet operator()(double t) const { return {t, 1, 0}; }
};

TEST(recorded_functions, those_of_doubles_alone_are_refused) {
  Computation g;
  const Function own{OwnFunction()};
  EXPECT_EQ(own(2).x, 2);
  EXPECT_THROW(own(Recorded::input(g, 0)), ModelError);
  const Signal call([](double t, const State&) { return t; });
  const auto nothing = [](const StateVariable&) { return 0; };
  EXPECT_EQ(call(2.0, nothing), 2);
  EXPECT_THROW(call(Recorded::input(g, 0), nothing), ModelError);
}

TableLaw table_law(int interpolation) {
  TableLaw law;
  law.data.columns = {{-1, 0.5, 1, 1.75}, {-10, 1, 2, 30}};
  law.interpolation.index = interpolation;
  return law;
}

std::vector<Law> law_examples() {
  return {Law(PolynomialLaw{{100, 0, 5}}),
          Law(table_law(0)),
          Law(table_law(1)),
          Law(PiecewiseLaw{{-1, 0.5, 2}, {30, 1, 5, 20}}),
          Law(PiecewiseLaw{{0.5}, {30, 1}}),
          Law(ExpressionLaw{"k*deflection + 10*rate + length^2 - max(t, 0)", {{"k", 100}}})};
}

// Exact derivatives against differences, between the corners of a law.
TEST(recorded_laws, have_the_derivatives_of_those_of_doubles) {
  constexpr double h = 1e-6;
  Random random(11);
  for (const Law& law : law_examples()) {
    Computation g;
    const DeflectionOf<Recorded> at{Recorded::input(g, 0), Recorded::input(g, 1), Recorded::input(g, 2),
                                    Recorded::input(g, 3)};
    const std::vector<int> of{law.force(at).node_in(g), law.potential(at.deflection).node_in(g)};
    const int one = g.constant(1);
    const std::vector<int> changes =
        directional(g, of, {{g.input(0), one}, {g.input(1), one}, {g.input(2), one}});
    for (int k = 0; k < 100; ++k) {
      const double d = random(-3, 3), rate = random(-3, 3), length = random(-3, 3), t = random(-3, 3);
      if (std::abs(d - std::round(4 * d) / 4) < 2 * h) continue;
      const double inputs[] = {d, rate, length, t};
      const std::vector<double> all = evaluated(g, inputs);
      const auto force = [&](double e) { return law.force({d + e, rate + e, length + e, t}); };
      const double slope = (force(h) - force(-h)) / (2 * h);
      const double work = (law.potential(d + h) - law.potential(d - h)) / (2 * h);
      const std::string_view name = law.kind().info().name;
      EXPECT_NEAR(all[std::size_t(changes[0])], slope, 1e-6 * (1 + std::abs(slope))) << name << " at " << d;
      EXPECT_NEAR(all[std::size_t(changes[1])], work, 1e-6 * (1 + std::abs(work))) << name << " at " << d;
    }
  }
}

TEST(recorded_laws, are_those_of_doubles) {
  std::set<std::string_view> seen;
  Random random(3);
  for (const Law& law : law_examples()) {
    const std::string_view name = law.kind().info().name;
    seen.insert(name);
    Computation g;
    const DeflectionOf<Recorded> at{Recorded::input(g, 0), Recorded::input(g, 1), Recorded::input(g, 2),
                                    Recorded::input(g, 3)};
    const Recorded wanted[] = {law.force(at), law.potential(at.deflection)};
    std::vector<Deflection> places{{-1}, {0.5}, {0}, {1}, {2}, {9}, {-9}};
    for (int k = 0; k < 200; ++k)
      places.push_back({random(-3, 3), random(-3, 3), random(-3, 3), random(-3, 3)});
    for (const Deflection& d : places) {
      const double inputs[] = {d.deflection, d.rate, d.length, d.t};
      const std::vector<double> found = evaluated(g, inputs, wanted);
      EXPECT_TRUE(same(found[0], law.force(d), operations)) << name << " at " << d.deflection;
      EXPECT_TRUE(same(found[1], law.potential(d.deflection), operations)) << name << " at " << d.deflection;
    }
  }
  for (const LawEntry& entry : law_kinds())
    EXPECT_TRUE(seen.contains(entry.info.name)) << entry.info.name << " has no example";
}

const char* const formulas_of_x_and_y[] = {
    "sin(x) + cos(x)*tan(x/3)",
    "asin(x/4) + acos(x/5) + atan(x)",
    "sinh(x) + cosh(y) - tanh(x*y)",
    "exp(x) + log(x^2 + 1) + log10(2 + x^2)",
    "sqrt(abs(x)) - abs(y)",
    "sign(x)*floor(2*x) + ceil(x + y) + sign(0)",
    "atan2(y, x) + hypot(x, y)",
    "mod(x, y) + mod(x, 2)",
    "x^3 + 2*x^7 + (x^2 + 1)^0.5 + abs(x)^y + pow(2, x) + x^2^2 - x^-3 + x^1",
    "min(x, y, 0.3) + max(x, y) + clamp(x, -1, y)",
    "if(x < y, x^2, y) + if(x >= 0 and not (y < 0 or x == y), 1, 2)",
    "if(x > 0, log(x), sqrt(-x))",
    "step(x, -1, y, 1, 3) + step(x, 1, 0, 1, y)",
    "(x <= y) + 2*(x > y) + 4*(x != y) + (x < 0 or y < 0)",
    "0.5",
    "2*(x - y)/(1 + x^2) - -x",
};

TEST(recorded_formulas, are_those_of_doubles) {
  const std::string names[] = {"x", "y"};
  Random random(5);
  for (const char* text : formulas_of_x_and_y) {
    const Expression e = Expression::parse(text, names);
    Computation g;
    std::vector<Recorded> in;
    for (int k = 0; k < 6; ++k) in.push_back(Recorded::input(g, k));
    const Recorded plain[] = {in[0], in[3]};
    const JetOf<Recorded> jets[] = {{in[0], in[1], in[2]}, {in[3], in[4], in[5]}};
    const Recorded value = e(std::span<const Recorded>(plain));
    const JetOf<Recorded> jet = e(std::span<const JetOf<Recorded>>(jets));
    const Recorded wanted[] = {jet.x, jet.v, jet.a, value};
    for (int k = 0; k < 200; ++k) {
      std::array<double, 6> at;
      for (double& a : at) a = random(-3, 3);
      const double x[] = {at[0], at[3]};
      const Jet j[] = {{at[0], at[1], at[2]}, {at[3], at[4], at[5]}};
      const std::vector<double> found = evaluated(g, at, wanted);
      expect_same(found, e(j), text);
      EXPECT_TRUE(same(found[3], e(x), operations)) << text;
    }
  }
}

TEST(recorded_signals, ask_for_the_state) {
  const std::string names[] = {"t", "a", "b"};
  StateVariable a, b;
  a.quantity = StateVariable::noted, a.number = 0;
  b.quantity = StateVariable::noted, b.number = 1;
  const Signal signal(Expression::parse("t*a - if(b > a, b, 2)", names), {a, b});
  Computation g;
  const Recorded t = Recorded::input(g, 0);
  const Recorded wanted[] = {
      signal(t, [&](const StateVariable& v) { return Recorded::input(g, 1 + v.number); })};
  for (const double more : {-1.0, 1.0}) {
    const double inputs[] = {2, 3, 3 + more};
    const double known = signal(2.0, [&](const StateVariable& v) { return inputs[1 + v.number]; });
    EXPECT_EQ(evaluated(g, inputs, wanted)[0], known);
  }
}
}  // namespace
}  // namespace mubody::testing
