// What a program may get wrong in a model: each is refused with the name of the culprit.
#include <gtest/gtest.h>

#include "mubody/joints/revolute.h"
#include "mubody/own_elements.h"
#include "mubody/simulation/model.h"

namespace mubody::testing {
namespace {
// A rod of 1 m and 1 kg that swings about its end.
struct Swing {
  Model model{{.gravity = {0, -9.81}}};
  BodyRef rod = model.body("rod", {.mass = 1, .inertia = 1. / 12, .position = {0.5, 0}});
  Swing() { model.joint("pin", Revolute{}, model.ground().at(0, 0), rod.at(-0.5, 0)); }
};

// The message of what is refused; empty if it is taken.
template <class Work> std::string refusal(const Work& work) {
  try {
    work();
  } catch (const ModelError& e) {
    return e.what();
  }
  return {};
}

TEST(refusal, of_functions_that_return_the_wrong_number_of_components) {
  Swing p;
  p.model.force("wind", p.rod.at(0, 0), [](double, const State&) { return Components{1, 0, 0}; });
  EXPECT_EQ(refusal([&] { Simulation sim(p.model); }),
            "force 'wind': its function returns 3 components, but gravity has 2");
}

TEST(refusal, of_the_state_of_unknown_bodies) {
  Swing p;
  const StateVariable unknown = BodyRef(7).read(StateVariable::omega);
  p.model.torque("brake", p.model.ground(), p.rod, [unknown](double, const State& s) { return -s(unknown); });
  EXPECT_EQ(refusal([&] { Simulation sim(p.model); }),
            "force 'brake': a function of the program reads the state of a body that is not in the model");
}

TEST(refusal, of_bodies_of_another_model) {
  Swing one, two;
  EXPECT_EQ(
      refusal([&] { two.model.joint("weld", Revolute{}, two.model.ground().at(0, 0), one.rod.at(0, 0)); }),
      "joint 'weld': its marker is on a body of another model");
  EXPECT_EQ(refusal([&] { two.model.torque("motor", two.model.ground(), one.rod); }),
            "force 'motor': its marker is on a body of another model");
  EXPECT_EQ(refusal([&] { two.model.point("tip", one.rod.at(0.5, 0)); }),
            "point 'tip' is on a body of another model");
  // What was refused is not there, and a copy of a model knows its bodies.
  Model copy = two.model;
  copy.torque("motor", copy.ground(), two.rod);
  EXPECT_TRUE(Simulation(copy).advance(0.1));
}

TEST(refusal, of_axes_without_length) {
  const Marker m = BodyRef(1).at(0, 0);
  EXPECT_EQ(refusal([&] { with_axis(m, Vec<3>::Zero()); }),
            "with_axis: the axis must have a length, and be finite");
  EXPECT_NE(refusal([&] { with_axis(m, Vec<3>(0, NAN, 1)); }), "");
  EXPECT_EQ(refusal([&] { with_axis(m, Vec<3>(0, 0, 1e-3)); }), "");
}

// A pin that says it has one equation, and has two.
struct Miscounted {
  static constexpr Info info{"miscounted", "a pin that says it has one equation, and has two"};
  static constexpr Use use = Use::joint;
  static constexpr int forbids(int D) { return D - 1; }
  static constexpr int allows(int D) { return D == 2 ? 2 : 4; }
  Marker i, j;
  void fields(Fields& f) {
    f.required("i", i, "m", "on the first body");
    f.required("j", j, "m", "on the second");
  }
  template <class F, class G, class E> void forbid(const F& i, const G& j, E& eq) const {
    eq.zero(i.o() - j.o());
  }
  template <class F, class G, class R> void measure(const F& i, const G& j, R& report) const {
    report("x", "m", dot(i.x(), j.o() - i.o()));
  }
};

TEST(refusal, of_joints_that_miscount_their_equations) {
  Model m({.gravity = {0, -9.81}});
  const BodyRef rod = m.body("rod", {.mass = 1, .inertia = 1. / 12, .position = {0.5, 0}});
  m.joint("pin", Miscounted{}, m.ground().at(0, 0), rod.at(-0.5, 0));
  EXPECT_EQ(refusal([&] { Simulation sim(m); }),
            "joint 'pin' (miscounted): forbids(2) is 1, but it has 2 equations");
}

// Every integrator says what is not finite, and which force it is.
TEST(refusal, of_forces_that_are_not_finite_names_them) {
  const auto stops = [](const std::string& what, const Study& study, std::string_view integrator) {
    Simulation sim(study, {.integrator = std::string(integrator), .step = 1e-3});
    const Outcome end = sim.advance(0.1);
    EXPECT_FALSE(end) << what;
    EXPECT_EQ(end.kind, Outcome::not_finite) << what << ": " << end.why;
    EXPECT_NE(end.why.find("force 'bad' is not finite"), std::string::npos) << what << ": " << end.why;
    EXPECT_LE(sim.time(), 0.0511) << what;
  };
  Swing p;
  const StateVariable omega = p.rod.read(StateVariable::omega);
  // In front of the bad one stands one that is not finite where the state is not.
  p.model.torque("brake", p.model.ground(), p.rod, [omega](double, const State& s) { return -0.1 * s(omega); });
  p.model.force("bad", p.rod.at(0, 0), [](double t, const State&) {
    return Components{t > 0.05 ? NAN : 0, 0};
  });
  for (const IntegratorEntry& integrator : integrator_kinds())
    stops(std::string(integrator.info.name), p.model.study(), integrator.info.name);
  for (const TreatmentEntry& treatment : treatment_kinds()) {
    Study study = p.model.study();
    study.analysis.treatment = treatment.make();
    stops(std::string(treatment.info.name), study, "dormand-prince");
  }
}
}  // namespace
}  // namespace mubody::testing
