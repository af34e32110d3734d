// Loops as joints: tables of geometry relative to the body that carries the loops, on vehicles that move.
#include "mubody/precompute/plan/loop_parts.h"
#include "mubody/reading/real_time_file.h"
#include "mubody/system/build.h"
#include "tests/precompute/as_full_model.h"

namespace mubody::testing {
namespace {
/// A chassis that flies in the plane, with one double wishbone: only one of four freedoms is that of a loop.
constexpr const char* free_quarter = R"toml(
gravity = [0, -2]
[bodies]
chassis = {mass = 350, inertia = 50, position = [0, 0.6], velocity = [1, 0.5], omega = 0.3}
lower = {mass = 5, inertia = 0.1, position = [0.45, 0.3]}
upper = {mass = 3, inertia = 0.05, position = [0.45, 0.55]}
hub = {mass = 40, inertia = 1, position = [0.72, 0.42]}
[joints]
l1 = {type = "revolute", bodies = ["chassis", "lower"], at = [0.25, 0.32]}
l2 = {type = "revolute", bodies = ["lower", "hub"], at = [0.65, 0.27]}
u1 = {type = "revolute", bodies = ["chassis", "upper"], at = [0.3, 0.55]}
u2 = {type = "revolute", bodies = ["upper", "hub"], at = [0.62, 0.56]}
[forces]
strut = {type = "spring", bodies = ["chassis", "lower"], i = [0.35, 0.2], j = [0.05, 0], stiffness = 60000, damping = 4000, free_length = 0.65}
[analysis]
end = 1
rtol = 1e-11
[output]
step = 0.02
)toml";

/// A chassis that flies in space, with a rack and one wheel on a double wishbone that it steers.  The wheel spins.
constexpr const char* corner = R"toml(
gravity = [0, 0, -9.81]
[bodies]
chassis = {mass = 400, inertia = [90, 300, 320], position = [0, 0, 0.6], velocity = [8, 0.3, 0], omega = [0.1, 0.2, 0.4]}
rack = {mass = 4, inertia = [0.05, 0.01, 0.05], position = [0.12, 0, 0.35]}
lower = {mass = 6, inertia = [0.1, 0.15, 0.2], position = [0, 0.5, 0.25]}
upper = {mass = 4, inertia = [0.05, 0.08, 0.1], position = [0, 0.5, 0.55]}
hub = {mass = 12, inertia = [0.2, 0.2, 0.2], position = [0, 0.72, 0.4]}
rod = {mass = 1, inertia = [0.02, 0.001, 0.02], position = [0.12, 0.5, 0.36]}
wheel = {mass = 18, inertia = [0.5, 0.9, 0.5], position = [0, 0.78, 0.4], omega = [0, 25, 0]}
[joints]
slide = {type = "translational", bodies = ["chassis", "rack"], at = [0.12, 0, 0.35], axis = [0, 1, 0]}
la = {type = "revolute", bodies = ["chassis", "lower"], at = [0, 0.3, 0.26], axis = [1, 0, 0.05]}
ua = {type = "revolute", bodies = ["chassis", "upper"], at = [0, 0.35, 0.57], axis = [1, 0, -0.04]}
lb = {type = "spherical", bodies = ["lower", "hub"], at = [0.01, 0.7, 0.24]}
ub = {type = "spherical", bodies = ["upper", "hub"], at = [-0.02, 0.66, 0.55]}
ri = {type = "universal", bodies = ["rack", "rod"], at = [0.12, 0.32, 0.35], axis = [0, 0, 1], across = [1, 0, 0]}
ro = {type = "spherical", bodies = ["rod", "hub"], at = [0.13, 0.68, 0.37]}
axle = {type = "revolute", bodies = ["hub", "wheel"], at = [0, 0.78, 0.4], axis = [0, 1, 0]}
[forces]
strut = {type = "spring", bodies = ["chassis", "lower"], i = [0, 0.4, 0.15], j = [0, 0.08, 0], stiffness = 30000, damping = 2500, free_length = 0.55}
column = {type = "spring", bodies = ["chassis", "rack"], i = [0.12, -0.6, -0.25], j = [0, -0.1, 0], stiffness = 8000, damping = 300, free_length = 0.53}
[analysis]
end = 0.6
rtol = 1e-10
[output]
step = 0.02
)toml";

/// With ranges that cover the motion of the corner.
PrecomputeOptions of_corner() {
  PrecomputeOptions o = bounded(1e-8);
  o.ranges = {{"slide", -0.06, 0.06}, {"la", -0.35, 0.35}};
  return o;
}

TEST(loop_parts, have_the_body_that_carries_them) {
  const Study study = study_of(corner);
  const std::vector<LoopPart> parts = loop_parts(study.mechanism);
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(study.mechanism.body_name(parts[0].carrier), "chassis");
  EXPECT_EQ(parts[0].bodies, (std::vector<int>{2, 3, 4, 5, 6}));  // all but the wheel, which hangs on the hub
  EXPECT_EQ(parts[0].joints.size(), 7U);
}

TEST(loop_parts, seen_from_their_carrier_move_as_differences_say) {
  const Study study = study_of(corner);
  const Begun b = begin(study, "test");
  const LoopPart part = loop_parts(study.mechanism).front();
  const double h = 1e-6;
  VecX rate(b.system->nq), before, after, own_u, unused;
  b.system->rates(b.q, b.u, rate);
  seen_from_carrier(part, b.system->layout, b.q - h * rate, b.u, before, unused);
  seen_from_carrier(part, b.system->layout, b.q + h * rate, b.u, after, own_u);
  VecX own_q;
  seen_from_carrier(part, b.system->layout, b.q, b.u, own_q, own_u);
  const auto alone_system = build_system(alone(study.mechanism, part, b.system->layout, b.q));
  VecX own_rate(own_q.size());
  alone_system->rates(own_q, own_u, own_rate);
  EXPECT_LT(((after - before) / (2 * h) - own_rate).lpNorm<Eigen::Infinity>(), 1e-8);
}

TEST(loops_as_joints, move_in_the_plane) {
  Made made(free_quarter, bounded(1e-9));
  accelerates_as_the_full_model(made);
  moves_as_the_full_model(made);
}
TEST(loops_as_joints, move_in_space) {
  Made made(corner, of_corner());
  accelerates_as_the_full_model(made);
  moves_as_the_full_model(made);
}

// Bodies that start where they did, and a joint between them that is elsewhere: what the model includes has changed.
TEST(loops_as_joints, that_are_of_another_mechanism_are_found_out) {
  Made made(free_quarter, bounded(1e-8));
  std::string moved = free_quarter;
  const std::string joint = "at = [0.3, 0.55]";
  moved.replace(moved.find(joint), joint.size(), "at = [0.31, 0.55]");
  EXPECT_TRUE(run_real_time(*made.model, made.study).trusted);
  const Results r = run_real_time(*made.model, study_of(moved.c_str()));
  EXPECT_FALSE(r.trusted);
  EXPECT_EQ(r.statistics.worst_joint.substr(0, 1), "u") << r.verdict;
}

// A crank that goes round and round: turns are counted, and a driver keeps its equation.
TEST(loops_as_joints, go_round) {
  moves_as_the_full_model({R"toml(
gravity = [0, -9.81]
[bodies]
crank = {mass = 1, inertia = 0.02, position = [0.1, 0]}
rod = {mass = 1, inertia = 0.05, position = [0.5, 0]}
slider = {mass = 2, inertia = 0.1, position = [0.8, 0]}
ball = {mass = 0.5, inertia = 0.01, position = [1.3, 0]}
[joints]
A = {type = "revolute", bodies = ["ground", "crank"], i = [0, 0], j = [-0.1, 0]}
B = {type = "revolute", bodies = ["crank", "rod"], i = [0.1, 0], j = [-0.3, 0]}
C = {type = "revolute", bodies = ["rod", "slider"], i = [0.3, 0], j = [0, 0]}
G = {type = "translational", bodies = ["ground", "slider"], at = [0, 0], to = [1, 0]}
H = {type = "translational", bodies = ["ground", "ball"], at = [0, 0], to = [1, 0]}
[drivers]
m = {type = "angle", bodies = ["ground", "crank"], value = "= 6*t + 0.5*sin(3*t)"}
[forces]
k = {type = "spring", bodies = ["slider", "ball"], i = [0, 0], j = [0, 0], stiffness = 400, damping = 1, free_length = 0.5}
w = {type = "torsion_spring", joint = "A", stiffness = 0.2}
[analysis]
end = 3
rtol = 1e-11
[output]
step = 0.02
)toml",
                           bounded(1e-10)});
}

// The body that carries the loops is not the one where the tree begins, and what connects it to the ground is no chain.
TEST(loops_as_joints, have_a_carrier_that_hangs_on_a_link) {
  moves_as_the_full_model({R"toml(
gravity = [0, -2]
[bodies]
hub = {mass = 40, inertia = 1, position = [0.72, 0.42]}
lower = {mass = 5, inertia = 0.1, position = [0.45, 0.3]}
upper = {mass = 3, inertia = 0.05, position = [0.45, 0.55]}
chassis = {mass = 350, inertia = 50, position = [0, 0.6]}
[joints]
link = {type = "distance", bodies = ["ground", "chassis"], i = [0, 2], j = [0, 0.1]}
l1 = {type = "revolute", bodies = ["chassis", "lower"], at = [0.25, 0.32]}
l2 = {type = "revolute", bodies = ["lower", "hub"], at = [0.65, 0.27]}
u1 = {type = "revolute", bodies = ["chassis", "upper"], at = [0.3, 0.55]}
u2 = {type = "revolute", bodies = ["upper", "hub"], at = [0.62, 0.56]}
[forces]
strut = {type = "spring", bodies = ["chassis", "lower"], i = [0.35, 0.2], j = [0.05, 0], stiffness = 60000, damping = 4000, free_length = 0.65}
[analysis]
end = 0.2
rtol = 1e-11
[output]
step = 0.05
)toml",
                           bounded(1e-9)});
}

// A particle on a linkage that flies: what keeps it from turning leads to the ground, and closes no loop.
TEST(loops_as_joints, carry_a_particle) {
  moves_as_the_full_model({R"toml(
gravity = [0, -2]
[bodies]
chassis = {mass = 50, inertia = 5, position = [0, 0], velocity = [1, 0.5], omega = 0.3}
crank = {mass = 1, inertia = 0.01, position = [0.05, 0]}
rod = {mass = 1, inertia = 0.05, position = [0.3, 0.15]}
rocker = {mass = 1, inertia = 0.05, position = [0.5, 0.15]}
ball = {mass = 1, position = [0.5, -0.1]}
[joints]
a = {type = "revolute", bodies = ["chassis", "crank"], at = [0, 0]}
b = {type = "revolute", bodies = ["crank", "rod"], at = [0.1, 0]}
c = {type = "revolute", bodies = ["rod", "rocker"], at = [0.5, 0.3]}
d = {type = "revolute", bodies = ["rocker", "chassis"], at = [0.5, 0]}
lk = {type = "distance", bodies = ["rocker", "ball"], i = [0, 0], j = [0, 0]}
[forces]
ts = {type = "torsion_spring", bodies = ["chassis", "crank"], stiffness = 0.5}
[analysis]
end = 0.5
rtol = 1e-11
[output]
step = 0.05
)toml",
                           bounded(1e-9)});
}

TEST(loops_as_joints, are_chosen_where_they_suit) {
  const auto joints = [](const Study& study, const PrecomputeOptions& o = {}) {
    return precompute(study, o).model.loops_as_joints;
  };
  EXPECT_TRUE(joints(study_of(free_quarter)));
  EXPECT_FALSE(joints(example("four_bar")));
  PrecomputeOptions o;
  o.tables_of.index = PrecomputeOptions::loops;
  EXPECT_TRUE(joints(example("four_bar"), o));
  // Five bars in a row have no loop, and need no table.
  const Precomputed none = precompute(example("five_bar_pendulum"), {});
  EXPECT_TRUE(none.model.loops_as_joints && none.model.loops.empty());
}

TEST(loops_as_joints, stop_at_the_end_of_a_range) {
  const Study study = study_of(free_quarter);
  PrecomputeOptions o = bounded(1e-8);
  o.ranges = {{"l1", -0.02, 0.02}};
  const Results r = run_real_time(precompute(study, o).model, study);
  EXPECT_FALSE(r.outcome);
  expect_parts(r.outcome.why, {"l1.angle", "beyond the range of the tables", "wider --range"});
  for (const double x : r.column("l1.angle")) EXPECT_LE(std::abs(x), 0.02);
}

TEST(loops_as_joints, have_no_more_digits_than_their_tables) {
  Study study = study_of(free_quarter);
  study.analysis.estimate_usual = true;
  const Results r = run_real_time(precompute(study, bounded(1e-3)).model, study);
  ASSERT_TRUE(r.outcome && r.accuracy && !r.accuracy->channels.empty()) << r.outcome.why;
  for (const ChannelAccuracy& c : r.accuracy->channels)
    EXPECT_TRUE(!(c.range > 0) || c.digits() < 3.01) << c.channel << " " << c.digits();
}

TEST(loops_as_joints, are_read_as_they_were_written) {
  const Study study = study_of(free_quarter);
  const RealTimeModel made = precompute(study, bounded(1e-7)).model;
  const RealTimeModel again = io::real_time_from(io::real_time_bytes(made), "again.rt");
  const Results a = run_real_time(made, study), b = run_real_time(again, study);
  EXPECT_EQ(apart(a, b, "hub.x"), 0);
  RealTimeModel odd = made;
  odd.loops.front().carrier = 2;
  EXPECT_THROW(run_real_time(odd, study), ModelError);
  odd = made;
  odd.loops.front().gain.pop_back();
  EXPECT_THROW(run_real_time(odd, study), ModelError);
  odd = made;
  odd.loops.push_back(odd.loops.front());
  EXPECT_THROW(io::real_time_from(io::real_time_bytes(odd), "odd.rt"), ModelError);
  odd = made;
  odd.loops.front().region.variables.front().high += 1;
  EXPECT_THROW(io::real_time_from(io::real_time_bytes(odd), "odd.rt"), ModelError);
  odd = made;
  odd.loops.front().region.variables.front().turn = false;
  EXPECT_THROW(run_real_time(odd, study), ModelError);
  odd = made;
  odd.loops.front().region.bodies.front().bodies.front() = 9;
  EXPECT_THROW(io::real_time_from(io::real_time_bytes(odd), "odd.rt"), ModelError);
}

TEST(loops_as_joints, refuse_what_they_cannot_hold) {
  PrecomputeOptions o = bounded(1e-7);
  o.ranges = {{"chassis.x", -1, 1}};
  expect_parts(message_of(study_of(free_quarter), o), {"chassis.x", "no variable of a loop"});
  o = {};
  o.independent = {"chassis.x"};
  expect_parts(message_of(study_of(free_quarter), o), {"chassis.x", "no variable of a loop", "l1.angle"});
  o.independent = {"nonsense"};
  expect_parts(message_of(study_of(free_quarter), o), {"no variable 'nonsense'", "l1.angle"});
  std::string text = free_quarter;
  text.replace(text.find("at = [0.65, 0.27]"), 17,
               "at = [0.65, 0.27], friction = {coefficient = 0.1, radius = 0.01}");
  expect_parts(message_of(study_of(text.c_str()), bounded(1e-7)), {"'l2'", "friction", "mubody run"});
  o = bounded(1e-7);
  o.design = {"length"};
  expect_parts(message_of(study_of(free_quarter), o), {"--design", "whole"});
}

// What an input moves stays where it is as long as nobody sets it: how far it will go is not known.
TEST(loops_as_joints, tell_that_a_driver_stays_where_it_is) {
  const std::string text =
      std::string(corner) + "[drivers]\nrack_by = {type = \"slide\", joint = \"slide\", value = 0}\n";
  const Study study = study_of(text.c_str());
  PrecomputeOptions o = bounded(1e-4);
  o.tables_of.index = PrecomputeOptions::as_suits;
  const auto said = [&] { return fmt::format("{}", fmt::join(precompute(study, o).remarks, "; ")); };
  expect_parts(said(), {"driver 'rack_by' stays", "--range rack_by=LOW:HIGH"});
  o.ranges = {{"rack_by", -0.03, 0.03}};
  const Precomputed made = precompute(study, o);
  EXPECT_EQ(said().find("stays"), std::string::npos);
  EXPECT_EQ(made.model.loops.front().region.variables.front().name, "rack_by");
  EXPECT_EQ(made.model.loops.front().region.variables.front().high, 0.03);
}
}  // namespace
}  // namespace mubody::testing
