// Emitted C: it builds without warnings, passes its own test, and fits a small processor.
#include "mubody/precompute/c/emit_c.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/precompute/models.h"

namespace mubody::testing {
namespace {
namespace fs = std::filesystem;
constexpr const char* strict = "-std=c99 -O2 -Wall -Wextra -pedantic -Wshadow -Werror ";

class EmittedC : public ::testing::Test {
 protected:
  EmittedC() {
    std::string name = (fs::temp_directory_path() / "mubody-c-XXXXXX").string();
    folder = mkdtemp(name.data());
  }
  ~EmittedC() override {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }
  void write(const mubody::EmittedC& c, const std::string& name) const {
    std::ofstream(folder / (name + ".h")) << c.header;
    std::ofstream(folder / (name + ".c")) << c.source;
  }
  int shell(const std::string& command) const {
    return std::system(("cd " + folder.string() + " && " + command).c_str());
  }
  bool has(const std::string& program) const {
    return shell("command -v " + program + " >/dev/null 2>&1") == 0;
  }

  // In double precision it must agree with the library to 1e-12, in single to what floats can do over the time.
  void try_example(const std::string& model, PrecomputeOptions o, bool single) {
    const Study study = example(model);
    o.bound = single ? 1e-5 : 1e-8;
    const Precomputed made = precompute(study, o);
    EmitOptions e;
    e.name = "m";
    e.single = single;
    e.steps = single ? 200 : 2000;
    write(emit_c(made.model, study.mechanism, e), "m");
    ASSERT_EQ(shell(std::string("cc ") + strict + "-Dm_SELF_TEST_MAIN m.c -o m -lm"), 0);
    EXPECT_EQ(shell("./m > out.txt"), 0) << model;
    if (!has("arm-linux-gnueabihf-gcc")) GTEST_SKIP() << "no compiler for ARM";
    EXPECT_EQ(shell(std::string("arm-linux-gnueabihf-gcc ") + strict + "-mcpu=cortex-a7 -c m.c -o m.o"), 0);
  }
  fs::path folder;
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
  write(emit_c(made.model, study.mechanism, e), "rocker");
  ASSERT_EQ(shell(std::string("cc ") + strict + "-Drocker_SELF_TEST_MAIN rocker.c -o rocker -lm"), 0);
  EXPECT_EQ(shell("./rocker > out.txt"), 0);
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
    write(emit_c(made.model, study.mechanism, e), "wheel");
    ASSERT_EQ(shell(std::string("cc ") + strict + "-Dwheel_SELF_TEST_MAIN wheel.c -o wheel -lm"), 0);
    EXPECT_EQ(shell("./wheel > out.txt"), 0);
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
  write(emit_c(made.model, study.mechanism, {.name = "model"}), "model");
  write(emit_c(made.model, study.mechanism, {.name = "my_model", .single = true}), "my_model");
  std::ofstream(folder / "main.c") << R"c(
#include "model.h"
#include "my_model.h"
int main(void) { return model_self_test() < 1e-12 && my_model_self_test() < 1e-2f ? 0 : 1; }
)c";
  for (const std::string compiler : {"cc", "clang"})
    if (has(compiler)) {
      ASSERT_EQ(shell(compiler + " " + strict + "main.c model.c my_model.c -o both -lm"), 0) << compiler;
      EXPECT_EQ(shell("./both"), 0) << compiler;
    }
  EXPECT_EQ(shell("c++ -std=c++17 -Wall -Wextra -pedantic -Werror -fsyntax-only -x c++ my_model.h"), 0);
}

TEST_F(EmittedC, refuses_what_c_cannot_hold) {
  // A torque at run time acts on bodies, not along a scalar.
  const Study study = io::read_study_text(R"toml(
gravity = [0, 0, -9.81]
[bodies]
rod = {mass = 1, inertia = [1, 1, 1], position = [0.5, 0, 0]}
[joints]
A = {type = "revolute", bodies = ["ground", "rod"], at = [0, 0, 0], axis = [0, 1, 0]}
[forces]
motor = {type = "torque", body = "rod", torque = [0, "= sin(t)", 0]}
)toml",
                                          "torque.toml");
  const Precomputed made = precompute(study, {});
  EXPECT_EQ(made.run_time, std::vector<std::string>{"motor"});
  try {
    emit_c(made.model, study.mechanism, {.name = "m"});
    FAIL();
  } catch (const ModelError& e) {
    EXPECT_NE(std::string(e.what()).find("'motor' (torque)"), std::string::npos) << e.what();
  }
  EXPECT_THROW(emit_c(made.model, study.mechanism, {.name = "m", .most_mb = 1e-6}), ModelError);
  // In the library the torque acts nevertheless.
  Study timed = study;
  timed.analysis.end = 1;
  EXPECT_LT(apart(run_real_time(made.model, timed), run(timed), "rod.z"), 1e-7);
}

TEST(c_name, is_an_identifier) {
  EXPECT_EQ(c_name("four-bar"), "four_bar");
  EXPECT_EQ(c_name("4 bars"), "m4_bars");
  EXPECT_EQ(c_name("Größe"), "Gr____e");
  EXPECT_EQ(c_name("mb"), "m_mb");
}
}  // namespace
}  // namespace mubody::testing
