// Instants of sampled signals, kinks and rows that lie next to the ends of advances, which round-off sets apart.
#include <cmath>

#include "mubody/analyses/run.h"
#include "mubody/exchange/exchange.h"
#include "mubody/reading/read_model.h"
#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
// A pendulum with a brake that a sampled signal sets.
Study braked(double sample, double end) {
  Study s = io::read_study_text(fmt::format(R"toml(gravity = [0, -9.81]
[bodies]
rod = {{mass = 1, inertia = 0.08, position = [0.5, 0]}}
[joints]
pin = {{type = "revolute", bodies = ["ground", "rod"], at = [0, 0], motor = {{torque = "= v"}}}}
[signals]
v = {{value = "= -2*rod.omega", sample = {:.17g}}}
[analysis]
rtol = 1e-9
end = {:.17g})toml",
                                            sample, end),
                                "braked.toml");
  s.output.step = end;
  return s;
}

constexpr double samples[] = {0.003, 0.005, 0.007, 0.01, 0.013, 0.03, 0.07, 0.1, 1. / 60, 1. / 3};
constexpr double pieces[] = {1e-3, 5e-3, 0.01, 0.02, 0.1, 1. / 60, 1. / 30, 0.03, 0.007};

TEST(stepping_instants, in_pieces_is_what_run_computes) {
  for (const double sample : samples)
    for (const double dt : pieces) {
      const long n = std::lround(0.7 / dt);
      const Study study = braked(sample, double(n) * dt);
      const Results whole = run(study);
      ASSERT_TRUE(whole.outcome) << whole.outcome.why;
      Simulation sim(study), to(study);
      const Output angle = sim.output("rod.angle");
      for (long k = 1; k <= n; ++k) {
        const Outcome end = sim.advance(dt);
        ASSERT_TRUE(end) << "sample " << sample << ", dt " << dt << ": " << end.why;
        ASSERT_EQ(sim.time(), double(k) * dt);
      }
      EXPECT_NEAR(sim[angle], whole.column("rod.angle").back(), 1e-7) << "sample " << sample << ", dt " << dt;
      for (double t = dt; to.time() < 0.5; t += dt) {  // with the round-off of many sums
        const Outcome end = to.advance_to(t);
        ASSERT_TRUE(end) << "sample " << sample << ", dt " << dt << ": " << end.why;
      }
    }
}

TEST(stepping_instants, of_other_integrators_as_well) {
  for (const char* integrator : {"verner", "shampine-gordon", "adams", "bdf", "radau", "rk4"})
    for (const double sample : {0.01, 0.03, 1. / 60}) {
      Simulation sim(braked(sample, 1), {.integrator = integrator, .step = 1e-3});
      for (int k = 0; k < 10; ++k) {
        const Outcome end = sim.advance(0.1);
        ASSERT_TRUE(end) << integrator << ", sample " << sample << ": " << end.why;
      }
    }
}

// A torque that begins to grow at 3 * 0.1, which is one bit above 0.3: the free wheel is at (t - 0.3)³/6 then.
TEST(stepping_instants, kinks_beside_the_end_of_an_advance) {
  for (const double at : {0.1 * 3, 0.3, std::nextafter(0.3, 0)}) {
    const Study study = io::read_study_text(fmt::format(R"toml(gravity = [0, 0]
[bodies]
w = {{mass = 1, inertia = 1}}
[joints]
pin = {{type = "revolute", bodies = ["ground", "w"], at = [0, 0], motor = {{torque = "= max(0, t - {:.17g})"}}}})toml",
                                                        at),
                                            "kink.toml");
    Simulation sim(study, {.rtol = 1e-10});
    for (const double t : {0.1, 0.2, 0.3, 0.7}) {
      const Outcome end = sim.advance_to(t);
      ASSERT_TRUE(end) << end.why;
    }
    EXPECT_NEAR(sim[sim.output("w.angle")], std::pow(0.4, 3) / 6, 1e-9);
  }
}

TEST(stepping_instants, rows_are_never_twice_at_one_time) {
  for (const double every : samples)
    for (const double dt : pieces) {
      Simulation sim(braked(0.1, 1), {.record = every});
      for (int k = 0; k < 13; ++k) ASSERT_TRUE(sim.advance(dt));
      const std::vector<double> t = sim.finish().times();
      EXPECT_NEAR(t.back(), sim.time(), 1e-15);
      for (std::size_t k = 1; k < t.size(); ++k)
        EXPECT_GT(t[k] - t[k - 1], 1e-9) << "every " << every << ", dt " << dt;
    }
}

// A time that cannot be gone to is a mistake of the caller; the simulation stands where it was.
TEST(stepping_instants, wrong_times_are_refused_and_leave_no_trace) {
  Simulation sim(braked(0.01, 1)), other(braked(0.01, 1));
  ASSERT_TRUE(sim.advance(0.1));
  ASSERT_TRUE(other.advance(0.1));
  for (const double dt : {-0.1, -1e-20, double(NAN), double(INFINITY), -double(INFINITY)}) {
    EXPECT_EQ(sim.advance(dt).kind, Outcome::interrupted) << dt;
    EXPECT_EQ(sim.advance_to(dt).kind, Outcome::interrupted) << dt;
    EXPECT_TRUE(sim.outcome()) << dt;
    EXPECT_EQ(sim.time(), 0.1) << dt;
  }
  ASSERT_TRUE(sim.advance(0.1));
  ASSERT_TRUE(other.advance(0.1));
  EXPECT_EQ(sim.time(), 0.2);
  EXPECT_EQ(sim[sim.output("rod.angle")], other[other.output("rod.angle")]);
}
// A crank that a driver turns, with a rod that hangs from it.
Study cranked(const char* angle) {
  return io::read_study_text(fmt::format(R"toml(gravity = [0, -9.81]
[bodies]
crank = {{mass = 1, inertia = 0.1, position = [0.5, 0]}}
rod = {{mass = 2, inertia = 0.3, position = [1, -0.5]}}
[joints]
pin = {{type = "revolute", bodies = ["ground", "crank"], at = [0, 0]}}
knee = {{type = "revolute", bodies = ["crank", "rod"], at = [1, 0]}}
[drivers]
turn = {{type = "angle", bodies = ["ground", "crank"], value = {}}}
[analysis]
rtol = 1e-10)toml",
                                         angle),
                             "cranked.toml");
}

TEST(stepping_instants, a_driver_whose_rate_is_set_takes_the_mechanism_with_it) {
  Simulation follows(cranked("\"= t\"")), sim(cranked("0"));
  sim.set(sim.input("turn"), Jet{0, 1, 0});
  for (Simulation* s : {&follows, &sim}) ASSERT_TRUE(s->advance_to(0.4)) << s->outcome().why;
  for (const char* name : {"crank.angle", "crank.omega", "rod.x", "rod.angle", "rod.omega"})
    EXPECT_NEAR(sim[sim.output(name)], follows[follows.output(name)], 1e-8) << name;
}

TEST(stepping_instants, a_driver_whose_angle_is_set_moves_at_once) {
  Simulation sim(cranked("0"));
  const Output angle = sim.output("crank.angle");
  for (const double to : {0.3, -0.2, 0.1}) {
    sim.set(sim.input("turn"), to);
    ASSERT_TRUE(sim.advance(1e-3)) << sim.outcome().why;
    EXPECT_NEAR(sim[angle], to, 1e-9);
  }
}

TEST(stepping_instants, the_state_and_its_rates_are_those_of_an_exchange) {
  Simulation sim(cranked("\"= t^2\""));
  ASSERT_TRUE(sim.advance_to(0.3));
  Exchange motion(cranked("\"= t^2\""));
  VecX rates(motion.states());
  motion.rates(0.3, sim.state(), rates);
  EXPECT_LT((rates - sim.rates()).lpNorm<Eigen::Infinity>(), 1e-9);
  EXPECT_EQ(sim.gaps().size(), motion.indicators());
}
}  // namespace
}  // namespace mubody::testing
