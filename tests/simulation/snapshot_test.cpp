// The motion after a save and the motion after its restore have equal bits.
#include <gtest/gtest.h>

#include "mubody/integrators/integrator.h"
#include "mubody/simulation/simulation.h"
#include "tests/example.h"

namespace mubody::testing {
namespace {
std::vector<double> all_outputs(Simulation& sim) {
  std::vector<double> values;
  for (int k = 0; k < int(sim.outputs().size()); ++k) values.push_back(sim[Output(k)]);
  return values;
}

// Advances to t0, saves, advances by dt in pieces, restores and repeats that.
void expect_equal_bits(Simulation& sim, double t0, double dt, const std::string& what) {
  ASSERT_TRUE(sim.advance_to(t0)) << what << ": " << sim.outcome().why;
  const Snapshot here = sim.save();
  EXPECT_EQ(here.time(), t0);
  const auto go = [&](Simulation& s) {
    for (int k = 1; k <= 4; ++k) EXPECT_TRUE(s.advance_to(t0 + k * dt / 4)) << what << ": " << s.outcome().why;
    return all_outputs(s);
  };
  const std::vector<double> first = go(sim);
  sim.restore(here);
  EXPECT_EQ(sim.time(), t0);
  EXPECT_EQ(go(sim), first) << what;
  // The snapshot also fits another simulation of the same model that was elsewhere.
  sim.restore(here);
  Simulation other = sim.copy();
  EXPECT_EQ(go(other), first) << what;
  EXPECT_EQ(sim.time(), t0);
  // As bytes it does the same.
  other.restore(other.snapshot(here.bytes()));
  EXPECT_EQ(go(other), first) << what;
}

TEST(snapshot, refuses_bytes_that_are_not_whole) {
  Simulation sim(example("bouncing_ball"));
  ASSERT_TRUE(sim.advance_to(0.5));
  const std::string whole = sim.save().bytes();
  EXPECT_EQ(sim.snapshot(whole).time(), 0.5);
  EXPECT_EQ(sim.snapshot(whole).bytes(), whole);
  for (std::size_t at = 0; at < whole.size(); at += 11) {
    std::string broken = whole;
    broken[at] = char(broken[at] ^ 0x40);
    EXPECT_THROW(sim.snapshot(broken), ModelError) << at;
    EXPECT_THROW(sim.snapshot(whole.substr(0, at)), ModelError) << at;
  }
  Simulation other(example("four_bar"));
  EXPECT_THROW(other.restore(other.snapshot(whole)), ModelError);
}

TEST(snapshot, has_equal_bits_with_every_integrator) {
  for (const IntegratorEntry& e : integrator_kinds()) {
    const std::string name(e.info.name);
    Study study = example("four_bar");
    SimulationOptions o;
    o.integrator = name;
    o.step = 1e-3;
    Simulation sim(study, o);
    expect_equal_bits(sim, 0.3, 1, name);
  }
}

TEST(snapshot, has_equal_bits_with_every_treatment_and_formulation) {
  for (const TreatmentEntry& e : treatment_kinds()) {
    Study study = example("four_bar");
    study.analysis.treatment = Box<Treatment>(e.make());
    study.analysis.control.step = 1e-3;
    Simulation sim(study);
    expect_equal_bits(sim, 0.3, 1, std::string(e.info.name));
  }
  for (const char* formulation : {"body", "cartesian", "joint"}) {
    SimulationOptions o;
    o.formulation = formulation;
    Simulation sim(example("spatial_slider_crank"), o);
    expect_equal_bits(sim, 0.3, 1, formulation);
  }
}

// A program that saves after every step sees the motion of one that never does.
TEST(snapshot, does_not_change_the_motion) {
  for (const TreatmentEntry& e : treatment_kinds()) {
    Study study = example("five_bar_pendulum");
    study.analysis.treatment = Box<Treatment>(e.make());
    SimulationOptions o;
    o.integrator = "rk4";
    o.step = 1e-3;
    Simulation saved(study, o), alone(study, o);
    for (int k = 1; k <= 1500; ++k) {
      ASSERT_TRUE(saved.advance_to(k * 1e-3)) << e.info.name;
      ASSERT_TRUE(alone.advance_to(k * 1e-3)) << e.info.name;
      (void)saved.save();
    }
    const std::vector<double> a = all_outputs(saved), b = all_outputs(alone);
    for (std::size_t k = 0; k < a.size(); ++k)
      EXPECT_NEAR(a[k], b[k], 1e-8 * std::max(1.0, std::abs(b[k])))
          << e.info.name << ' ' << saved.outputs()[k].name;
  }
}

TEST(snapshot, has_equal_bits_through_contacts_films_and_loops) {
  const struct {
    const char* name;
    double t0, dt;
  } cases[] = {{"bouncing_ball", 0.3, 1},
               {"newtons_cradle", 0.1, 1},
               {"clearance_slider_crank", 2e-3, 4e-3},
               {"lubricated_slider_crank", 1e-3, 2e-3},
               {"bricard", 0.5, 1},
               {"slider_crank_singular", 0.3, 1}};
  for (const auto& c : cases) {
    Simulation sim(example(c.name));
    expect_equal_bits(sim, c.t0, c.dt, c.name);
  }
}

TEST(snapshot, has_equal_bits_with_friction_that_remembers) {
  Study study = io::read_study_text(R"(
gravity = [0, -9.81]
[bodies]
ball = {mass = 1, inertia = 0.4, position = [0, 1], velocity = [2, 0]}
[forces]
floor = {type = "line_contact", bodies = ["ground", "ball"], i = {at = [0, 0], axis = [1, 0]}, j = [0, 0], radius = 1, law = {type = "hunt_crossley", stiffness = 1e5, restitution = 0.5}, friction = {type = "lugre", mu = 0.3, mu_static = 0.4}}
)",
                                    "lugre.toml");
  Simulation sim(study);
  expect_equal_bits(sim, 0.05, 0.2, "lugre");
}

TEST(snapshot, brings_back_inputs_and_rows) {
  Study study = example("four_bar");
  SimulationOptions o;
  o.record = 0.01;
  Simulation sim(study, o);
  ASSERT_TRUE(sim.advance(0.1));
  const Snapshot here = sim.save();
  const std::size_t rows = sim.finish().times().size();
  ASSERT_TRUE(sim.advance(0.5));
  EXPECT_GT(sim.finish().times().size(), rows);
  sim.restore(here);
  EXPECT_EQ(sim.finish().times().size(), rows);
}
}  // namespace
}  // namespace mubody::testing
