// Loops as joints in C: the equations of the tree, with tables for the bodies of loops.
#include "mubody/precompute/c/emit_loops.h"

#include "tests/c_folder.h"
#include "tests/precompute/models.h"

namespace mubody::testing {
namespace {
/// A chassis on a post that a program sets, with a double wishbone and a wheel that spins; what the post bears is an output.
constexpr const char* corner_on_post = R"toml(
gravity = [0, -9.81]
[bodies]
chassis = {mass = 350, inertia = 50, position = [0, 0.6]}
lower = {mass = 5, inertia = 0.1, position = [0.45, 0.3]}
upper = {mass = 3, inertia = 0.05, position = [0.45, 0.55]}
hub = {mass = 40, inertia = 1, position = [0.72, 0.42]}
wheel = {mass = 15, inertia = 0.8, position = [0.72, 0.42], omega = 20}
[joints]
post = {type = "translational", bodies = ["ground", "chassis"], at = [0, 0.6], axis = [0, 1]}
l1 = {type = "revolute", bodies = ["chassis", "lower"], at = [0.25, 0.32]}
l2 = {type = "revolute", bodies = ["lower", "hub"], at = [0.65, 0.27]}
u1 = {type = "revolute", bodies = ["chassis", "upper"], at = [0.3, 0.55]}
u2 = {type = "revolute", bodies = ["upper", "hub"], at = [0.62, 0.56]}
spin = {type = "revolute", bodies = ["hub", "wheel"], at = [0.72, 0.42]}
[inputs]
push = 600
[drivers]
lift = {type = "slide", joint = "post", value = "= 0.01*sin(3*t)"}
[forces]
strut = {type = "spring", bodies = ["chassis", "lower"], i = [0.35, 0.2], j = [0.05, 0], stiffness = 60000, damping = 4000, free_length = 0.65}
road = {type = "force", body = "hub", at = [0, 0], force = [0, "= push"]}
[outputs]
bears = "post.on_chassis.m"
bump = "= l1.angle"
[analysis]
end = 1
[output]
step = 0.02
)toml";

PrecomputeOptions as_loops(double bound) {
  PrecomputeOptions o;
  o.bound = bound;
  o.tables_of.index = PrecomputeOptions::loops;
  return o;
}
EmittedModel in_c(const Study& study, const PrecomputeOptions& o, int steps = 100,
                  std::vector<std::string> inputs = {}) {
  EmitOptions e;
  e.inputs = std::move(inputs);
  e.name = "m";
  e.steps = steps;
  return emit_loops(precompute(study, o).model, study, e);
}

// Bodies, and all kinds of outputs: accelerations, forces, reactions of joints in loops and out of them.
TEST(loops_in_c, repeat_a_run_of_the_library) {
  if (!has_program("cc")) GTEST_SKIP() << "no C compiler";
  const CFolder c("-O0");
  const Study study =
      io::read_study_text(corner_on_post, "corner.toml", {"analysis.integrator=rk4", "analysis.step=1e-3"});
  PrecomputeOptions o =
      as_loops(1e-10);  // reactions within a loop are found in another way, and are as good as its tables
  o.ranges = {{"u1.angle", -1.2, 0.8}};
  const Precomputed made = precompute(study, o);
  EmitOptions e;
  e.name = "m", e.steps = 500;
  e.outputs = {"hub.ay", "wheel.omega", "strut.force", "post.on_chassis.m", "l1.on_lower.fx", "spin.on_hub.fy"};
  c.take(emit_loops(made.model, study, e));
  EXPECT_LT(c.tested(), 1e-10);
  c.write("out.c", R"(#include <stdio.h>
#include "m.h"
int main(void) {
  m_state s;
  m_real y[m_OUTPUTS];
  int n;
  m_start(&s);
  for (n = 0; n < 100; ++n)
    if (m_step(&s, 1e-3) != 0) return 1;
  m_outputs(&s, y);
  for (n = 0; n < m_OUTPUTS; ++n) printf("%.17g\n", y[n]);
  return 0;
}
)");
  ASSERT_EQ(c.compile("out.c m.c -o out -lm"), 0);
  ASSERT_EQ(c.shell("./out > numbers.txt"), 0);
  std::istringstream numbers(c.read("numbers.txt"));
  Simulation library = simulate(made.model, study);
  ASSERT_TRUE(library.advance_to(0.1));
  for (const std::string& name : e.outputs) {
    const double wanted = library[library.output(name)];
    double y = 0;
    numbers >> y;
    EXPECT_NEAR(y, wanted, 1e-9 * (1 + std::abs(wanted))) << name;
  }
  if (!has_program(CFolder::arm)) GTEST_SKIP() << "no compiler for ARM";
  EXPECT_EQ(c.compile_for_arm(), 0);
}

// The program of the example drives it; of five seconds one at least is quiet enough to meet 99.9 % of its deadlines.
TEST(loops_in_c, make_a_car_that_drives_in_real_time) {
  if (!has_program("cc")) GTEST_SKIP() << "no C compiler";
  const std::filesystem::path car = examples() / "car";
  const Study study = io::read_study((car / "driven.toml").string());
  EmitOptions e;
  e.name = "car";
  e.steps = 100;
  PrecomputeOptions o = as_loops(1e-4);
  for (const char* arm : {"fl_la", "fr_la", "rl_la", "rr_la"}) o.ranges.push_back({arm, -0.2, 0.2});
  o.ranges.push_back({"slide", -0.02, 0.02});
  const CFolder c("-O0");
  c.take(emit_loops(precompute(study, o).model, study, e), "car");
  c.write("test.c", "#include \"car.h\"\nint main(void) { return car_self_test() < 1e-10 ? 0 : 1; }\n");
  ASSERT_EQ(c.compile("-c car.c"), 0);
  ASSERT_EQ(c.compile("test.c car.o -o test -lm"), 0);
  EXPECT_EQ(c.shell("./test"), 0);
  const std::string realtime = (car / "realtime").string();
  ASSERT_EQ(c.compile("-I. " + realtime + "/drive.c " + realtime + "/stream.c car.o -o drive -lm -lpthread"), 0);
  bool quiet = false;
  for (int tries = 0; tries < 5 && !quiet; ++tries) {
    const int code = c.shell("./drive --seconds 1 --driver " + realtime + "/slalom.txt > /dev/null");
    ASSERT_TRUE(code == 0 || WEXITSTATUS(code) == 1)
        << code;  // 1: it drove, and missed more deadlines than that
    quiet = code == 0;
  }
  if (!has_program(CFolder::arm)) GTEST_SKIP() << "no compiler for ARM";
  EXPECT_EQ(c.compile_for_arm("car"), 0);
  if (!quiet) GTEST_SKIP() << "others keep this machine busy";
}

// Inputs are those of the model; beyond the range of a table the state stays as it is.
TEST(loops_in_c, take_inputs_and_stop_at_the_end_of_a_range) {
  if (!has_program("cc")) GTEST_SKIP() << "no C compiler";
  const CFolder c("-O0");
  PrecomputeOptions o = as_loops(1e-6);
  o.ranges = {{"u1.angle", -1.2, 0.8}};
  c.take(in_c(io::read_study_text(corner_on_post, "corner.toml"), o, 10, {"lift"}));
  c.write("try.c", R"(#include <math.h>
#include <string.h>
#include "m.h"
int main(void) {
  m_state s, before;
  m_real inputs[m_INPUT_COUNT], y[m_OUTPUTS];
  const int lift = m_find_input("lift.value"), push = m_find_input("push");
  int n, code = 0;
  if (m_INPUT_COUNT != 2 || m_OUTPUTS != 2 || lift < 0 || push < 0 || m_find_input("x") != -1) return 1;
  if (m_find_output("bears") != 0 || strcmp(m_output_unit(0), "N m") != 0 || strcmp(m_input_unit(lift), "m") != 0) return 2;
  m_start(&s);
  inputs[lift] = 0;
  inputs[push] = 600;
  for (n = 0; n < 200; ++n)
    if (m_step_with(&s, inputs, 1e-3) != 0) return 3;
  if (m_outputs(&s, y) != 0 || !isfinite(y[0]) || !isfinite(y[1])) return 4;
  inputs[push] = 5e4;
  for (n = 0; n < 5000 && code == 0; ++n) {
    before = s;
    code = m_step_with(&s, inputs, 1e-3);
  }
  if (code != 2 || !m_left(&s) || strcmp(m_left(&s), "u1.angle") != 0 || m_left(&before)) return 5;
  before.left = s.left;
  if (memcmp(&before, &s, sizeof s) != 0) return 7;
  inputs[push] = NAN;
  return m_step_with(&s, inputs, 1e-3) == 1 ? 0 : 6;
}
)");
  ASSERT_EQ(c.compile("try.c m.c -o try -lm"), 0);
  EXPECT_EQ(c.shell("./try"), 0);
}
}  // namespace
}  // namespace mubody::testing
