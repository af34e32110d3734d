// Steps end where functions of time change their formula, and where formulas of the state do.
#include "mubody/mechanism/breakpoints.h"

#include <cmath>

#include <gtest/gtest.h>

#include "mubody/analyses/run.h"
#include "mubody/reading/read_model.h"
#include "mubody/simulation/simulation.h"

namespace mubody::testing {
namespace {
// A mass of 1 kg that is pushed for 10 ms in 100 s.
Study pushed(const std::string& force, const std::string& integrator) {
  Study s = io::read_study_text(R"toml(gravity = [0, 0]
[bodies]
p = {mass = 1, position = [0, 0]}
[forces]
f = )toml" + force + R"toml(
[analysis]
end = 100
step = 0.5
integrator = ")toml" + integrator + R"toml("
[output]
step = 1)toml",
                                "test.toml");
  if (s.analysis.method()->adaptive) s.analysis.control.step.reset();
  return s;
}

constexpr const char* integrators[] = {
    "euler",           "heun",  "rk4", "abm4", "gear4", "trapezoidal", "merson", "dormand-prince", "verner",
    "shampine-gordon", "adams", "bdf", "radau"};
}  // namespace

TEST(breakpoints, no_integrator_steps_over_a_short_pulse) {
  for (const char* integrator : integrators) {
    const Results by_if = run(pushed(
        R"toml({type = "force", body = "p", force = ["= if(t > 50.003 and t < 50.013, 100, 0)", 0]})toml",
        integrator));
    ASSERT_TRUE(by_if.outcome) << integrator << ": " << by_if.outcome.why;
    EXPECT_NEAR(by_if.column("p.vx").back(), 1, 1e-6) << integrator;
    const Results by_step = run(pushed(
        R"toml({type = "force", body = "p", force = ["= step(t, 50.003, 0, 50.008, 100) - step(t, 50.008, 0, 50.013, 100)", 0]})toml",
        integrator));
    EXPECT_NEAR(by_step.column("p.vx").back(), 0.5, 0.3) << integrator;  // Euler's rule is that coarse
    const Results by_data = run(pushed(
        R"toml({type = "time_series", body = "p", data = [[0, 0, 0], [49, 0, 0], [50, 0, 0], [50.005, 100, 0], [50.01, 0, 0], [51, 0, 0], [100, 0, 0]]})toml",
        integrator));
    EXPECT_NE(by_data.column("p.vx").back(), 0) << integrator;
  }
}

// Nor does the last one of a motion that ends there, and a motion that is stepped goes on from there.
TEST(breakpoints, a_jump_at_the_end_of_a_motion_is_not_seen) {
  for (const char* integrator : integrators) {
    Study s = pushed(R"toml({type = "force", body = "p", force = ["= if(t < 100, 0, 1)", 0]})toml", integrator);
    const Results r = run(s);
    ASSERT_TRUE(r.outcome) << integrator;
    EXPECT_NEAR(r.column("p.vx").back(), 0, 1e-9) << integrator;
    Simulation sim(s);
    for (int n = 1; n <= 240; ++n) ASSERT_TRUE(sim.advance(0.5)) << integrator;
    EXPECT_NEAR(sim.value(sim.output("p.vx")), 20, 1e-6) << integrator;
  }
}

// Where steps of one size end exactly at a jump, none sees the other side of it.
TEST(breakpoints, a_jump_at_the_end_of_a_step_belongs_to_the_next) {
  for (const char* integrator : integrators) {
    const Results r =
        run(pushed(R"toml({type = "force", body = "p", force = ["= if(t < 50, 0, 1)", 0]})toml", integrator));
    EXPECT_NEAR(r.column("p.vx").back(), 50, 1e-6) << integrator;
  }
}

// A triangle of 20 ms and 100 N in data, straight or without overshoot: 1 N s, as a series and as a function of time.
TEST(breakpoints, no_integrator_steps_over_a_pulse_in_data) {
  for (const char* integrator : integrators)
    for (const char* by : {"linear", "monotone"}) {
      const std::string rows =
          "[[0, 0, 0], [49.99, 0, 0], [50, 0, 0], [50.01, 100, 0], [50.02, 0, 0], [50.03, 0, 0], [100, 0, 0]]";
      const Results series = run(pushed(R"toml({type = "time_series", body = "p", data = )toml" + rows +
                                            R"toml(, interpolation = ")toml" + by + "\"}",
                                        integrator));
      ASSERT_TRUE(series.outcome) << integrator << ": " << series.outcome.why;
      EXPECT_NEAR(series.column("p.vx").back(), 1, 1e-6) << integrator << " " << by;
      const Results function =
          run(pushed(R"toml({type = "force", body = "p", force = [{type = "spline", data = )toml" + rows +
                         R"toml(, interpolation = ")toml" + by + "\"}, 0]}",
                     integrator));
      EXPECT_EQ(function.column("p.vx").back(), series.column("p.vx").back()) << integrator << " " << by;
    }
}

// A cart is moved by 0.1 m within 10 ms, and drags a mass of 1 kg along by a damper of 0.1 N s/m:
// x = 0.1 (1 − exp(−0.1 (t − 50.008))) but for what passes in these 10 ms.
TEST(breakpoints, no_integrator_steps_over_a_short_move_of_a_driver) {
  for (const char* integrator : integrators) {
    Study s = io::read_study_text(R"toml(gravity = [0, 0]
[bodies]
cart = {mass = 1, inertia = 1, position = [0, 0]}
mass = {mass = 1, inertia = 1, position = [5, 0]}
[joints]
rail = {type = "translational", bodies = ["ground", "cart"], at = [0, 0], axis = [1, 0]}
other = {type = "translational", bodies = ["ground", "mass"], at = [5, 0], axis = [1, 0]}
[drivers]
d = {type = "slide", joint = "rail", value = "= if(t < 50.003, 0, if(t < 50.008, 2000*(t - 50.003)^2, if(t < 50.013, 0.1 - 2000*(50.013 - t)^2, 0.1)))"}
[forces]
damper = {type = "spring", bodies = ["cart", "mass"], i = [0, 0], j = [0, 0], stiffness = 0, damping = 0.1, free_length = 5}
[analysis]
end = 100
step = 0.5
[output]
step = 1)toml",
                                  "test.toml");
    s.analysis.integrator = integrator;
    if (s.analysis.method()->adaptive) s.analysis.control.step.reset();
    const Results r = run(s);
    ASSERT_TRUE(r.outcome) << integrator << ": " << r.outcome.why;
    const double expected = 5 + 0.1 * (1 - std::exp(-0.1 * (100 - 50.008)));
    EXPECT_NEAR(r.column("mass.x").back(), expected, 5e-4) << integrator;
  }
}

// 20 001 rows, of which three make a pulse: steps end where the data bend, and not at every row.
TEST(breakpoints, a_pulse_in_dense_data_is_found) {
  std::string rows = "[";
  for (int k = 0; k <= 20000; ++k)
    rows += "[" + std::to_string(k * 0.005) + ", " + (k == 10001 ? "200" : "0") + ", 0],";
  for (const char* integrator : {"rk4", "dormand-prince", "adams"}) {
    const Results r = run(
        pushed(R"toml({type = "time_series", body = "p", interpolation = "linear", data = )toml" + rows + "]}",
               integrator));
    EXPECT_NEAR(r.column("p.vx").back(), 1, 1e-6) << integrator;
    EXPECT_LT(r.statistics.steps, 2000) << integrator;
  }
}

TEST(breakpoints, a_pulse_is_integrated_exactly_by_methods_of_order_four) {
  for (const char* integrator : {"rk4", "merson", "dormand-prince", "verner"}) {
    const Results r = run(pushed(
        R"toml({type = "force", body = "p", force = ["= step(t, 50.003, 0, 50.008, 100) - step(t, 50.008, 0, 50.013, 100)", 0]})toml",
        integrator));
    EXPECT_NEAR(r.column("p.vx").back(), 0.5, 1e-9) << integrator;
  }
}

TEST(breakpoints, are_found_in_formulas) {
  const Study s = io::read_study_text(R"toml(gravity = [0, 0]
[bodies]
p = {mass = 1, position = [0, 0]}
[forces]
f = {type = "force", body = "p", force = ["= if(sin(t) > 0.99999, 1, 0) + max(0, t - 3.5)", "= if(mod(t, 2) < 1, 1, 0)"]})toml",
                                      "test.toml");
  const std::vector<Breakpoint> all = breakpoints_of(s.mechanism, 0, 4.5, {0.1});
  const double half_width = std::acos(0.99999), top = std::acos(-1) / 2;
  std::vector<double> expected{0, 1, top - half_width, top + half_width, 2, 3, 3.5, 4};
  for (const double t : expected)
    EXPECT_TRUE(std::ranges::any_of(all, [&](const Breakpoint& b) { return std::abs(b.t - t) < 1e-12; })) << t;
  EXPECT_EQ(all.size(), expected.size());
}

TEST(breakpoints, formulas_of_the_state_are_followed_to_the_instant) {
  // A mass that slides into a one-sided spring: max(0, x) switches at x = 0, and half a period later again.
  for (const char* integrator : {"rk4", "dormand-prince", "adams"}) {
    Study s = io::read_study_text(R"toml(gravity = [0, 0]
[bodies]
p = {mass = 1, position = [-1.2345, 0], velocity = [1, 0]}
[forces]
f = {type = "force", body = "p", force = ["= -100*max(0, p.x) + if(p.x > 0, -5, 0)", 0]}
[analysis]
end = 4
step = 0.001
rtol = 1e-10)toml",
                                  "test.toml");
    s.analysis.integrator = integrator;
    if (s.analysis.method()->adaptive) s.analysis.control.step.reset();
    const Results r = run(s);
    ASSERT_TRUE(r.outcome) << integrator << ": " << r.outcome.why;
    EXPECT_NEAR(r.column("p.vx").back(), -1, 1e-8) << integrator;
    // In the spring x = A cos(10 t + c) − 0.05, from x = 0 and back to it.
    const double inside = 2 * (std::acos(-1) / 2 - std::atan2(0.05, 0.1)) / 10;
    EXPECT_NEAR(r.column("p.x").back(), -(4 - 1.2345 - inside), 1e-8) << integrator;
  }
}

// Between whole numbers the force is constant: 0.5 s to x = 1, there and back from it in 2 s, 0.5 s to x = 0.5.
TEST(breakpoints, floor_and_mod_of_the_state_are_followed_to_the_instant) {
  for (const char* formula : {"-floor(p.x)", "1 - ceil(p.x)", "mod(p.x, 1) - p.x"})
    for (const char* integrator : {"rk4", "dormand-prince", "adams"}) {
      Study s = io::read_study_text(std::string(R"toml(gravity = [0, 0]
[bodies]
p = {mass = 1, position = [0.5, 0], velocity = [1, 0]}
[forces]
f = {type = "force", body = "p", force = ["= )toml") +
                                        formula +
                                        R"toml(", 0]}
[analysis]
end = 3
step = 0.013)toml",
                                    "test.toml");
      s.analysis.integrator = integrator;
      if (s.analysis.method()->adaptive) s.analysis.control.step.reset();
      const Results r = run(s);
      ASSERT_TRUE(r.outcome) << formula << " " << integrator << ": " << r.outcome.why;
      EXPECT_NEAR(r.column("p.x").back(), 0.5, 1e-9) << formula << " " << integrator;
      EXPECT_NEAR(r.column("p.vx").back(), -1, 1e-9) << formula << " " << integrator;
      EXPECT_LT(r.statistics.rejected, 20) << formula << " " << integrator;
    }
}

TEST(breakpoints, a_formula_that_wants_both_sides_is_refused_at_once) {
  const Study s = io::read_study_text(R"toml(gravity = [0, 0]
[bodies]
p = {mass = 1, position = [0, 0], velocity = [3, 0]}
[forces]
f = {type = "force", body = "p", force = ["= -5*sign(p.vx)", 0]}
[analysis]
end = 2)toml",
                                      "test.toml");
  const Results r = run(s);
  EXPECT_FALSE(r.outcome);
  EXPECT_NEAR(r.outcome.at, 0.6, 1e-6);
  EXPECT_NE(r.outcome.why.find("'f'"), std::string::npos) << r.outcome.why;
  EXPECT_LT(r.statistics.steps, 2000);
}
// A mass of 1 kg under a force that is a formula.
Study under(const std::string& force, double from, double to, const std::string& start = "velocity = [0, 0]") {
  Study s = io::read_study_text("gravity = [0, 0]\n[bodies]\np = {mass = 1, position = [0, 0], " + start +
                                    "}\n[forces]\nf = {type = \"force\", body = \"p\", force = [\"= " + force +
                                    "\", 0]}",
                                "test.toml");
  s.analysis.start = from, s.analysis.end = to;
  s.analysis.control.step = 0.01;
  return s;
}

TEST(breakpoints, at_the_start_the_motion_begins_beyond_them) {
  for (const char* integrator : integrators)
    for (const double start : {0.0, 1.0}) {
      Study s = under(start == 0 ? "if(t > 0, 2, 0)" : "if(t > 1, 2, 0)", start, start + 1);
      s.analysis.integrator = integrator;
      const Results r = run(s);
      ASSERT_TRUE(r.outcome) << integrator << ": " << r.outcome.why;
      EXPECT_NEAR(r.column("p.vx").back(), 2, 1e-6) << integrator;
    }
}

TEST(breakpoints, advances_of_any_length_pass_them) {
  for (const std::vector<double>& ends :
       {std::vector<double>{0.5, 1, 1.5, 2.5, 3}, {1, 1.5, 2.5, 3}, {1 - 1e-15, 1 + 1e-15, 3}}) {
    Simulation sim(under("if(t > 1 and t < 2, 3, 0)", 0, 3), {.integrator = "dormand-prince"});
    for (const double t : ends) ASSERT_TRUE(sim.advance_to(t)) << sim.outcome().why;
    EXPECT_NEAR(sim[sim.output("p.vx")], 3, 1e-9);
    EXPECT_NEAR(sim[sim.output("p.x")], 1.5 + 3, 1e-9);
  }
  // A time that is summed up misses the breakpoint by round-off.
  Simulation sim(under("if(t > 10, 1, 0)", 0, 20), {.integrator = "dormand-prince"});
  for (double t = 0.1; t < 10.95; t += 0.1) ASSERT_TRUE(sim.advance_to(t)) << sim.outcome().why;
  EXPECT_NEAR(sim[sim.output("p.vx")], sim.time() - 10, 1e-9);
}

TEST(breakpoints, a_restored_state_passes_them_with_equal_bits) {
  Simulation sim(under("if(t > 1.3, 3, 0) - 20*max(0, p.x - 0.4)", 0, 3), {.integrator = "dormand-prince"});
  ASSERT_TRUE(sim.advance_to(1.1));
  const Snapshot saved = sim.save();
  const Output x = sim.output("p.x");
  ASSERT_TRUE(sim.advance_to(2.7));
  const double there = sim[x];
  sim.restore(saved);
  ASSERT_TRUE(sim.advance_to(2.7));
  EXPECT_EQ(sim[x], there);
}

TEST(breakpoints, a_held_formula_may_leave_its_domain) {
  // A Hertzian spring gives back the speed.
  const Results r = run(under("-100*max(0, p.x)^1.5", 0, 2, "velocity = [1, 0]"));
  ASSERT_TRUE(r.outcome) << r.outcome.why;
  EXPECT_NEAR(r.column("p.vx").back(), -1, 1e-7);
}
TEST(switches, of_the_law_of_a_spring_are_found) {
  // A barrier of 10 J, half a metre wide, which every step without it would jump over.
  Study s = io::read_study_text(R"toml([bodies]
b = {mass = 1, inertia = 1, position = [0, 0], velocity = [10, 0]}
[forces]
f = {type = "spring", bodies = ["ground", "b"], i = [-1, 0], j = [0, 0], law = "= if(length > 301 and length < 301.5, 20, 0)"}
[analysis]
end = 100)toml",
                                "test.toml");
  const Results r = run(s);
  ASSERT_TRUE(r.outcome) << r.outcome.why;
  EXPECT_NEAR(r.column("b.vx").back(), std::sqrt(80.0), 1e-7);
}
}  // namespace mubody::testing
