// mubody convert, and MUBODYNA files given to the other verbs.
#include "tests/cli/program.h"

namespace mubody::testing {
namespace {
const char* const block = R"(GENERIC_INFORMATION
 1 Rigid bodies
 0
 0
 0
 0
 0
 0
 0
 0
 0
 0
 0
 0
 0
INITIAL_CONDITIONS
 0 0 0 1.0D0 0 0  ! stone
INERTIA_PROPERTIES
 2 1
CONSTANT_APPLIED_FORCES
 0 -19.62 0
TIME_PARAMETERS
 0 .5 0.1 1 0 0
)";

TEST_F(Program, runs_mubodyna_files_whatever_they_are_called) {
  for (const char* name : {"stone.mub", "stone.dat", "stone.toml"}) {
    write(name, block);
    const Answer a = mubody({"run", name, "--out", "out"});
    EXPECT_EQ(a.code, 0) << a.err;
    EXPECT_TRUE(has(a.out, "rk4 with standard: 5 steps")) << a.out;
    EXPECT_EQ(mubody({"check", name}).code, 0);
  }
  write("folder/model.mub", block);
  EXPECT_EQ(mubody({"run", "folder", "-q"}).code, 0);
  EXPECT_EQ(mubody({"run", "stone.mub", "-q", "--set", "analysis.end=0.2"}).code, 0);
}

TEST_F(Program, converts_both_ways) {
  write("stone.mub", block);
  EXPECT_EQ(mubody({"convert", "stone.mub", "stone.toml"}).code, 0);
  EXPECT_TRUE(has(contents(folder / "stone.toml"), "gravity = [0, -9.81]\n"));
  EXPECT_TRUE(has(contents(folder / "stone.toml"), "\nstone = {mass = 2, inertia = 1, "));
  EXPECT_EQ(mubody({"convert", "stone.toml", "back.dat", "--format", "mub"}).code, 0);
  EXPECT_EQ(mubody({"run", "stone.mub", "-q", "--out", "a"}).code, 0);
  EXPECT_EQ(mubody({"run", "stone.toml", "-q", "--out", "b"}).code, 0);
  EXPECT_EQ(mubody({"run", "back.dat", "-q", "--out", "c"}).code, 0);
  EXPECT_EQ(contents(folder / "a/bodies.csv"), contents(folder / "b/bodies.csv"));
  EXPECT_EQ(contents(folder / "a/bodies.csv"), contents(folder / "c/bodies.csv"));
}

TEST_F(Program, names_what_mubodyna_cannot_say) {
  write("pendulum.toml", pendulum);
  const Answer a = mubody({"convert", "pendulum.toml", "pendulum.mub"});
  EXPECT_EQ(a.code, 2);
  EXPECT_TRUE(has(a.err, "mubody: pendulum.toml: analysis: integrator: MUBODYNA has no 'auto'"))
      << a.err;
  EXPECT_TRUE(has(a.err, "; pendulum.toml: analysis: treatment: ")) << a.err;
  EXPECT_FALSE(fs::exists(folder / "pendulum.mub"));
  const Answer b = mubody({"convert", "pendulum.toml", "pendulum.mub", "--set", "analysis.integrator=rk4",
                           "--set", "analysis.step=0.05", "--set", "analysis.treatment=baumgarte"});
  EXPECT_EQ(b.code, 0) << b.err;
  EXPECT_TRUE(has(contents(folder / "pendulum.mub"), "! pin\n"));
}

TEST_F(Program, convert_asks_for_a_format) {
  write("stone.mub", block);
  write("pendulum.toml", pendulum);
  const Answer a = mubody({"convert", "stone.mub", "stone.txt"});
  EXPECT_EQ(a.code, 2);
  EXPECT_TRUE(has(a.err, "which format shall 'stone.txt' have?")) << a.err;
  EXPECT_EQ(mubody({"convert", "stone.mub", "./stone.mub"}).code, 2);
  EXPECT_EQ(mubody({"convert", "pendulum.toml", "copy.toml"}).code, 2);
  EXPECT_EQ(mubody({"convert", "stone.mub"}).code, 2);
  EXPECT_EQ(mubody({"convert", "stone.mub", "stone.mub/folder.toml"}).code, 1);
  EXPECT_TRUE(has(mubody({"convert", "--help"}).out, "mubody convert FROM TO"));
}

TEST_F(Program, writes_the_report_of_mubodyna) {
  write("stone.mub", block);
  const Answer a = mubody({"run", "stone.mub", "--report-text", "stone.txt", "--every", "2"});
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_TRUE(has(a.out, "report in stone.txt\n"));
  const std::string report = contents(folder / "stone.txt");
  EXPECT_TRUE(report.starts_with("*** MULTIBODY SYSTEM DESCRIPTION ***\n"));
  EXPECT_TRUE(has(report, "TIME = 0.40000\n"));
  EXPECT_FALSE(has(report, "TIME = 0.30000\n"));
  EXPECT_TRUE(has(report, "TIME = 0.50000\n"));
  EXPECT_EQ(mubody({"run", "stone.mub", "-q", "--report-text", "stone.txt", "--full"}).code, 0);
  EXPECT_TRUE(has(contents(folder / "stone.txt"), "TIME = 0.30000000000000004\n"));

  EXPECT_EQ(mubody({"run", "stone.mub", "-q", "--full"}).code, 2);
  EXPECT_EQ(mubody({"run", "stone.mub", "-q", "--report-text", "stone.txt", "--every", "0"}).code, 2);
  write("precious.txt", "my notes\n");
  EXPECT_EQ(mubody({"run", "stone.mub", "-q", "--report-text", "precious.txt"}).code, 1);
  EXPECT_EQ(contents(folder / "precious.txt"), "my notes\n");
}
}  // namespace
}  // namespace mubody::testing
