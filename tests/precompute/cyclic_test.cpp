// Cyclic variables: a wheel that spins, a cart that rolls on.  No table has an axis for them, and motions are those of the
// full model.
#include <map>

#include "mubody/reading/real_time_file.h"
#include "mubody/writing/write_precomputed.h"
#include "tests/precompute/models.h"

namespace mubody::testing {
namespace {
// A chassis that heaves on a trailing arm, with a wheel that is braked and driven.
const char* const trailing_arm = R"toml(
name = "quarter car"
gravity = [0, -9.81]
[bodies]
chassis = {mass = 300, inertia = 40, position = [0, 0.55]}
arm     = {mass = 8, inertia = 0.3, position = [0.25, 0.36]}
wheel   = {mass = 25, inertia = 0.9, position = [0.5, 0.32], omega = -40}
[joints]
rail = {type = "translational", bodies = ["ground", "chassis"], at = [0, 0.55], to = [0, 1.55]}
A    = {type = "revolute", bodies = ["chassis", "arm"], at = [0, 0.4]}
spin = {type = "revolute", bodies = ["arm", "wheel"], at = [0.5, 0.32]}
[forces]
strut = {type = "spring", bodies = ["chassis", "arm"], i = [0.3, 0.1], j = [0.1, 0], stiffness = 60000, damping = 3000, free_length = 0.364}
tyre  = {type = "tyre", bodies = ["ground", "wheel"], i = [0, 0], j = [0, 0], radius = 0.338, stiffness = 180000, damping = 150, profile = "= 0.01*sin(3*x)", speed = 2}
brake = {type = "moment", bodies = ["arm", "wheel"], moment = "= -30*tanh(wheel.omega + 20*t)"}
coil  = {type = "torsion_spring", bodies = ["arm", "wheel"], stiffness = 0.5, damping = 0.1, free_angle = 0}
[analysis]
end = 0.5
rtol = 1e-11
[output]
step = 0.02
)toml";

// An arm swings, a hub steers on it, a wheel spins in the hub: gyroscopic moments couple them.
const char* const steered = R"toml(
name = "steered wheel"
gravity = [0, 0, -9.81]
[bodies]
arm   = {mass = 6, inertia = [0.1, 0.2, 0.2], position = [0.2, 0, 0.5]}
hub   = {mass = 9, inertia = [0.1, 0.1, 0.1], position = [0.4, 0, 0.5]}
wheel = {mass = 20, inertia = [0.8, 1.4, 0.8], position = [0.4, 0.1, 0.5], omega = [0, 35, 0]}
[joints]
swing = {type = "revolute", bodies = ["ground", "arm"], at = [0, 0, 0.5], axis = [0, 1, 0]}
steer = {type = "revolute", bodies = ["arm", "hub"], at = [0.4, 0, 0.5], axis = [0.1, 0, 1]}
spin  = {type = "revolute", bodies = ["hub", "wheel"], at = [0.4, 0.1, 0.5], axis = [0, 1, 0]}
[forces]
coil  = {type = "torsion_spring", joint = "swing", stiffness = 1500, damping = 20, free_angle = -0.1}
gear  = {type = "torsion_spring", joint = "steer", stiffness = 200, damping = 3, actuator = "= 40*sin(7*t)"}
drive = {type = "moment", bodies = ["hub", "wheel"], j = {at = [0, 0, 0], axis = [0, 1, 0]}, moment = "= 20*cos(3*t)"}
[analysis]
end = 0.5
rtol = 1e-11
[output]
step = 0.02
)toml";

const VariableRange& range_of(const Precomputed& made, const std::string& name) {
  const auto& all = made.model.regions.front().variables;
  const auto at = std::ranges::find(all, name, &VariableRange::name);
  if (at == all.end()) throw std::runtime_error("no variable " + name);
  return *at;
}

bool any_axis(const Precomputed& made, const std::string& name) {
  return std::ranges::any_of(made.tables, [&](const TableReport& t) {
    return std::ranges::find(t.arguments, name) != t.arguments.end();
  });
}

PrecomputeOptions quarter_options() {
  PrecomputeOptions o;
  o.bound = 1e-3;  // forces are some 10 kN
  o.independent = {"spin.angle", "rail.slide", "A.angle"};
  o.ranges = {{"rail.slide", -0.06, 0.06}, {"A.angle", -0.3, 0.3}};
  return o;
}

PrecomputeOptions steered_options() {
  PrecomputeOptions o;
  o.bound = 1e-4;
  o.ranges = {{"swing.angle", -0.3, 0.3}, {"steer.angle", -0.5, 0.5}};
  o.independent = {"swing.angle", "steer.angle", "spin.angle"};
  return o;
}

const Study& steered_study() {
  static const Study study = io::read_study_text(steered, "steered.toml");
  return study;
}

/// Made once for all tests.
const Precomputed& steered_tables() {
  static const Precomputed made = precompute(steered_study(), steered_options());
  return made;
}

TEST(cyclic, wheel_in_the_plane_is_in_no_axis) {
  const Study study = io::read_study_text(trailing_arm, "quarter.toml");
  const Precomputed made = precompute(study, quarter_options());
  EXPECT_TRUE(range_of(made, "spin.angle").cyclic);
  EXPECT_FALSE(range_of(made, "rail.slide").cyclic);  // weight
  EXPECT_FALSE(any_axis(made, "spin.angle"));
  EXPECT_NE(io::precomputed_text(made).find("spin.angle, cyclic"), std::string::npos);
  const RealTimeModel read = io::real_time_from(io::real_time_bytes(made.model), "x.rt");
  const Results fast = run_real_time(read, study), full = run(study);
  ASSERT_TRUE(fast.outcome) << fast.outcome.why;
  EXPECT_LT(full.column("wheel.angle").back(), -10);
  for (const char* column : {"chassis.y", "arm.angle", "wheel.x", "wheel.y", "wheel.angle"})
    EXPECT_LT(apart(fast, full, column), 1e-7) << column;
  EXPECT_LT(apart(fast, full, "wheel.omega"), 1e-5);
  EXPECT_GT(full.column("dissipated").back(), 10);
  for (const char* column : {"dissipated", "applied_work", "total"})
    EXPECT_LT(apart(fast, full, column), 1e-4) << column;
}

TEST(cyclic, wheel_in_space_is_in_no_axis) {
  const Study& study = steered_study();
  const Precomputed& made = steered_tables();
  EXPECT_TRUE(range_of(made, "spin.angle").cyclic);
  EXPECT_FALSE(any_axis(made, "spin.angle"));
  const Results fast = run_real_time(made.model, study), full = run(study);
  ASSERT_TRUE(fast.outcome) << fast.outcome.why;
  for (const char* column : {"hub.x", "hub.z", "wheel.x", "wheel.y", "wheel.z", "wheel.e0", "wheel.e1",
                             "wheel.e2", "wheel.e3", "hub.e3"})
    EXPECT_LT(apart(fast, full, column), 1e-6) << column;
  for (const char* column : {"wheel.wx", "wheel.wy", "wheel.wz"})
    EXPECT_LT(apart(fast, full, column), 2e-5) << column;
}

// B and its slopes where the wheel has turned, against the exact closure.
TEST(cyclic, velocities_turn_with_the_body) {
  const Study& study = steered_study();
  const Precomputed& made = steered_tables();
  std::vector<Variable> variables;
  for (const VariableRange& v : made.model.regions.front().variables)
    variables.push_back(find_variable(study.mechanism, v.name));
  Begun b = begin(study, "test");
  Closure exact(study.mechanism, variables, 0, b.q);
  RealTime run(made.model, study.mechanism);
  RealTime::State s = run.start();
  const double none[3] = {0, 0, 0};
  VecX q(b.q.size()), u(b.u.size()), a(b.u.size()), right(b.q.size());
  for (const double turn : {0.4, 2.9, -11.0}) {
    const Eigen::Vector3d theta(0.12, -0.21, turn), rate(0.7, -0.4, 1.3);
    for (std::size_t k = 0; k < 3; ++k) s.theta[k] = theta[Eigen::Index(k)], s.rate[k] = rate[Eigen::Index(k)];
    ASSERT_TRUE(exact.go(theta));
    const ClosureCoefficients c = exact.coefficients();
    run.positions(s, q);
    run.velocities(s, u);
    run.body_accelerations(s, none, a);
    EXPECT_LT((q - exact.q()).lpNorm<Eigen::Infinity>(), 1e-6) << turn;
    EXPECT_LT((u - c.B * rate).lpNorm<Eigen::Infinity>(), 1e-6) << turn;
    VecX wanted = VecX::Zero(u.size());
    for (int k = 0; k < 3; ++k) wanted += rate[k] * c.dB[std::size_t(k)] * rate;
    EXPECT_LT((a - wanted).lpNorm<Eigen::Infinity>(), 1e-5) << turn;
  }
}

// A wheel that is not balanced, and one that is balanced but turns a spring with its rim.
TEST(cyclic, a_wheel_that_is_not_round_is_tabulated) {
  for (const char* more :
       {"x = 0.02\n",
        "x = 0\n[forces]\ns = {type = \"spring\", bodies = [\"ground\", \"wheel\"], i = [1, 1], j = "
        "[0.3, 0], stiffness = 100, free_length = 0.5}\n"}) {
    const Study study = io::read_study_text(std::string(R"toml(
[bodies]
arm   = {mass = 8, inertia = 0.3, position = [0.25, 0]}
wheel = {mass = 25, inertia = 0.9, position = [0.5, 0]}
[joints]
A    = {type = "revolute", bodies = ["ground", "arm"], at = [0, 0]}
spin = {type = "revolute", bodies = ["arm", "wheel"], i = ["= 0.25 + x", 0], j = ["= x", 0]}
[parameters]
)toml") + more,
                                            "wheel.toml");
    PrecomputeOptions o;
    o.bound = 10;
    o.degree = 3;
    o.independent = {"A.angle", "spin.angle"};
    o.ranges = {{"A.angle", -0.1, 0.1}};
    const Precomputed made = precompute(study, o);
    EXPECT_FALSE(range_of(made, "spin.angle").cyclic);
    EXPECT_TRUE(range_of(made, "spin.angle").periodic);
    EXPECT_TRUE(any_axis(made, "spin.angle"));
  }
}

// Where a cart is does not matter to a pendulum, so that its slide needs no range.
const char* const rolling_cart = R"toml(
gravity = [0, -9.81]
[bodies]
cart = {mass = 3, inertia = 1, position = [0, 0], velocity = [1.5, 0]}
bob  = {mass = 1, inertia = 0.02, position = [0.3, -0.4], velocity = [1.5, 0]}
[joints]
rail = {type = "translational", bodies = ["ground", "cart"], at = [0, 0], to = [1, 0]}
pin  = {type = "revolute", bodies = ["cart", "bob"], at = [0, 0]}
[forces]
drag = {type = "force", body = "cart", at = [0, 0], force = ["= -0.8*cart.vx + 0.3*sin(cart.x)", 0]}
[analysis]
end = 4
rtol = 1e-11
[output]
step = 0.05
)toml";

TEST(cyclic, a_cart_needs_no_range) {
  const Study study = io::read_study_text(rolling_cart, "cart.toml");
  PrecomputeOptions o;
  o.bound = 1e-8;
  o.independent = {"rail.slide", "pin.angle"};
  const Precomputed made = precompute(study, o);
  EXPECT_TRUE(range_of(made, "rail.slide").cyclic);
  EXPECT_EQ(made.model.regions.front().variables.back().name, "rail.slide");
  const Results fast = run_real_time(made.model, study), full = run(study);
  ASSERT_TRUE(fast.outcome) << fast.outcome.why;
  EXPECT_GT(full.column("cart.x").back(), 2);
  for (const char* column : {"cart.x", "bob.x", "bob.y", "bob.angle"})
    EXPECT_LT(apart(fast, full, column), 1e-7) << column;
}

// A spring to the ground depends on where the cart is, and not in proportion.
TEST(cyclic, a_spring_makes_it_a_variable_like_others) {
  const std::string text =
      std::string(rolling_cart) +
      "[forces.tie]\ntype = \"spring\"\nbodies = [\"ground\", \"cart\"]\ni = [0, 1]\nj = [0, 0]\n"
      "stiffness = 3\nfree_length = 0.4\n";
  const Study study = io::read_study_text(text, "cart.toml");
  PrecomputeOptions o;
  o.independent = {"rail.slide", "pin.angle"};
  expect_parts(message_of(study, o), {"rail.slide has no end"});
}

// A cam that rests around the start rises further on, and moves its follower against gravity.
TEST(cyclic, not_if_a_cam_rises_further_on) {
  const Study study = io::read_study_text(R"toml(
gravity = [0, -9.81]
[bodies]
shaft = {mass = 1, inertia = 0.1, position = [0, 0], omega = 3}
follower = {mass = 1, inertia = 0.1, position = [1, 0]}
bob = {mass = 1, inertia = 0.1, position = [3, -1]}
[joints]
A = {type = "revolute", bodies = ["ground", "shaft"], at = [0, 0]}
guide = {type = "translational", bodies = ["ground", "follower"], at = [1, 0], to = [1, 1]}
cam = {type = "coupler", joints = ["A", "guide"], function = "= 0.3*exp(-((x-3.3)/0.5)^4)"}
pin = {type = "revolute", bodies = ["ground", "bob"], at = [3, 0]}
[analysis]
end = 2
)toml",
                                          "cam.toml");
  bool is_cyclic = false;
  try {
    is_cyclic = range_of(precompute(study, {}), "A.angle").cyclic;
  } catch (const ModelError&) {  // asks for a range
  }
  EXPECT_FALSE(is_cyclic);
}

std::string with_parameters(const char* text, const std::vector<std::array<std::string, 2>>& changes,
                            const std::string& parameters) {
  std::string model = text;
  for (const auto& [from, to] : changes) {
    const std::size_t at = model.find(from);
    if (at == std::string::npos) throw std::runtime_error("no " + from);
    model.replace(at, from.size(), to);
  }
  return model + "\n[parameters]\n" + parameters;
}

// Runs of changed models from the tables of the unchanged one.  The error falls as the square of the change, down to that of
// the tables.
void expect_foreseen(const std::string& text, const Precomputed& made, double floor,
                     const std::vector<std::string>& columns) {
  std::map<std::string, double> before;
  for (const double share : {0.0, 0.02, 0.01, -0.01}) {
    RealTimeModel tables = io::real_time_from(io::real_time_bytes(made.model), "x.rt");
    std::vector<std::string> settings;
    for (const DesignVariable& d : tables.design)
      settings.push_back("parameters." + d.name + "=" +
                         std::to_string(d.nominal + share * std::max(0.1, d.nominal)));
    const Study changed = io::read_study_text(text, "changed.toml", settings);
    for (DesignVariable& d : tables.design) d.value = changed.parameters.at(d.name);
    const Results fast = run_real_time(tables, changed), full = run(changed);
    ASSERT_TRUE(fast.outcome) << fast.outcome.why;
    for (const std::string& column : columns) {
      const double error = apart(fast, full, column);
      if (share == 0) {
        EXPECT_LT(error, floor) << column;
      } else if (share == 0.02) {
        before[column] = error;
      } else {
        EXPECT_LT(error, std::max(before[column] / 3, 2 * floor)) << column << " " << share;
      }
    }
  }
}

// The length of the arm, the mass of the wheel and where a cart starts change nothing of the wheel's symmetry.
TEST(cyclic, also_with_design_variables) {
  const std::string text = with_parameters(
      trailing_arm,
      {{"mass = 25, inertia = 0.9, position = [0.5, 0.32]",
        "mass = \"= mw\", inertia = \"= mw*0.036\", position = [\"= la\", 0.32], angle = \"= la - 0.5\""},
       {"arm\", \"wheel\"], at = [0.5, 0.32]", "arm\", \"wheel\"], at = [\"= la\", 0.32]"}},
      "mw = 25\nla = 0.5\n");
  const Study study = io::read_study_text(text, "quarter.toml");
  PrecomputeOptions o = quarter_options();
  o.design = {"mw", "la"};
  const Precomputed made = precompute(study, o);
  EXPECT_TRUE(range_of(made, "spin.angle").cyclic);
  EXPECT_FALSE(any_axis(made, "spin.angle"));
  expect_foreseen(text, made, 1e-6, {"chassis.y", "arm.angle", "wheel.x", "wheel.y", "wheel.angle"});
}

/// The derivatives of coordinates by a design variable, against differences of tables with changed values.
void expect_derivatives(const Study& study, const Precomputed& made, RealTime::State s, std::size_t k) {
  const auto nq = Eigen::Index(begin(study, "test").q.size());
  VecX by(nq), more(nq), less(nq);
  RealTime nominal(made.model, study.mechanism);
  nominal.sensitivity(s, int(k), by);
  EXPECT_GT(by.lpNorm<Eigen::Infinity>(), 0.1);
  for (const double change : {1e-4, -1e-4}) {
    RealTimeModel tables = made.model;
    tables.design[k].value += change;
    RealTime changed(tables, study.mechanism);
    changed.positions(s, change > 0 ? more : less);
  }
  EXPECT_LT((by - (more - less) / 2e-4).lpNorm<Eigen::Infinity>(), 1e-7) << k;
}

TEST(cyclic, in_space_with_design_variables) {
  const std::string text =
      with_parameters(steered,
                      {{"mass = 20, inertia = [0.8, 1.4, 0.8]", "mass = 20, inertia = [0.8, \"= spun\", 0.8]"},
                       {"stiffness = 200", "stiffness = \"= 142*spun\""},
                       {"axis = [0.1, 0, 1]", "axis = [\"= tilt\", 0, 1]"}},
                      "spun = 1.4\ntilt = 0.1\n");
  const Study study = io::read_study_text(text, "steered.toml");
  PrecomputeOptions o = steered_options();
  o.design = {"spun", "tilt"};
  const Precomputed made = precompute(study, o);
  EXPECT_TRUE(range_of(made, "spin.angle").cyclic);
  EXPECT_FALSE(any_axis(made, "spin.angle"));
  expect_foreseen(text, made, 1e-5,
                  {"hub.x", "wheel.x", "wheel.y", "wheel.z", "wheel.e0", "wheel.e2", "wheel.wy"});
  RealTime::State s = RealTime(made.model, study.mechanism).start();
  s.theta[0] = 0.2, s.theta[1] = -0.3, s.theta[2] = 7.7;
  expect_derivatives(study, made, s, 1);
}

// Derivatives of coordinates far round against differences of tables with changed values: the ratio of a gear decides how
// fast a shaft turns, and its place where it is.
TEST(cyclic, derivatives_by_design_variables_move_on) {
  const Study study = io::read_study_text(R"toml(
gravity = [0, -9.81]
[parameters]
ratio = 2
side = 0.4
[bodies]
arm   = {mass = 1, inertia = 0.1, position = [0, -0.5]}
wheel = {mass = 1, inertia = 0.1, position = [0, -1], omega = 3}
shaft = {mass = 1, inertia = 0.1, position = ["= side", -1]}
[joints]
pin  = {type = "revolute", bodies = ["ground", "arm"], at = [0, 0]}
spin = {type = "revolute", bodies = ["arm", "wheel"], at = [0, -1]}
lay  = {type = "revolute", bodies = ["arm", "shaft"], at = ["= side", -1]}
gear = {type = "coupler", joints = ["spin", "lay"], function = "= ratio*x"}
)toml",
                                          "gear.toml");
  PrecomputeOptions o;
  o.independent = {"pin.angle", "spin.angle"};
  o.design = {"ratio", "side"};
  const Precomputed made = precompute(study, o);
  ASSERT_TRUE(range_of(made, "spin.angle").cyclic);
  RealTime::State s = RealTime(made.model, study.mechanism).start();
  s.theta[0] = 0.3, s.theta[1] = 11;
  for (const std::size_t k : {0U, 1U}) expect_derivatives(study, made, s, k);
}

// A wheel that is round as it is, but not with other values of a parameter.
TEST(cyclic, not_if_a_design_variable_may_disturb_it) {
  const Study study = io::read_study_text(R"toml(
gravity = [0, -9.81]
[parameters]
off = 0
[bodies]
arm   = {mass = 8, inertia = 0.3, position = [0.25, 0]}
wheel = {mass = 25, inertia = 0.9, position = ["= 0.5 + off", 0]}
[joints]
A    = {type = "revolute", bodies = ["ground", "arm"], at = [0, 0]}
spin = {type = "revolute", bodies = ["arm", "wheel"], at = [0.5, 0]}
)toml",
                                          "wheel.toml");
  PrecomputeOptions o;
  o.bound = 10;
  o.degree = 3;
  o.independent = {"A.angle", "spin.angle"};
  o.ranges = {{"A.angle", -0.1, 0.1}};
  EXPECT_TRUE(range_of(precompute(study, o), "spin.angle").cyclic);
  o.design = {"off"};
  EXPECT_FALSE(range_of(precompute(study, o), "spin.angle").cyclic);
}
}  // namespace
}  // namespace mubody::testing
