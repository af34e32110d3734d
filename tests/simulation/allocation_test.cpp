// Calls of advance() take no memory after the first, and neither does what happens between them: inputs, outputs, functions
// of the program.
//
// There are two exceptions.  A contact that begins or ends is told as an event and written into the list of contacts.  And
// SUNDIALS, whose integrators are adams and bdf, takes memory of its own: when it starts anew, as it does when an input
// changes or a contact begins, and bdf whenever it computes a matrix of derivatives.
#include <functional>

#include <gtest/gtest.h>

#include "mubody/joints/angle.h"
#include "mubody/joints/revolute.h"
#include "mubody/precompute/precompute.h"
#include "mubody/precompute/run/run_real_time.h"
#include "mubody/reading/read_model.h"
#include "mubody/simulation/model.h"
#include "tests/allocations.h"

namespace mubody::testing {
namespace {
constexpr int warm_up = 20, counted = 200;  // calls

Study model_file(const std::string& name, const std::vector<std::string>& settings = {}) {
  return io::read_study(std::string(MUBODY_SOURCE_DIR) + "/examples/" + name + "/model.toml", settings);
}

/// Steps of one size for the integrators that need them, and a tolerance at which the others take some in each call.
SimulationOptions stepped(std::string_view integrator, double step) {
  SimulationOptions o;
  o.integrator = std::string(integrator);
  o.step = step;
  o.rtol = 1e-7;
  return o;
}

struct Count {
  long taken = 0;    // allocations in calls without events
  int eventful = 0;  // calls with events
};

/// Goes on by steps of dt; before each, `act` does what a program would do.  All outputs are read after each.
Count count(Simulation& sim, double dt, const std::function<void(double t)>& act = {}) {
  std::vector<Output> outputs;
  for (const Column& c : sim.outputs()) outputs.push_back(sim.output(c.name));
  Count all;
  double sum = 0;
  for (int k = 0; k < warm_up + counted; ++k) {
    const long before = allocations();
    if (act) act(sim.time());
    const bool ok = bool(sim.advance(dt));
    for (const Output o : outputs) sum += sim[o];
    const long taken = allocations() - before;
    EXPECT_TRUE(ok) << sim.outcome().why;
    if (!ok) break;
    if (k < warm_up) continue;
    if (sim.events().empty())
      all.taken += taken;
    else
      ++all.eventful;
  }
  EXPECT_TRUE(std::isfinite(sum));
  return all;
}

TEST(allocations, are_counted) {
  if (!counts_allocations()) GTEST_SKIP();
  const long before = allocations();
  const VecX by_eigen = VecX::Zero(100);
  const auto by_new = std::make_unique<double>(1);
  EXPECT_EQ(allocations() - before, 2) << by_eigen.sum() + *by_new;
}

TEST(advance, takes_no_memory_for_signals) {
  if (!counts_allocations()) GTEST_SKIP();
  for (const char* name : {"cart_pole", "crane"}) {
    Simulation sim(model_file(name), stepped("dormand-prince", 1e-3));
    EXPECT_EQ(count(sim, 0.01).taken, 0) << name;
  }
}

TEST(advance, takes_no_memory_with_any_integrator_and_treatment) {
  if (!counts_allocations()) GTEST_SKIP();
  for (const IntegratorEntry& integrator : integrator_kinds())
    for (const TreatmentEntry& treatment : treatment_kinds()) {
      if (integrator.info.name == "bdf") continue;  // see above
      Study study = model_file("four_bar");
      study.analysis.treatment = treatment.make();
      Simulation sim(study, stepped(integrator.info.name, 1e-3));
      EXPECT_EQ(count(sim, 2e-3).taken, 0) << integrator.info.name << ' ' << treatment.info.name;
    }
}

TEST(advance, takes_no_memory_in_any_coordinates) {
  if (!counts_allocations()) GTEST_SKIP();
  for (const char* model :
       {"andrews", "bricard", "spatial_slider_crank", "iltis_suspension", "double_pendulum", "heavy_top",
        "rolling_disc", "rolling_tyre", "slider_crank_driven", "stiff_bushing"})
    for (const char* integrator : {"rk4", "dormand-prince", "shampine-gordon"})
      for (const char* formulation : {"body", "cartesian", "joint"}) {
        SimulationOptions o = stepped(integrator, 1e-4);
        o.formulation = formulation;
        Simulation sim(model_file(model), o);
        EXPECT_EQ(count(sim, 2e-4).taken, 0) << model << ' ' << integrator << ' ' << formulation;
      }
}

TEST(advance, takes_no_memory_with_any_treatment_where_equations_are_redundant) {
  if (!counts_allocations()) GTEST_SKIP();
  for (const char* model : {"bricard", "andrews"})
    for (const TreatmentEntry& treatment : treatment_kinds()) {
      Study study = model_file(model);
      study.analysis.treatment = treatment.make();
      Simulation sim(study, stepped("rk4", 1e-4));
      EXPECT_EQ(count(sim, 1e-4).taken, 0) << model << ' ' << treatment.info.name;
    }
}

TEST(advance, takes_no_memory_between_events_of_contacts) {
  if (!counts_allocations()) GTEST_SKIP();
  int eventful = 0;
  const struct {
    const char *model, *integrator;
    double step, dt;  // [s]
  } cases[] = {{"bouncing_ball", "rk4", 1e-3, 5e-3},
               {"bouncing_ball", "dormand-prince", 1e-3, 5e-3},
               {"bouncing_ball", "abm4", 1e-3, 5e-3},
               {"clearance_slider_crank", "rk4", 1e-6, 1e-5},
               {"clearance_slider_crank", "dormand-prince", 1e-6, 1e-4},
               {"newtons_cradle", "shampine-gordon", 1e-4, 2e-3},
               {"lubricated_slider_crank", "dormand-prince", 1e-6, 1e-4},
               {"door", "dormand-prince", 1e-3, 0.05},
               {"backlash_gears", "rk4", 1e-5, 1e-3},
               {"struck_sphere", "verner", 1e-4, 2e-3}};
  for (const auto& c : cases) {
    Simulation sim(model_file(c.model), stepped(c.integrator, c.step));
    const Count all = count(sim, c.dt);
    EXPECT_EQ(all.taken, 0) << c.model << ' ' << c.integrator;
    eventful += all.eventful;
  }
  EXPECT_GT(eventful, 10);
}

TEST(advance, takes_no_memory_while_a_joint_sticks_and_while_it_slips) {
  if (!counts_allocations()) GTEST_SKIP();
  for (const char* integrator : {"rk4", "dormand-prince"})
    for (const char* formulation : {"body", "cartesian", "joint"}) {
      SimulationOptions o = stepped(integrator, 1e-3);
      o.formulation = formulation;
      Simulation sim(model_file("stick_slip"), o);
      const Count all = count(sim, 5e-3);
      EXPECT_EQ(all.taken, 0) << integrator << ' ' << formulation;
      EXPECT_GT(all.eventful, 1) << integrator << ' ' << formulation;
    }
}

TEST(advance, takes_no_memory_with_friction_that_remembers) {
  if (!counts_allocations()) GTEST_SKIP();
  const Study study = io::read_study_text(R"(
gravity = [0, -9.81]
[bodies]
ball = {mass = 1, inertia = 0.4, position = [0, 0.9999], velocity = [2, 0]}
[forces]
floor = {type = "line_contact", bodies = ["ground", "ball"], i = {at = [0, 0], axis = [1, 0]}, j = [0, 0], radius = 1, law = {type = "hunt_crossley", stiffness = 1e5, restitution = 0.5}, friction = {type = "lugre", mu = 0.3, mu_static = 0.4}}
)",
                                          "lugre.toml");
  for (const char* integrator : {"rk4", "dormand-prince", "shampine-gordon"}) {
    Simulation sim(study, stepped(integrator, 1e-6));
    EXPECT_EQ(count(sim, 2e-5).taken, 0) << integrator;
  }
}

TEST(advance, takes_no_memory_with_tables) {
  if (!counts_allocations()) GTEST_SKIP();
  for (const char* model : {"four_bar", "crank_slider"})
    for (const char* integrator : {"rk4", "dormand-prince", "verner"}) {
      const Study study = model_file(model);
      Simulation sim = simulate(precompute(study, {}).model, study, stepped(integrator, 1e-4));
      EXPECT_EQ(count(sim, 2e-4).taken, 0) << model << ' ' << integrator;
    }
}

TEST(advance, takes_no_memory_with_functions_and_inputs) {
  if (!counts_allocations()) GTEST_SKIP();
  for (const IntegratorEntry& integrator : integrator_kinds()) {
    if (integrator.info.name == "adams" || integrator.info.name == "bdf") continue;  // see above
    Model m({.gravity = {0, -9.81}});
    const BodyRef upper = m.body("upper", {.mass = 1, .inertia = 1. / 12, .position = {0.5, 0}});
    const BodyRef lower = m.body("lower", {.mass = 1, .inertia = 1. / 12, .position = {1.5, 0}});
    m.joint("pin", Revolute{}, m.ground().at(0, 0), upper.at(-0.5, 0));
    m.joint("servo", Angle{}, m.ground().at(0, 0), upper.at(-0.5, 0));
    m.joint("elbow", Revolute{}, upper.at(0.5, 0), lower.at(-0.5, 0));
    const StateVariable omega = lower.read(StateVariable::omega);
    m.force("wind", lower.at(0.5, 0), [omega](double t, const State& s) {
      return Components{std::sin(t) - 0.1 * s(omega), 0};
    });
    m.torque("brake", upper, lower, [omega](double, const State& s) { return -0.2 * s(omega); });
    const Input motor = m.torque("a motor with a rather long name", upper, lower);
    const std::vector<Input> push = m.push("push", lower.at(0, 0));
    Simulation sim(m, stepped(integrator.info.name, 1e-3));
    const Input servo = sim.input("servo");
    const auto act = [&](double t) {
      sim[motor] = std::sin(3 * t);
      sim[push[1]] = std::cos(t);
      sim.set(servo, Jet{0.1 * t * t, 0.2 * t, 0.2});
    };
    EXPECT_EQ(count(sim, 2e-3, act).taken, 0) << integrator.info.name;
  }
}
}  // namespace
}  // namespace mubody::testing
