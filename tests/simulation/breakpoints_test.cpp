// Steps end where functions of time change their formula, and where formulas of the state do.
#include "mubody/mechanism/breakpoints.h"

#include <cmath>

#include <gtest/gtest.h>

#include "mubody/analyses/run.h"
#include "mubody/reading/read_model.h"

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
    "euler",           "heun",  "rk4", "abm4", "gear4", "merson", "dormand-prince", "verner",
    "shampine-gordon", "adams", "bdf"};
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
  const std::vector<Breakpoint> all = breakpoints_of(s.mechanism, 0, 4.5);
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
f = {type = "force", body = "p", force = ["= -100*max(0, p.x) + if(p.x > 0, -5, 0)", 0]
  }
[analysis]
end = 4
step = 0.01
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
}  // namespace mubody::testing
