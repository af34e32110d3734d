// Variables and ranges of loops that nobody names: a trial run of the model chooses them.
#include "mubody/precompute/c/emit_loops.h"
#include "mubody/precompute/plan/along_motion.h"
#include "mubody/precompute/run/check_tables.h"
#include "tests/c_folder.h"
#include "tests/precompute/as_full_model.h"

namespace mubody::testing {
namespace {
/// A wishbone that turns so far that both arms pass dead points.
constexpr const char* far_wishbone = R"toml(
gravity=[0,0]
[bodies]
chassis = {mass=350, inertia=50, position=[0,0.6], velocity=[1,0.5], omega=0.3}
lower = {mass=5, inertia=0.1, position=[0.45,0.3]}
upper = {mass=3, inertia=0.05, position=[0.45,0.55]}
hub = {mass=40, inertia=1, position=[0.72,0.42]}
[joints]
l1 = {type="revolute", bodies=["chassis","lower"], at=[0.25,0.32]}
l2 = {type="revolute", bodies=["lower","hub"], at=[0.65,0.27]}
u1 = {type="revolute", bodies=["chassis","upper"], at=[0.3,0.55]}
u2 = {type="revolute", bodies=["upper","hub"], at=[0.62,0.56]}
[forces]
strut = {type="spring", bodies=["chassis","lower"], i=[0.35,0.2], j=[0.05,0], stiffness=60000, damping=400, free_length=0.65}
[analysis]
end=1
[output]
step=0.01
)toml";

constexpr const char* heaving_quarter = R"toml(
gravity=[0,-9.81]
[bodies]
chassis = {mass=350, inertia=50, position=[0,0.6]}
lower = {mass=5, inertia=0.1, position=[0.45,0.3]}
upper = {mass=3, inertia=0.05, position=[0.45,0.55]}
hub = {mass=40, inertia=1, position=[0.72,0.42]}
[joints]
rail = {type="translational", bodies=["ground","chassis"], at=[0,0.6], to=[0,1.6]}
l1 = {type="revolute", bodies=["chassis","lower"], at=[0.25,0.32]}
l2 = {type="revolute", bodies=["lower","hub"], at=[0.65,0.27]}
u1 = {type="revolute", bodies=["chassis","upper"], at=[0.3,0.55]}
u2 = {type="revolute", bodies=["upper","hub"], at=[0.62,0.56]}
[forces]
strut = {type="spring", bodies=["chassis","lower"], i=[0.35,0.2], j=[0.05,0], stiffness=60000, damping=4000, free_length=0.65}
tyre = {type="tyre", bodies=["ground","hub"], i={at=[0.8,0.0], axis=[1,0]}, j=[0.08,-0.07], radius=0.35, stiffness=200000, damping=200, profile="= 0"}
[points]
wc = {body="hub", at=[0.08,-0.07]}
[analysis]
end=3
rtol=1e-10
[output]
step=0.01
)toml";

/// The front suspension with steering of the dissertation on precomputation, fig. 5.8.1.
constexpr const char* own_suspension = R"toml(
name = "dissertation suspension"
gravity = [0, 0, -9.81]
[bodies]
pa = {mass = 2, inertia = [0.01,0.01,0.01], position = ["9.811 in","53 in","33.2 in"]}
sl = {mass = 2, inertia = [0.01,0.05,0.05], position = [0,"50.556 in","32.433 in"]}
id = {mass = 2, inertia = [0.01,0.01,0.01], position = ["-9.811 in","53 in","33.2 in"]}
lca = {mass = 8, inertia = [0.2,0.2,0.3], position = ["20 in","38 in","29 in"]}
r = {mass = 1, inertia = [0.01,0.01,0.01], position = ["19.598 in","33.685 in","40 in"]}
c = {mass = 1, inertia = [0.01,0.01,0.01], position = ["19.598 in","33.685 in","32 in"]}
wh = {mass = 15, inertia = [0.3,0.3,0.3], position = ["31 in","40 in","31 in"]}
uca = {mass = 4, inertia = [0.1,0.1,0.1], position = ["22 in","42 in","39.5 in"]}
tr = {mass = 1, inertia = [0.01,0.02,0.02], position = ["24.991 in","46.1685 in","31.516 in"]}
w = {mass = 25, inertia = [0.8,1.4,0.8], position = ["34 in","40 in","31 in"]}
[joints]
rev1 = {type="revolute", bodies=["ground","pa"], at=["9.811 in","55.355 in","34.039 in"], axis=[0,-1.606,4.799]}
rev2 = {type="revolute", bodies=["pa","sl"], at=["9.811 in","50.556 in","32.433 in"], axis=[0,-1.606,4.799]}
rev4 = {type="revolute", bodies=["ground","id"], at=["-9.811 in","55.355 in","34.039 in"], axis=[0,-1.606,4.799]}
lcaj = {type="revolute", bodies=["ground","lca"], at=["12.09 in","37.78 in","30.77 in"], axis=[0,1,0]}
su = {type="universal", bodies=["ground","r"], at=["19.598 in","33.685 in","43.492 in"], axis=[1,0,0], across=[0,1,0]}
t = {type="translational", bodies=["r","c"], at=["19.598 in","33.685 in","36.38 in"], axis=[0,0,-1]}
lb = {type="spherical", bodies=["lca","wh"], at=["30.965 in","39.18 in","26.12 in"]}
ucaj = {type="revolute", bodies=["ground","uca"], at=["18.183 in","44.0025 in","39.435 in"], axis=[1.25,8.665,-1.93]}
ob = {type="spherical", bodies=["wh","tr"], at=["32.327 in","44.702 in","30.127 in"]}
wj = {type="fixed", bodies=["wh","w"]}
rev3 = {type="revolute", bodies=["sl","id"], at=["-9.811 in","50.556 in","32.433 in"], axis=[0,-1.606,4.799]}
slo = {type="spherical", bodies=["c","lca"], at=["19.598 in","33.685 in","29.259 in"]}
ub = {type="spherical", bodies=["wh","uca"], at=["28.17 in","39.868 in","39.254 in"]}
ib = {type="universal", bodies=["sl","tr"], at=["17.655 in","47.635 in","32.905 in"], axis=[0,0,1], across=[2.933,14.672,0]}
[drivers]
steer = {type = "angle", joint = "rev1", value = "= 0.15*sin(6*t)"}
[forces]
road={type="force",body="w",at=[0,0,0],force=[0,0,"= 1500 + 500*sin(20*t)"]}
coil = {type="spring", bodies=["ground","lca"], i=["19.598 in","33.685 in","43.492 in"], j=["-0.402 in","-4.315 in","0.259 in"], stiffness=60000, damping=3000, free_length="15 in"}
[analysis]
end = 1
rtol=1e-10
[output]
step=0.01
)toml";

/// A platform on three legs of two bars each.  One leg is stretched on the way, so that its pose does not say where the leg is.
constexpr const char* three_legs = R"toml(
gravity = [0,-9.81]
[bodies]
a1 = {mass=1, inertia=0.02, position=[0.1,0.17], angle=1.05}
a2 = {mass=1, inertia=0.02, position=[1.8,0.17], angle=2.1}
a3 = {mass=1, inertia=0.02, position=[1.0,1.53], angle=-1.57}
b1 = {mass=0.7, inertia=0.03, position=[0.45,0.45], angle=0.4}
b2 = {mass=0.7, inertia=0.03, position=[1.45,0.4], angle=2.6}
b3 = {mass=0.7, inertia=0.03, position=[1.1,1.05], angle=-1.4}
pl = {mass=2, inertia=0.1, position=[1.0,0.6], angle=0}
[joints]
A1 = {type="revolute", bodies=["ground","a1"], i=[0,0], j=[-0.2,0]}
A2 = {type="revolute", bodies=["ground","a2"], i=[2,0], j=[-0.2,0]}
A3 = {type="revolute", bodies=["ground","a3"], i=[1,1.732], j=[-0.2,0]}
B1 = {type="revolute", bodies=["a1","b1"], i=[0.2,0], j=[-0.35,0]}
B2 = {type="revolute", bodies=["a2","b2"], i=[0.2,0], j=[-0.35,0]}
B3 = {type="revolute", bodies=["a3","b3"], i=[0.2,0], j=[-0.35,0]}
C1 = {type="revolute", bodies=["b1","pl"], i=[0.35,0], j=[-0.2,-0.11]}
C2 = {type="revolute", bodies=["b2","pl"], i=[0.35,0], j=[0.2,-0.11]}
C3 = {type="revolute", bodies=["b3","pl"], i=[0.35,0], j=[0,0.23]}
[forces]
t1 = {type="torsion_spring", joint="A1", stiffness=40, damping=1}
t2 = {type="torsion_spring", joint="A2", stiffness=40, damping=1}
t3 = {type="torsion_spring", joint="A3", stiffness=40, damping=1}
f = {type="force", body="pl", at=[0.1,0.1], force=["= 5*sin(6*t)",0]}
[analysis]
end=1
rtol=1e-10
[output]
step=0.02
)toml";

/// The same suspension with nobody at the wheel, which spins freely, and a coil that pushes it down so far that angles of all
/// joints come near dead points somewhere in the box around its motion.
std::string free_suspension() {
  std::string text = own_suspension;
  const auto replace = [&](const std::string& from, const std::string& until, const std::string& to) {
    const std::size_t begin = text.find(from), end = text.find(until, begin);
    text.replace(begin, end - begin, to);
  };
  replace("wj =", "\n",
          R"toml(wj = {type="revolute", bodies=["wh","w"], at=["34 in","40 in","31 in"], axis=[1,0,0]})toml");
  replace("[drivers]", "[forces]", "");
  replace("road=", "coil", "");
  replace("\"15 in\"", "}", "\"18 in\"");
  return text;
}

PrecomputeOptions with_bound(double bound) {
  PrecomputeOptions o;
  o.bound = bound;
  return o;
}

// The bound of the model is that of places; motions of the model have few digits more than its tolerance.
void serve(const char* text, double bound, std::size_t most_bytes, double most_apart = 1e-6) {
  Made made(text, with_bound(bound));
  EXPECT_TRUE(made.model->loops_as_joints);
  EXPECT_LT(made.model->bytes(), most_bytes);
  accelerates_as_the_full_model(made);
  const Results fast = run_real_time(*made.model, made.study), full = run(made.study);
  ASSERT_TRUE(fast.outcome) << fast.outcome.why;
  for (const Column& c : full.find("bodies")->columns)
    if (c.unit == "m") {
      EXPECT_LT(apart(fast, full, c.name), most_apart) << c.name;
    }
}

TEST(chosen_variables, pass_dead_points_of_arms) { serve(far_wishbone, 1e-8, 5'000'000); }
TEST(chosen_variables, serve_a_quarter_car) { serve(heaving_quarter, 1e-8, 5'000'000); }
TEST(chosen_variables, serve_a_suspension_that_is_steered) { serve(own_suspension, 1e-8, 5'000'000); }
TEST(chosen_variables, serve_a_platform_with_three_freedoms) { serve(three_legs, 1e-5, 10'000'000, 1e-5); }

// The bound is a loose one here, so that tables are made quickly.
TEST(chosen_variables, cover_the_neighbourhood_of_a_motion_where_no_range_serves) {
  Made made(free_suspension().c_str(), with_bound(1e-5), {"analysis.end=0.3"});
  EXPECT_LT(made.model->bytes(), 2'000'000U);
  accelerates_as_the_full_model(made);
  const Results fast = run_real_time(*made.model, made.study), full = run(made.study);
  ASSERT_TRUE(fast.outcome) << fast.outcome.why;
  for (const Column& c : full.find("bodies")->columns)
    if (c.unit == "m") {
      EXPECT_LT(apart(fast, full, c.name), 1e-6) << c.name;
    }

  // A corner of the ranges is far from the motion; the run that comes there is told which variable it is.
  const LoopTable& loop = made.model->loops.front();
  const auto parts = following_parts(made.model, made.begun.mechanism);
  const VariableRange &a = loop.region.variables[0], &b = loop.region.variables[1];
  const double corner[] = {a.low, b.high};
  expect_parts(parts.front().map->out_of_range(corner), {a.name, "beyond the range", b.name, "neighbourhood"});
  Study further = made.study;
  further.analysis.end = 1;
  further.mechanism.gravity = {0, 0, -60};
  const Results left = run_real_time(*made.model, further);
  EXPECT_FALSE(left.outcome);
  expect_parts(left.outcome.why, {"beyond the range of the tables"});

  // The same in C, which goes on beyond the motion until it leaves the tables.
  if (!has_program("cc")) GTEST_SKIP() << "no C compiler";
  const CFolder c("-O0");
  EmitOptions e;
  e.name = "m", e.steps = 50;
  c.take(emit_loops(*made.model, made.study, e));
  EXPECT_LT(c.tested(), 1e-10);
  c.write("try.c", R"(#include <string.h>
#include "m.h"
int main(void) {
  m_state s, before;
  int n, code = 0;
  m_start(&s);
  for (n = 0; n < 3000 && code == 0; ++n) {
    before = s;
    code = m_step(&s, 1e-3);
  }
  if (code != 2 || n < 250 || !m_left(&s)) return 1;
  before.left = s.left;
  return memcmp(&before, &s, sizeof s) != 0;
}
)");
  ASSERT_EQ(c.compile("try.c m.c -o try -lm"), 0);
  EXPECT_EQ(c.shell("./try"), 0);
}

TEST(chosen_variables, in_strange_trees_are_refused) {
  const Study study = study_of(heaving_quarter);
  const RealTimeModel made = precompute(study, with_bound(1e-4)).model;
  const std::vector<int> strange[] = {{0, 0, -1, 0, -1, 0},               // round and round
                                      {0, 1, -1, 0},                      // out of the tree
                                      {3, 1, -1, 0, -1, 0},               // along no axis
                                      {0, 1, -1, 0, -1, 1'000'000},       // to other numbers
                                      {0, 1, 0, 3, 0, 3, -1, 0, -1, 0}};  // the same branch twice
  for (const std::vector<int>& tree : strange) {
    RealTimeModel model = made;
    LookupTable& t = model.loops.front().region.bodies.front().table;
    ASSERT_EQ(t.axes().size(), 1U);
    const Axis whole(t.axes()[0].low(), t.axes()[0].high(), false, 1);
    t = LookupTable(t.arguments(), {whole}, t.degree(), t.quantities(), t.coefficients(), tree);
    EXPECT_THROW(check_tables_fit(model, study.mechanism), ModelError);
  }
}

TEST(chosen_variables, are_told_and_those_that_are_asked_for_are_kept) {
  const Study study = study_of(far_wishbone);
  const auto variable = [&](const PrecomputeOptions& o) {
    return precompute(study, o).model.loops.front().region.variables.front();
  };
  const Precomputed made = precompute(study, with_bound(1e-6));
  ASSERT_FALSE(made.remarks.empty());
  expect_parts(made.remarks.front(),
               {"trial run", "t = 1 s", made.model.loops.front().region.variables.front().name});
  PrecomputeOptions o = with_bound(1e-6);
  o.independent = {"l2.angle"};
  EXPECT_EQ(variable(o).name, "l2.angle");
  EXPECT_GT(variable(o).high, 1.533);
  o.ranges = {{"l2.angle", -0.1, 0.4}};
  EXPECT_EQ(variable(o).high, 0.4);
}

// A crank that goes round and round has a whole turn, and no range.
TEST(chosen_variables, go_round_where_the_motion_does) {
  constexpr const char* turning = R"toml(
gravity = [0, -9.81]
[bodies]
crank = {mass = 1, inertia = 0.2, position = [0.1, 0], omega = 12}
rod = {mass = 1, inertia = 0.05, position = [0.5, 0]}
slider = {mass = 2, inertia = 0.1, position = [0.8, 0]}
ball = {mass = 0.5, inertia = 0.01, position = [1.3, 0]}
[joints]
A = {type = "revolute", bodies = ["ground", "crank"], i = [0, 0], j = [-0.1, 0]}
B = {type = "revolute", bodies = ["crank", "rod"], i = [0.1, 0], j = [-0.3, 0]}
C = {type = "revolute", bodies = ["rod", "slider"], i = [0.3, 0], j = [0, 0]}
G = {type = "translational", bodies = ["ground", "slider"], at = [0, 0], to = [1, 0]}
H = {type = "translational", bodies = ["ground", "ball"], at = [0, 0], to = [1, 0]}
[forces]
k = {type = "spring", bodies = ["slider", "ball"], i = [0, 0], j = [0, 0], stiffness = 40, damping = 1, free_length = 0.5}
[analysis]
end = 3
rtol = 1e-11
hold = ["crank.angle", "crank.omega"]
[output]
step = 0.02
)toml";
  const RealTimeModel model = precompute(study_of(turning), bounded(1e-10)).model;
  EXPECT_TRUE(model.loops.front().region.variables.front().periodic);
  moves_as_the_full_model({turning, bounded(1e-10)});
}

// The angle between two arms goes on where each of them turns back.
TEST(chosen_variables, may_be_sums_of_angles) {
  const Mechanism m = study_of(far_wishbone).mechanism;
  const Variable v = find_variable(m, "l1.angle-u1.angle");
  EXPECT_TRUE(v.turn);
  Begun b = begin(study_of(far_wishbone), "test");
  ScalarRows rows(m, {v, find_variable(m, "l1.angle"), find_variable(m, "u1.angle")});
  VecX values(3);
  MatX rates;
  rows.at(b.q, values, &rates);
  EXPECT_NEAR(values[0], values[1] - values[2], 1e-14);
  EXPECT_LT((rates.row(0) - rates.row(1) + rates.row(2)).lpNorm<Eigen::Infinity>(), 1e-14);
}
}  // namespace
}  // namespace mubody::testing
