// What functions of time do within a step: pulses are found, and steps in tune with a force are not trusted.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "mubody/analyses/run.h"
#include "mubody/mechanism/unresolved.h"
#include "mubody/reading/read_model.h"
#include "tests/accuracy.h"

namespace mubody::testing {
namespace {
// A mass of 1 kg under a force that is a formula.
Study driven_by(const std::string& force, double end, const std::string& integrator, double step) {
  Study s = io::read_study_text(
      "gravity = [0, 0]\n[bodies]\np = {mass = 1, position = [0, 0]}\n[forces]\n"
      "f = {type = \"force\", body = \"p\", force = [\"= " +
          force + "\", 0]}\n[output]\nstep = 0.5",
      "test.toml");
  s.analysis.end = end;
  s.analysis.integrator = integrator;
  if (!s.analysis.method()->adaptive) s.analysis.control.step = step;
  s.analysis.estimate_usual = true;
  return s;
}

/// Remarks on forces that vary within a step.
long unresolved_forces(const Results& r) {
  return std::ranges::count_if(r.remarks,
                               [](const std::string& x) { return x.starts_with("force 'f' varies"); });
}

constexpr const char* controlled[] = {"merson", "dormand-prince", "verner", "shampine-gordon", "adams",
                                      "bdf",    "radau"};
constexpr const char* of_one_size[] = {"heun", "rk4", "abm4", "gear4", "trapezoidal"};
}  // namespace

// All of them give 1 N s; what is added sees the state and is zero where it counts.
TEST(pulses, far_shorter_than_a_step_are_found_by_every_integrator) {
  for (const std::string pulse :
       {"exp(-((t - 50.1234)/0.002)^2)/(0.002*sqrt(pi))", "exp(-((t - 50)/1e-6)^2)/(1e-6*sqrt(pi))",
        "0.5/cosh((t - 33.3)/0.001)^2/0.001", "(tanh((t - 20.5)/0.001) - tanh((t - 20.51)/0.001))/0.02",
        "(1 + 0*p.x)*exp(-((t - 50.1234)/0.002)^2)/(0.002*sqrt(pi))"}) {
    for (const char* integrator : controlled) {
      const Results r = run(driven_by(pulse, 100, integrator, 0));
      ASSERT_TRUE(r.outcome) << integrator << " " << pulse << ": " << r.outcome.why;
      EXPECT_NEAR(r.column("p.vx").back(), 1, 1e-6) << integrator << " " << pulse;
      EXPECT_TRUE(r.trusted) << integrator << " " << pulse << ": " << r.verdict;
      EXPECT_LT(std::abs(r.column("p.vx").back() - 1), 10 * accuracy_of(r, "p.vx").error + 1e-13)
          << integrator << " " << pulse;
    }
    for (const char* integrator : of_one_size) {
      const Results r = run(driven_by(pulse, 100, integrator, 0.25));
      ASSERT_TRUE(r.outcome) << integrator << " " << pulse << ": " << r.outcome.why;
      EXPECT_NEAR(r.column("p.vx").back(), 1, 0.02) << integrator << " " << pulse;
      EXPECT_LT(std::abs(r.column("p.vx").back() - 1), 10 * accuracy_of(r, "p.vx").error + 1e-13)
          << integrator << " " << pulse;
    }
  }
}

// With steps of one period the force is zero wherever it is looked at; x = (t − sin(ωt)/ω)/ω is the truth.
TEST(pulses, a_force_in_tune_with_steps_of_one_size_is_not_trusted) {
  for (const char* integrator : {"rk4", "heun", "euler", "abm4"}) {
    const Results r = run(driven_by("sin(2*pi*10*t)", 10, integrator, 0.1));
    ASSERT_TRUE(r.outcome) << r.outcome.why;
    EXPECT_FALSE(r.trusted) << integrator << ": " << r.verdict;
    const double truth = 10 / (20 * std::numbers::pi);
    EXPECT_LT(std::abs(r.column("p.x").back() - truth), 10 * accuracy_of(r, "p.x").error) << integrator;
    EXPECT_EQ(unresolved_forces(r), 1) << integrator;
  }
}

TEST(pulses, a_force_that_steps_resolve_or_that_does_nothing_is_trusted) {
  Study s = driven_by("sin(2*pi*10*t)", 10, "rk4", 0.002);
  s.output.step = 0.013;  // rows in tune with the force would all be at rest
  const Results fine = run(s);
  EXPECT_TRUE(fine.trusted) << fine.verdict;
  EXPECT_EQ(unresolved_forces(fine), 0);
  // The second force is in tune with the steps, and far too small to matter.
  const Results faint = run(driven_by("sin(t) + 1e-12*sin(2*pi*10*t)*(1 + 0*p.x)", 10, "rk4", 0.1));
  EXPECT_TRUE(faint.trusted) << faint.verdict;
}

TEST(pulses, a_step_that_resolves_a_function_is_named) {
  const Study s = driven_by("sin(2*pi*10*t)", 10, "rk4", 0.1);
  const std::vector<Unresolved> all = unresolved_by(s.mechanism, 0, 10, 0.1);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].element, "force 'f'");
  EXPECT_LT(all[0].step, 0.03);
  EXPECT_GT(all[0].step, 0.003);
  EXPECT_TRUE(std::ranges::none_of(unresolved_by(s.mechanism, 0, 10, all[0].step), &Unresolved::clearly));
}

// A square wave of 50 Hz against a damper: v' = ±1 − 2v, to the end of a whole number of periods.
TEST(pulses, switches_of_time_in_formulas_of_the_state_are_breakpoints) {
  for (const char* integrator : {"rk4", "dormand-prince", "adams"}) {
    const Results r = run(driven_by("if(mod(floor(100*t), 2) < 1, 1, -1) - 2*p.vx", 10, integrator, 0.05));
    ASSERT_TRUE(r.outcome) << integrator << ": " << r.outcome.why;
    double v = 0;
    for (int k = 0; k < 1000; ++k) {
      const double to = k % 2 == 0 ? 0.5 : -0.5;
      v = to + (v - to) * std::exp(-0.02);
    }
    EXPECT_NEAR(r.column("p.vx").back(), v, 1e-8) << integrator;
  }
}

// Whether (t − 50)² is less than 1e-8 is decided by round-off for some nanoseconds.
TEST(pulses, a_condition_that_flickers_does_not_stop_the_run) {
  for (const std::string more : {"", " - 0*p.vx"}) {
    const Results r = run(driven_by("if(t*t - 100*t + 2500 < 1e-8, 1000, 0)" + more, 100, "dormand-prince", 0));
    ASSERT_TRUE(r.outcome) << r.outcome.why;
    const double error = std::abs(r.column("p.vx").back() - 0.2);
    EXPECT_LT(error, 1e-4);
    EXPECT_LT(error, 10 * accuracy_of(r, "p.vx").error);
  }
}

// 1000 N s within a microsecond; how long that is in numbers of 53 bits is known exactly.
TEST(pulses, an_impulse_loses_nothing_at_its_ends) {
  const double lasts = 50.000001 - 50.0;
  for (const char* integrator : {"rk4", "dormand-prince", "adams"}) {
    const Results r = run(driven_by("if(t > 50 and t < 50.000001, 1e9, 0)", 100, integrator, 0.5));
    ASSERT_TRUE(r.outcome) << r.outcome.why;
    const double error = std::abs(r.column("p.vx").back() - 1e9 * lasts);
    EXPECT_LT(error, 3e-5) << integrator;
    EXPECT_LT(error, 3 * accuracy_of(r, "p.vx").error) << integrator;
  }
}

// 0.5 N s within a millisecond, read off a table at the time.
TEST(pulses, of_tables_over_time_are_found) {
  for (const char* integrator : {"rk4", "dormand-prince", "radau"})
    for (const char* input : {"t", "2*t - 3"}) {
      const bool plain = input[0] == 't';
      Study s = io::read_study_text(
          std::string("gravity = [0, 0]\n[bodies]\np = {mass = 1, position = [0, 0]}\n[signals]\ns = {type = "
                      "\"table\", input = \"= ") +
              input +
              (plain ? "\", data = [[0, 0], [5, 0], [5.0005, 1000], [5.001, 0], [10, 0]]}\n"
                     : "\", data = [[-3, 0], [7, 0], [7.001, 1000], [7.002, 0], [17, 0]]}\n") +
              "[forces]\nf = {type = \"force\", body = \"p\", force = [\"= s\", 0]}\n",
          "test.toml");
      s.analysis.end = 10;
      s.analysis.integrator = integrator;
      if (!s.analysis.method()->adaptive) s.analysis.control.step = 0.1;
      const Results r = run(s);
      ASSERT_TRUE(r.outcome) << r.outcome.why;
      EXPECT_NEAR(r.column("p.vx").back(), 0.5, 1e-8) << integrator << ", " << input;
    }
}

// What is small beside a slow part of the same force is no less wrong.
TEST(pulses, steps_in_tune_are_noticed_beside_a_slow_force) {
  for (const char* integrator : of_one_size) {
    const Results r = run(driven_by("5*sin(t) + 0.3*(1 - cos(2*pi*20*t))", 10, integrator, 0.1));
    const double truth = 5 * (1 - std::cos(10.0)) + 3;
    EXPECT_LT(std::abs(r.column("p.vx").back() - truth), 3 * accuracy_of(r, "p.vx").error) << integrator;
    EXPECT_FALSE(r.trusted) << integrator;
  }
}
}  // namespace mubody::testing
