// Joints that give way in C: series in tables of the whole mechanism, and in those of loops.
#include "mubody/precompute/c/emit_c.h"
#include "mubody/precompute/c/emit_loops.h"
#include "tests/c_folder.h"
#include "tests/precompute/models.h"

namespace mubody::testing {
namespace {
class YieldingC : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_program("cc")) GTEST_SKIP() << "no C compiler";
  }
  void try_whole(const Study& study, PrecomputeOptions o, bool single) {
    EmitOptions e;
    e.name = "m";
    e.single = single;
    e.steps = single ? 100 : 1000;
    o.tables_of.index = PrecomputeOptions::whole;
    folder.take(emit_c(precompute(study, o).model, study.mechanism, e));
    EXPECT_LE(folder.tested(), single ? 1e-4 : 1e-12);
    if (has_program(CFolder::arm)) {
      EXPECT_EQ(folder.compile_for_arm(), 0);
    }
  }
  void try_loops(const Study& study, PrecomputeOptions o, std::vector<std::string> outputs, int steps) {
    EmitOptions e;
    e.name = "m";
    e.steps = steps;
    e.outputs = std::move(outputs);
    o.tables_of.index = PrecomputeOptions::loops;
    folder.take(emit_loops(precompute(study, o).model, study, e));
    EXPECT_LT(folder.tested(), 1e-10);
    if (has_program(CFolder::arm)) {
      EXPECT_EQ(folder.compile_for_arm(), 0);
    }
  }
  const CFolder folder{"-O0"};
};

Study yielding_crank(double stiffness) {
  return example("crank_slider",
                 {fmt::format("joints.J12.compliance={{x = {{stiffness = {}, damping = 300}}}}", stiffness)});
}
PrecomputeOptions over_crank() {
  PrecomputeOptions o;
  o.bound = 1e-7;
  o.independent = {"J01.angle"};
  return o;
}

TEST_F(YieldingC, whole_in_the_plane) { try_whole(yielding_crank(1e5), over_crank(), false); }
TEST_F(YieldingC, whole_in_single_precision) { try_whole(yielding_crank(1e5), over_crank(), true); }

// With forces at run time, which see scalars and bodies.
TEST_F(YieldingC, whole_in_space) {
  PrecomputeOptions o;
  o.bound = 1e-5;
  o.independent = {"inner.angle"};
  o.ranges = {{"inner.angle", -0.15, 0.3}};
  try_whole(example("iltis_suspension", {"joints.inner.compliance={y = {stiffness = 2e6, damping = 3e3}, "
                                         "angle_y = {stiffness = 4e4, damping = 60}}"}),
            o, false);
}

// Several regions: the angle of the next one is a series too.
TEST_F(YieldingC, whole_with_regions) {
  PrecomputeOptions o;
  o.bound = 1e-3;
  const Study study = io::read_study_text(
      triple_rocker, "rocker.toml",
      {"bodies.left.omega=0.362314", "joints.B.compliance={x = {stiffness = 2e4, damping = 40}}"});
  const Precomputed made = precompute(study, of_whole(o));
  EmitOptions e;
  e.name = "m";
  e.step = 3e-3;
  e.steps = 800;
  folder.take(emit_c(made.model, study.mechanism, e));
  EXPECT_LE(folder.tested(), 1e-12);
  RealTime run(made.model, study.mechanism);
  RealTime::State s = run.start();
  const int first = s.region;
  for (int k = 0; k < e.steps && s.region == first; ++k) ASSERT_TRUE(run.step(s, e.step));
  EXPECT_NE(s.region, first);
}

TEST_F(YieldingC, refuses_steps_that_are_too_long) {
  const Study study = yielding_crank(1e9);
  EmitOptions e;
  e.name = "m";
  try {
    emit_c(precompute(study, over_crank()).model, study.mechanism, e);
    FAIL();
  } catch (const ModelError& error) {
    expect_parts(error.what(), {"0.001 s", "too long", "smaller --step"});
  }
}

/// A chassis on a post, with a double wishbone whose lower arm is on rubber; a program pushes the hub.
constexpr const char* corner_on_rubber = R"toml(
gravity = [0, -9.81]
[bodies]
chassis = {mass = 350, inertia = 50, position = [0, 0.6]}
lower = {mass = 5, inertia = 0.1, position = [0.45, 0.3]}
upper = {mass = 3, inertia = 0.05, position = [0.45, 0.55]}
hub = {mass = 40, inertia = 1, position = [0.72, 0.42]}
[joints]
post = {type = "translational", bodies = ["ground", "chassis"], at = [0, 0.6], axis = [0, 1]}
l1 = {type = "revolute", bodies = ["chassis", "lower"], at = [0.25, 0.32], compliance = {x = {stiffness = 5e5, damping = 2e3}}}
l2 = {type = "revolute", bodies = ["lower", "hub"], at = [0.65, 0.27]}
u1 = {type = "revolute", bodies = ["chassis", "upper"], at = [0.3, 0.55]}
u2 = {type = "revolute", bodies = ["upper", "hub"], at = [0.62, 0.56]}
[inputs]
push = 4000
[forces]
strut = {type = "spring", bodies = ["chassis", "lower"], i = [0.35, 0.2], j = [0.05, 0], stiffness = 60000, damping = 4000, free_length = 0.65}
road = {type = "force", body = "hub", at = [0, 0], force = [0, "= push"]}
[analysis]
end = 1
[output]
step = 0.02
)toml";

TEST_F(YieldingC, loops_in_the_plane) {
  PrecomputeOptions o;
  o.bound = 1e-8;
  o.ranges = {{"u1.angle", -1, 0.6}};
  const std::vector<std::string> outputs{"l1.x",           "l1.fx",  "l1.on_lower.fx",
                                         "l1.on_lower.fy", "hub.ay", "hub.y"};
  const Study study =
      io::read_study_text(corner_on_rubber, "corner.toml", {"analysis.integrator=rk4", "analysis.step=1e-3"});
  try_loops(study, o, outputs, 300);
  folder.write("try.c", R"(#include <stdio.h>
#include <string.h>
#include "m.h"
int main(void) {
  m_state s, before;
  m_real inputs[m_INPUT_COUNT], y[m_OUTPUTS];
  int n, code = 0;
  m_start(&s);
  inputs[0] = 4000;
  for (n = 0; n < 300; ++n)
    if (m_step_with(&s, inputs, 1e-3) != 0) return 1;
  if (m_outputs(&s, y) != 0) return 2;
  for (n = 0; n < m_OUTPUTS; ++n) printf("%.17g\n", y[n]);
  inputs[0] = 1e5;
  for (n = 0; n < 5000 && code == 0; ++n) {
    before = s;
    code = m_step_with(&s, inputs, 1e-3);
  }
  before.left = s.left;
  return code == 2 && memcmp(&before, &s, sizeof s) == 0 ? 0 : 3;
}
)");
  ASSERT_EQ(folder.compile("try.c m.c -o try -lm"), 0);
  EXPECT_EQ(folder.shell("./try > numbers.txt"), 0);
  std::istringstream numbers(folder.read("numbers.txt"));
  o.tables_of.index = PrecomputeOptions::loops;
  Simulation library = simulate(precompute(study, o).model, study);
  ASSERT_TRUE(library.advance_to(0.3));
  EXPECT_GT(std::abs(library[library.output("l1.x")]), 1e-4);
  for (const std::string& name : outputs) {
    const double wanted = library[library.output(name)];
    double y = 0;
    numbers >> y;
    // Reactions within a loop are found in another way, and are as good as its series.
    const double as_good = name.find(".on_") == std::string::npos ? 1e-9 : 1e-5;
    EXPECT_NEAR(y, wanted, as_good * (1 + std::abs(wanted))) << name;
  }
}

TEST_F(YieldingC, loops_in_space) {
  PrecomputeOptions o;
  o.bound = 1e-5;
  o.ranges = {{"fl_la.angle", -0.3, 0.3}};
  try_loops(io::read_study((examples() / "car" / "quarter.toml").string(),
                           {"joints.fl_la.compliance={y = {stiffness = 1e6, damping = 2000}, "
                            "angle_y = {stiffness = 1e4, damping = 60}}"}),
            o, {"fl_la.y", "fl_la.angle_y", "fl_knuckle.z", "chassis.az"}, 100);
}
}  // namespace
}  // namespace mubody::testing
