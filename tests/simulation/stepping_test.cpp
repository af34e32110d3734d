// Stepping a simulation: end times, pieces, inputs, outputs, callbacks, events.
#include <cmath>
#include <filesystem>

#include "mubody/analyses/run.h"
#include "mubody/joints/angle.h"
#include "mubody/joints/revolute.h"
#include "tests/example.h"
#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
// A rod of 1 m and 1 kg that hangs from its end and swings.
struct Pendulum {
  Model model = in_plane();
  BodyRef rod = model.body("rod", {.mass = 1, .inertia = 1. / 12, .position = {0.5, 0}});
  Pendulum() { model.joint("pin", Revolute{}, model.ground().at(0, 0), rod.at(-0.5, 0)); }
};

TEST(stepping, ends_exactly_where_it_is_asked_to) {
  for (const char* integrator :
       {"rk4", "abm4", "gear4", "trapezoidal", "dormand-prince", "verner", "shampine-gordon", "adams"}) {
    Pendulum p;
    Simulation sim(p.model, {.integrator = integrator, .step = 1e-3});
    ASSERT_TRUE(sim.advance_to(0.1234567)) << integrator;
    EXPECT_EQ(sim.time(), 0.1234567) << integrator;
    ASSERT_TRUE(sim.advance(0.0100001)) << integrator;
    EXPECT_EQ(sim.time(), 0.1234567 + 0.0100001) << integrator;
  }
}

TEST(stepping, equal_pieces_end_at_multiples) {
  Pendulum p;
  Simulation sim(p.model, {.integrator = "rk4", .step = 1e-3});
  int calls = 0;
  for (; sim.time() < 1; ++calls) ASSERT_TRUE(sim.advance(1e-3));
  EXPECT_EQ(calls, 1000);
  EXPECT_EQ(sim.time(), 1);
}

TEST(stepping, pieces_that_divide_give_the_same_bits_with_fixed_steps) {
  for (const char* integrator : {"euler", "heun", "rk4", "abm4", "gear4", "trapezoidal"}) {
    Pendulum p;
    Simulation whole(p.model, {.integrator = integrator, .step = 1e-3});
    Simulation pieces(p.model, {.integrator = integrator, .step = 1e-3});
    const Output angle = whole.output("rod.angle"), omega = whole.output("rod.omega");
    ASSERT_TRUE(whole.advance_to(1));
    for (int k = 1; k <= 50; ++k) ASSERT_TRUE(pieces.advance(0.02));
    EXPECT_EQ(whole[angle], pieces[angle]) << integrator;
    EXPECT_EQ(whole[omega], pieces[omega]) << integrator;
  }
}

TEST(stepping, pieces_agree_with_a_whole_within_the_tolerance) {
  for (const char* integrator :
       {"rk4", "dormand-prince", "verner", "merson", "shampine-gordon", "adams", "bdf", "radau"}) {
    Study study = example("four_bar");
    SimulationOptions o{.integrator = integrator, .step = 1e-3, .rtol = 1e-10};
    Simulation whole(study, o), pieces(study, o);
    const Output angle = whole.output("crank.angle");
    ASSERT_TRUE(whole.advance_to(1));
    const double sizes[] = {0.0371, 0.0102, 0.00013, 0.0617};
    for (int k = 0; pieces.time() < 1; ++k)
      ASSERT_TRUE(pieces.advance_to(std::min(1.0, pieces.time() + sizes[k % 4])));
    EXPECT_NEAR(whole[angle], pieces[angle], std::string(integrator) == "bdf" ? 1e-6 : 2e-8) << integrator;
  }
}

TEST(stepping, is_what_run_computes) {
  Study study = example("four_bar");
  study.analysis.end = 1;
  const Results r = run(study);
  Simulation sim(study);
  ASSERT_TRUE(sim.advance_to(1));
  EXPECT_EQ(sim[sim.output("crank.angle")], r.column("crank.angle").back());
  EXPECT_EQ(sim[sim.output("A.on_crank.fx")], r.column("A.on_crank.fx").back());
}

TEST(stepping, holds_an_input_until_it_is_set_again) {
  // A free disc: a torque T turns it by T t² / 2 I.
  Model m({.gravity = {0, 0}});
  const BodyRef disc = m.body("disc", {.mass = 1, .inertia = 0.5});
  m.joint("pin", Revolute{}, m.ground().at(0, 0), disc.at(0, 0));
  const Input motor = m.torque("motor", m.ground(), disc);
  for (const char* integrator : {"rk4", "dormand-prince", "adams", "abm4"}) {
    Simulation sim(m, {.integrator = integrator, .step = 1e-2});
    const Output angle = sim.output("disc.angle"), omega = sim.output("disc.omega");
    EXPECT_EQ(sim[motor], 0.0);
    ASSERT_TRUE(sim.advance(1));
    EXPECT_NEAR(sim[angle], 0, 1e-14);
    sim[motor] = 2;
    ASSERT_TRUE(sim.advance(1));
    EXPECT_NEAR(sim[angle], 2, 1e-8) << integrator;
    sim[motor] = -2;
    ASSERT_TRUE(sim.advance(1));
    EXPECT_NEAR(sim[omega], 0, 1e-8) << integrator;
    EXPECT_NEAR(sim[angle], 4, 1e-7) << integrator;
    const Results r = sim.finish();
    EXPECT_TRUE(r.trusted) << r.verdict;
  }
}

TEST(stepping, drives_a_driver_from_outside) {
  Model m = in_plane();
  const BodyRef rod = m.body("rod", {.mass = 1, .inertia = 0.1, .position = {0.5, 0}});
  m.joint("pin", Revolute{}, m.ground().at(0, 0), rod.at(-0.5, 0));
  m.joint("servo", Angle{}, m.ground().at(0, 0), rod.at(-0.5, 0));
  Simulation sim(m);
  const Input servo = sim.input("servo");
  const Output angle = sim.output("rod.angle"), omega = sim.output("rod.omega");
  for (int k = 0; k < 100; ++k) {
    const double t = sim.time();
    sim.set(servo, Jet{0.3 * t * t, 0.6 * t, 0.6});
    ASSERT_TRUE(sim.advance(0.01)) << sim.outcome().why;
  }
  EXPECT_NEAR(sim[angle], 0.3, 1e-9);
  EXPECT_NEAR(sim[omega], 0.6, 1e-8);
}

// A value that is set after the assembly moves the body in the first step; one that is there before does not.
TEST(stepping, is_assembled_with_inputs_that_are_given) {
  Model m = in_plane();
  const BodyRef rod = m.body("rod", {.mass = 1, .inertia = 0.1, .position = {0.5, 0}});
  m.joint("pin", Revolute{}, m.ground().at(0, 0), rod.at(-0.5, 0));
  m.joint("servo", Angle{}, m.ground().at(0, 0), rod.at(-0.5, 0));
  Simulation sim(m, {.inputs = {{"servo", Jet{0.3, 0.7, 2}}}});
  const auto is_at = [](Simulation& s, double t) {
    EXPECT_NEAR(s[s.output("rod.angle")], 0.3 + 0.7 * t + t * t, 1e-9);
    EXPECT_NEAR(s[s.output("rod.omega")], 0.7 + 2 * t, 1e-8);
    EXPECT_NEAR(s[s.output("rod.alpha")], 2, 1e-8);
  };
  is_at(sim, 0);
  ASSERT_TRUE(sim.advance_to(0.5));
  is_at(sim, 0.5);
  Simulation other = sim.copy();
  ASSERT_TRUE(other.advance_to(1));
  is_at(other, 1);
  EXPECT_THROW(Simulation(m, {.inputs = {{"serve", Jet{}}}}), ModelError);
}

TEST(stepping, counts_the_power_of_functions_of_the_program) {
  Pendulum p;
  const StateVariable omega = p.rod.read(StateVariable::omega);
  p.model.force("wind", p.rod.at(0.5, 0), [](double t, const State&) {
    return Components{0.1 * std::sin(t), 0};
  });
  p.model.torque("brake", p.model.ground(), p.rod, [omega](double, const State& s) { return -0.2 * s(omega); });
  Simulation sim(p.model, {.rtol = 1e-10});
  ASSERT_TRUE(sim.advance_to(3));
  const Results r = sim.finish();
  EXPECT_TRUE(r.trusted) << r.verdict;
  EXPECT_LT(r.statistics.energy_residual, 1e-7 * r.statistics.energy_scale);
  // The same torque by a spring element with damping only is another route.
  EXPECT_GT(std::abs(r.column("applied_work").back()), 0.01);
}

TEST(stepping, an_exception_of_the_program_is_an_outcome) {
  Pendulum p;
  p.model.force("bad", p.rod.at(0, 0), [](double t, const State&) -> Components {
    if (t > 0.5) throw std::runtime_error("no data");
    return {0, 0};
  });
  Simulation sim(p.model);
  const Outcome end = sim.advance_to(1);
  EXPECT_FALSE(end);
  EXPECT_EQ(end.kind, Outcome::call_failed);
  EXPECT_NE(end.why.find("no data"), std::string::npos);
  EXPECT_LE(sim.time(), 0.5);
  EXPECT_FALSE(sim.advance(0.1));
  // A whole run keeps what there is as well.
  p.model.study().output.step = 0.1;
  const Results r = run(p.model.study());
  EXPECT_EQ(r.outcome.kind, Outcome::call_failed);
  EXPECT_GT(r.outcome.at, 0.4);
  EXPECT_LE(r.outcome.at, 0.5);
  EXPECT_GE(r.times().back(), 0.3);
}

TEST(stepping, delivers_contacts_as_events) {
  Simulation sim(example("bouncing_ball"));
  int touched = 0, parted = 0;
  while (sim.time() < 1.5) {
    ASSERT_TRUE(sim.advance(0.01)) << sim.outcome().why;
    for (const Event& e : sim.events()) {
      touched += e.kind == Event::touch;
      parted += e.kind == Event::part;
      EXPECT_LE(e.t, sim.time());
    }
  }
  EXPECT_GE(touched, 2);
  EXPECT_GE(parted, 1);
}

TEST(stepping, records_rows_as_often_as_asked) {
  Pendulum p;
  Simulation sim(p.model, {.record = 0.05});
  while (sim.time() < 1) ASSERT_TRUE(sim.advance(0.013));
  const Results r = sim.finish();
  const std::vector<double> t = r.times();
  ASSERT_GE(t.size(), 20u);
  for (std::size_t k = 0; k + 1 < t.size(); ++k) EXPECT_DOUBLE_EQ(t[k], 0.05 * double(k));
  EXPECT_EQ(t.back(), sim.time());
}

TEST(stepping, copies_and_refuses_what_does_not_fit) {
  Model m = in_plane();
  const BodyRef rod = m.body("rod", {.mass = 1, .inertia = 0.1, .position = {0.5, 0}});
  m.joint("pin", Revolute{}, m.ground().at(0, 0), rod.at(-0.5, 0));
  m.joint("servo", Angle{}, m.ground().at(0, 0), rod.at(-0.5, 0));
  EXPECT_THROW(m.joint("pin", Revolute{}, m.ground().at(0, 0), rod.at(-0.5, 0)), ModelError);
  Model two = in_plane();
  EXPECT_THROW(two.joint("pin", Revolute{}, two.ground().at(0, 0), rod.at(0, 0)), ModelError);
  Model driven = in_plane();
  const BodyRef arm = driven.body("arm", {.mass = 1, .inertia = 0.1, .position = {0.5, 0}});
  driven.joint("pin", Revolute{}, driven.ground().at(0, 0), arm.at(-0.5, 0));
  driven.joint("servo", Angle{}, driven.ground().at(0, 0), arm.at(-0.5, 0));
  Simulation sim(driven);
  sim.set(sim.input("servo"), Jet{0, 1, 0});
  ASSERT_TRUE(sim.advance(0.5));
  Simulation other = sim.copy();
  ASSERT_TRUE(other.advance(0.5)) << other.outcome().why;
  EXPECT_NEAR(other[other.output("arm.angle")], 1, 1e-9);
  EXPECT_EQ(sim.time(), 0.5);
  Pendulum p;
  Simulation foreign(p.model);
  EXPECT_ANY_THROW(foreign.restore(sim.save()));
  EXPECT_THROW(Simulation(p.model, {.record = 0}), ModelError);
  EXPECT_THROW(foreign[Output(7777)], ModelError);
  EXPECT_THROW(foreign.set(Input(77), 1), ModelError);
  EXPECT_THROW(Simulation(Model({.gravity = {0, 0}})), ModelError);
}

TEST(stepping, takes_times_that_differ_by_round_off_as_one) {
  for (const char* integrator : {"dormand-prince", "verner", "shampine-gordon", "adams", "rk4"}) {
    Pendulum p;
    Simulation sim(p.model, {.integrator = integrator, .step = 1e-3});
    for (const double t : {0.3, 0.1 * 3, 0.3, 0.4})
      ASSERT_TRUE(sim.advance_to(t)) << integrator << sim.outcome().why;
    ASSERT_TRUE(sim.advance(1e-18)) << integrator;
    ASSERT_TRUE(sim.advance(0.1)) << integrator << sim.outcome().why;
  }
}

TEST(stepping, stops_where_a_function_of_the_program_is_not_finite) {
  for (const char* integrator : {"dormand-prince", "adams", "bdf", "radau", "rk4"}) {
    Pendulum p;
    p.model.force("bad", p.rod.at(0, 0), [](double t, const State&) {
      return Components{t > 0.05 ? NAN : 0, 0};
    });
    Simulation sim(p.model, {.integrator = integrator, .step = 1e-3});
    EXPECT_FALSE(sim.advance(0.1)) << integrator;
    EXPECT_LE(sim.time(), 0.0501) << integrator;
  }
}

TEST(stepping, stands_where_it_was_stopped_and_goes_on) {
  for (const char* integrator : {"rk4", "dormand-prince", "adams"}) {
    Study study = example("four_bar");
    const SimulationOptions o{.integrator = integrator, .step = 1e-3, .rtol = 1e-10};
    Simulation whole(study, o), stopped(study, o);
    const Output angle = whole.output("crank.angle");
    ASSERT_TRUE(whole.advance(1));
    const Outcome half = stopped.advance(1, [](double part) { return part < 0.5; });
    EXPECT_EQ(half.kind, Outcome::interrupted) << integrator;
    EXPECT_EQ(half.at, stopped.time()) << integrator;
    EXPECT_NEAR(stopped.time(), 0.5, 0.1) << integrator;
    EXPECT_TRUE(stopped.outcome()) << integrator;
    EXPECT_EQ(stopped.finish().times().back(), stopped.time()) << integrator;
    ASSERT_TRUE(stopped.advance_to(1)) << integrator;
    EXPECT_NEAR(stopped[angle], whole[angle], 1e-8) << integrator;
  }
}

TEST(stepping, says_what_is_wrong_with_names) {
  Pendulum p;
  Simulation sim(p.model);
  EXPECT_THROW(sim.output("rod.angel"), ModelError);
  EXPECT_THROW(sim.input("motor"), ModelError);
  EXPECT_THROW(Simulation(p.model, {.integrator = "rk5"}), ModelError);
  EXPECT_THROW(Simulation(p.model, {.integrator = "rk4"}), ModelError);  // no step
  EXPECT_FALSE(sim.advance_to(-1));
}

// sin(π) is 1.2e-16 and not 0: the first step must not be chosen by that.
TEST(stepping, starts_from_round_off_beside_zero) {
  for (const char* integrator :
       {"merson", "dormand-prince", "verner", "shampine-gordon", "adams", "bdf", "radau"}) {
    Model m{{.gravity = {0, -9.81}}};
    m.body("b", {.mass = 1, .inertia = 1, .position = {std::sin(std::acos(-1)), 0}});
    Simulation sim(m, {.integrator = integrator});
    ASSERT_TRUE(sim.advance_to(1)) << integrator << ": " << sim.outcome().why;
    EXPECT_NEAR(sim[sim.output("b.y")], -0.5 * 9.81, 1e-6) << integrator;
  }
}
}  // namespace
}  // namespace mubody::testing
