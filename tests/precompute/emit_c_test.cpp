// Emitted C: it builds without warnings, passes its own test, and fits a small processor.
#include "mubody/precompute/c/emit_c.h"

#include "mubody/forces/spring.h"
#include "mubody/mubody.h"
#include "mubody/own_elements.h"
#include "tests/c_folder.h"
#include "tests/precompute/models.h"

namespace mubody::testing {
namespace {
class EmittedC : public ::testing::Test {
 protected:
  // In double precision it must agree with the library to 1e-12, in single to what floats can do over the time.
  void try_study(const Study& study, PrecomputeOptions o, bool single, int steps = 2000) {
    o.bound = single ? 1e-5 : 1e-8;
    const Precomputed made = precompute(study, o);
    EmitOptions e;
    e.name = "m";
    e.single = single;
    e.steps = single ? steps / 10 : steps;
    folder.take(emit_c(made.model, study.mechanism, e));
    EXPECT_LE(folder.tested(), single ? 1e-4 : 1e-12) << study.mechanism.name;
  }
  void try_example(const std::string& model, const PrecomputeOptions& o, bool single) {
    try_study(example(model), o, single);
    if (!has_program(CFolder::arm)) GTEST_SKIP() << "no compiler for ARM";
    EXPECT_EQ(folder.compile_for_arm(), 0);
  }
  void try_text(const char* text, const PrecomputeOptions& o = {}, int steps = 2000) {
    const Study study = io::read_study_text(text, "model.toml");
    for (const bool single : {false, true}) try_study(study, o, single, steps);
  }
  std::string source() const { return folder.read("m.c"); }
  const CFolder folder{"-O1"};
};

TEST_F(EmittedC, crank_slider) { try_example("crank_slider", {}, false); }
TEST_F(EmittedC, four_bar) { try_example("four_bar", {}, false); }
TEST_F(EmittedC, iltis) {
  PrecomputeOptions o;
  o.ranges = {{"inner.angle", -0.4, 0.6}};
  try_example("iltis_suspension", o, false);
}
TEST_F(EmittedC, single_precision) { try_example("four_bar", {}, true); }
TEST_F(EmittedC, two_freedoms) {
  PrecomputeOptions o;
  o.ranges = {{"A.angle", -0.2, 0.2}, {"B.angle", -0.2, 0.2}};
  try_example("double_pendulum", o, false);
}

TEST_F(EmittedC, regions) {
  const Study study = io::read_study_text(triple_rocker, "rocker.toml", {"bodies.left.omega=0.362314"});
  const Precomputed made = precompute(study, {});
  EmitOptions e;
  e.name = "rocker";
  e.steps = 2000;
  folder.take(emit_c(made.model, study.mechanism, e), "rocker");
  folder.tested("rocker");
}

// Forces of all laws, functions and kinds that see scalars of the mechanism.
TEST_F(EmittedC, forces_along_scalars) {
  try_text(R"toml(
gravity = [0, -9.81]
[bodies]
bob = {mass = 2, inertia = 0.1, position = [0.5, 0], omega = 1}
[joints]
A = {type = "revolute", bodies = ["ground", "bob"], i = [0, 0], j = [-0.5, 0]}
[points]
tip = {body = "bob", at = [0.4, 0]}
[forces]
table   = {type = "spring", bodies = ["ground", "bob"], i = [0.2, 1], j = [0.1, 0], law = {type = "table", data = [[-1, -20], [-0.1, -1], [0, 0], [0.5, 30], [2, 50]]}}
smooth  = {type = "spring", bodies = ["ground", "bob"], i = [0.2, -1], j = [0.1, 0], law = {type = "table", interpolation = "spline", data = [[-1, -20], [0, 0], [0.5, 30], [2, 50]]}}
stages  = {type = "torsion_spring", joint = "A", free_angle = 0, law = {type = "piecewise", breaks = [-0.4, 0.1], stiffness = [100, 10, 200]}}
rising  = {type = "torsion_spring", joint = "A", free_angle = 0.2, law = {type = "polynomial", coefficients = [10, 0, 5]}, damping = 0.1}
formula = {type = "spring", bodies = ["ground", "bob"], i = [0, 2], j = [0, 0], law = "= 10*(length - 1)^3 + if(rate > 0, 5*rate, rate) + mod(t + 0.0001, 0.3)"}
pulled  = {type = "spring", bodies = ["ground", "bob"], i = [1, 2], j = [0, 0], stiffness = 3, actuator = {type = "harmonic", amplitude = 4, frequency = 2}}
wave    = {type = "moment", body = "bob", moment = {type = "spline", data = [[0, 0], [0.5, 3], [1, -2], [3, 1]]}}
push    = {type = "force", body = "bob", at = [0.4, 0], force = ["= -3*tip.x + t", "= step(t, 0.2, 0, 0.7, tip.vy^2)"]}
tyre    = {type = "tyre", bodies = ["ground", "bob"], i = [0, -1], j = [0.4, 0], stiffness = 100, damping = 1, radius = 0.9, speed = 2, profile = "= 0.1*sin(x)"}
motor   = {type = "joint_motor", joint = "A", effort = "= max(0, sin(3*t)) - 0.1*bob.omega^3"}
cruise  = {type = "speed_motor", joint = "A", speed = {type = "step", from = 0, to = 2, start = 0.1, end = 0.8}, gain = 2, limit = 1.5}
servo   = {type = "position_motor", joint = "A", position = "= 0.3*t^2", stiffness = 4, damping = 0.4}
point   = {type = "spring", bodies = ["ground", "bob"], i = [0.6, 0.2], j = [0.1, 0], stiffness = 50, damping = 3, free_length = 0}
)toml");
  EXPECT_NE(source().find("mb_index("), std::string::npos) << "tables are looked up";
  EXPECT_NE(source().find("BODY_FORCES = 0"), std::string::npos);
}

// Forces that act on bodies, and not along a scalar.
TEST_F(EmittedC, forces_on_bodies) {
  try_text(R"toml(
gravity = [0, -9.81]
[bodies]
bob = {mass = 2, inertia = 0.1, position = [0.5, 0], omega = 9}
[joints]
A = {type = "revolute", bodies = ["ground", "bob"], i = [0, 0], j = [-0.5, 0]}
[forces]
jet    = {type = "force", body = "bob", at = [0.4, 0], axes = "body", force = ["= t", "= 2*cos(t) - 0.1*bob.omega"]}
rubber = {type = "bushing", bodies = ["ground", "bob"], i = [0.1, 0], j = [-0.3, 0], stiffness = [30, 20, 0], damping = [0.3, 0.2, 0]}
drag   = {type = "moment", body = "bob", moment = "= -0.01*bob.omega*abs(bob.omega)"}
)toml");
  EXPECT_NE(source().find("BODY_FORCES = 1"), std::string::npos);
  try_text(R"toml(
gravity = [0, 0, -9.81]
[bodies]
arm   = {mass = 6, inertia = [0.1, 0.2, 0.2], position = [0.2, 0, 0.5]}
wheel = {mass = 20, inertia = [1.4, 0.8, 0.8], position = [0.4, 0, 0.5], omega = [35, 0, 0]}
[joints]
A    = {type = "revolute", bodies = ["ground", "arm"], at = [0, 0, 0.5], axis = [0, 1, 0]}
spin = {type = "revolute", bodies = ["arm", "wheel"], at = [0.4, 0, 0.5], axis = [1, 0, 0]}
[forces]
coil  = {type = "torsion_spring", joint = "A", stiffness = 900}
motor = {type = "torque", bodies = ["arm", "wheel"], torque = ["= 3*sin(t)", 0, "= t"], axes = "body"}
twist = {type = "moment", body = "arm", axis = [0, 1, 0], moment = "= 5*cos(3*t) - arm.wy"}
jet   = {type = "force", body = "wheel", at = [0.1, 0.2, 0.3], axes = "body", force = ["= t", 1, "= 2 - wheel.vz"]}
)toml",
           {.independent = {"A.angle", "spin.angle"}, .ranges = {{"A.angle", -1, 1}}});
}

// A force that counts turns about an axis in space, where angles repeat after one.
TEST_F(EmittedC, turns_of_forces_on_bodies) {
  try_text(R"toml(
[bodies]
rod = {mass = 1, inertia = [0.1, 0.2, 0.1], position = [0, 0.5, 0], omega = [30, 0, 0]}
[joints]
A = {type = "revolute", bodies = ["ground", "rod"], at = [0, 0, 0], axis = [1, 0, 0]}
[forces]
wound = {type = "joint_spring", bodies = ["ground", "rod"], i = [0, 0, 0], j = [0, -0.5, 0], motion = "angle_x", stiffness = 0.3, damping = 0.01, free = 0}
)toml");
  EXPECT_NE(source().find("mb_keep("), std::string::npos);
}

// Drivers of a variable that turns often, and of one beside a free variable.
TEST_F(EmittedC, drivers) {
  try_text(R"toml(
gravity = [0, -9.81]
[bodies]
trolley = {mass = 5, inertia = 1, position = [0, 0]}
bob     = {mass = 1, inertia = 0.01, position = [0, -1], omega = 1}
[joints]
rails = {type = "translational", bodies = ["ground", "trolley"], i = {at = [0, 0], axis = [1, 0]}, j = [0, 0]}
pin   = {type = "revolute", bodies = ["trolley", "bob"], at = [0, 0]}
[drivers]
shaker = {type = "slide", joint = "rails", value = "= 0.2*sin(3*t)"}
[forces]
damper = {type = "moment", bodies = ["trolley", "bob"], moment = "= -0.3*bob.omega^3"}
)toml");
  EXPECT_NE(source().find("DRIVEN = 1"), std::string::npos);
  try_text(R"toml(
gravity = [0, -9.81]
[bodies]
crank  = {mass = 2, inertia = 0.05, position = [0.1, 0]}
rod    = {mass = 1, inertia = 0.05, position = [0.5, 0]}
slider = {mass = 3, inertia = 0.05, position = [0.8, 0]}
[joints]
A = {type = "revolute", bodies = ["ground", "crank"], at = [0, 0]}
B = {type = "revolute", bodies = ["crank", "rod"], at = [0.2, 0]}
C = {type = "revolute", bodies = ["rod", "slider"], at = [0.8, 0]}
G = {type = "translational", bodies = ["ground", "slider"], i = {at = [0, 0], axis = [1, 0]}, j = [0, 0]}
[drivers]
motor = {type = "angle", joint = "A", value = {type = "polynomial", coefficients = [0, 70, 5]}}
)toml");
}

// A law and a function of one's own need no C: they are recorded if they are written for any scalar.
struct Hardening {
  static constexpr Info info{"hardening", "a spring that becomes stiffer"};
  static constexpr bool stores_energy = false;
  double k = 0, h = 0;
  void fields(Fields& f) {
    f.required("k", k, "N/m", "stiffness at rest");
    f.required("h", h, "N/m3", "how it grows");
  }
  void check() const {}
  template <class R> R force(const DeflectionOf<R>& d) const {
    return k * d.deflection + h * d.deflection * d.deflection * d.deflection;
  }
  template <class R> R potential(const R&) const { return 0; }
};
struct Doubles : Hardening {
  static constexpr Info info{"doubles", "the same of doubles alone"};
  double force(const Deflection& d) const { return Hardening::force(d); }
  double potential(double) const { return 0; }
};
template <class Own> Study with_law(const Own& law) {
  Study study = io::read_study_text(R"toml(
gravity = [0, -9.81]
[bodies]
bob = {mass = 2, inertia = 0.1, position = [0.5, 0]}
[joints]
A = {type = "revolute", bodies = ["ground", "bob"], i = [0, 0], j = [-0.5, 0]}
[forces]
own = {type = "spring", bodies = ["ground", "bob"], i = [0, 1], j = [0, 0], law = "= rate"}
)toml",
                                    "own.toml");
  auto& spring = static_cast<ForceOf<Spring>&>(*study.mechanism.forces[0].what).force;
  spring.law = Law(law);
  return study;
}
struct Drag {
  static constexpr Info info{"drag", "a force against the motion of a point, with the square of its speed"};
  static constexpr bool any_scalar = true;
  Marker i, j;
  double coefficient = 0;
  void fields(Fields& f) {
    f.required("j", j, "m", "the body, and the point on it");
    f.required("coefficient", coefficient, "N s2/m2", "force over speed squared");
  }
  template <class F, class G, class N, class S> void apply(const F&, const G& j, const N&, S& sink) const {
    using R = typename F::Real;
    const auto o = j.o();
    const R speed = o.v.norm();
    sink.push(j, -coefficient * speed * o.v, Vec<mubody::spins<F::dim>, R>::Zero());
    sink.dissipates([&] { return coefficient * speed * speed * speed; });
  }
};
TEST_F(EmittedC, forces_of_ones_own) {
  Model m({.gravity = {0, -9.81}});
  const BodyRef bob = m.body("bob", {.mass = 2, .inertia = 0.1, .position = {0.5, 0}});
  m.joint("A", Revolute{}, m.ground().at(0, 0), bob.at(-0.5, 0));
  m.force("air", Drag{.coefficient = 0.5}, m.ground().at(0, 0), bob.at(0.3, 0));
  try_study(m.study(), {}, false);
  EXPECT_NE(source().find("BODY_FORCES = 1"), std::string::npos);
}
TEST_F(EmittedC, laws_of_ones_own) {
  for (const bool single : {false, true}) try_study(with_law(Hardening{40, 9}), {}, single);
}

// A wheel that spins in the plane, on which forces in C depend, and one in space.
TEST_F(EmittedC, cyclic_variables) {
  const char* const models[] = {R"toml(
gravity = [0, -9.81]
[bodies]
arm   = {mass = 8, inertia = 0.3, position = [0.25, 0]}
wheel = {mass = 25, inertia = 0.9, position = [0.5, 0], omega = -40}
[joints]
A    = {type = "revolute", bodies = ["ground", "arm"], at = [0, 0]}
spin = {type = "revolute", bodies = ["arm", "wheel"], at = [0.5, 0]}
[forces]
coil  = {type = "torsion_spring", joint = "A", stiffness = 900}
brake = {type = "moment", bodies = ["arm", "wheel"], moment = "= -30*tanh(wheel.omega + 0.3*wheel.angle)"}
)toml",
                                R"toml(
gravity = [0, 0, -9.81]
[bodies]
arm   = {mass = 6, inertia = [0.1, 0.2, 0.2], position = [0.2, 0, 0.5]}
wheel = {mass = 20, inertia = [1.4, 0.8, 0.8], position = [0.4, 0, 0.5], omega = [35, 0, 0]}
[joints]
A    = {type = "revolute", bodies = ["ground", "arm"], at = [0, 0, 0.5], axis = [0, 1, 0]}
spin = {type = "revolute", bodies = ["arm", "wheel"], at = [0.4, 0, 0.5], axis = [1, 0, 0]}
[forces]
coil  = {type = "torsion_spring", joint = "A", stiffness = 900}
)toml"};
  for (const char* const text : models) {
    const Study study = io::read_study_text(text, "wheel.toml");
    PrecomputeOptions o;
    o.bound = 1e-8;
    o.independent = {"A.angle", "spin.angle"};
    o.ranges = {{"A.angle", -1, 1}};
    const Precomputed made = precompute(study, o);
    ASSERT_TRUE(made.model.regions.front().variables.back().cyclic);
    EmitOptions e;
    e.name = "wheel";
    e.steps = 2000;
    folder.take(emit_c(made.model, study.mechanism, e), "wheel");
    folder.tested("wheel");
  }
}

// Names in the model that look like C, and two models in one program, one with formulas at run time.
TEST_F(EmittedC, models_do_not_disturb_each_other) {
  Study study = io::read_study_text(R"toml(
gravity = [0, -9.81]
[bodies]
bob = {mass = 1, inertia = 0.1, position = [0.5, 0]}
[joints]
A = {type = "revolute", bodies = ["ground", "bob"], i = [0, 0], j = [-0.5, 0]}
[forces]
motor = {type = "moment", body = "bob", moment = "= max(0, sin(3*t)) - 0.1*bob.omega^3"}
)toml",
                                    "pendulum.toml");
  study.mechanism.name = "NAME */ model_state /*";
  const Precomputed made = precompute(study, {.bound = 1e-6});
  ASSERT_EQ(made.run_time, std::vector<std::string>{"motor"});
  study.mechanism.bodies.front().name = "model_real */ #error";
  study.mechanism.forces.front().name = "*/ model_step /*";
  folder.take(emit_c(made.model, study.mechanism, {.name = "model"}), "model");
  folder.take(emit_c(made.model, study.mechanism, {.name = "my_model", .single = true}), "my_model");
  folder.write("main.c", R"c(
#include "model.h"
#include "my_model.h"
int main(void) { return model_self_test() < 1e-12 && my_model_self_test() < 1e-2f ? 0 : 1; }
)c");
  for (const std::string compiler : {"cc", "clang"})
    if (has_program(compiler)) {
      ASSERT_EQ(folder.compile("main.c model.c my_model.c -o both -lm", compiler), 0) << compiler;
      EXPECT_EQ(folder.shell("./both"), 0) << compiler;
    }
  EXPECT_EQ(folder.shell("c++ -std=c++17 -Wall -Wextra -pedantic -Werror -fsyntax-only -x c++ my_model.h"), 0);
}

TEST_F(EmittedC, refuses_what_c_cannot_hold) {
  const auto message = [](const Study& study) -> std::string {
    const Precomputed made = precompute(study, {.bound = 1e-4});
    try {
      emit_c(made.model, study.mechanism, {.name = "m"});
    } catch (const ModelError& e) {
      return e.what();
    }
    return "no error";
  };
  expect_parts(message(with_law(Doubles{})), {"own.toml:", "'own' (spring)", "law 'doubles'", "doubles alone"});
  const Study contact = io::read_study_text(R"toml(
gravity = [0, -9.81]
[bodies]
rod = {mass = 1, inertia = 1, position = [0.5, 0]}
[joints]
A = {type = "revolute", bodies = ["ground", "rod"], at = [0, 0]}
[forces]
rim = {type = "line_contact", bodies = ["ground", "rod"], i = {at = [-0.3, 0], axis = [0, -1]}, j = [0, 0], radius = 0.05, law = {type = "hunt_crossley", stiffness = 1e5, restitution = 0.7}}
)toml",
                                            "contact.toml");
  expect_parts(message(contact), {"contact.toml:", "'rim' (line_contact)", "instants", "mubody run"});
  const Study small = with_law(Hardening{40, 9});
  const Precomputed made = precompute(small, {.bound = 1e-4});
  EXPECT_THROW(emit_c(made.model, small.mechanism, {.name = "m", .most_mb = 1e-6}), ModelError);
}

TEST(c_name, is_an_identifier) {
  EXPECT_EQ(c_name("four-bar"), "four_bar");
  EXPECT_EQ(c_name("4 bars"), "m4_bars");
  EXPECT_EQ(c_name("Größe"), "Gr____e");
  EXPECT_EQ(c_name("mb"), "m_mb");
}
}  // namespace
}  // namespace mubody::testing
