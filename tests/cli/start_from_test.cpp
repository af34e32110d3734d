// An analysis that begins with the results of another one, and tables in other units.
#include "tests/cli/program.h"

namespace mubody::testing {
namespace {
class StartFrom : public Program {
 protected:
  /// A pendulum with other sections at its end.
  fs::path pendulum_with(const std::string& name, const std::string& analysis,
                         const std::string& output = "") const {
    std::string text = pendulum;
    text.erase(text.find("[analysis]"));
    return write(name, text + "[analysis]\nestimate = false\nrtol = 1e-11\n" + analysis +
                           "\n[output]\nstep = 0.05\n" + output);
  }
  /// The numbers of the last row of a table.
  std::vector<double> last_row(const char* file) const {
    const std::string text = contents(folder / file);
    const std::size_t end = text.find_last_not_of('\n');
    std::istringstream line(text.substr(text.rfind('\n', end) + 1));
    std::vector<double> numbers;
    for (std::string cell; std::getline(line, cell, ',');) numbers.push_back(std::stod(cell));
    return numbers;
  }
};

TEST_F(StartFrom, goes_on_as_if_it_had_not_stopped) {
  pendulum_with("whole.toml", "end = 1");
  ASSERT_EQ(mubody({"run", "whole.toml", "-q"}).code, 0);
  const auto compare = [&](const std::string& how) {
    pendulum_with("rest.toml", "end = 1\nstart_from = " + how);
    const Answer a = mubody({"run", "rest.toml", "-q"});
    ASSERT_EQ(a.code, 0) << a.err;
    const std::vector<double> one = last_row("whole.out/bodies.csv"), other = last_row("rest.out/bodies.csv");
    ASSERT_EQ(one.size(), other.size());
    for (std::size_t k = 0; k < one.size(); ++k) EXPECT_NEAR(one[k], other[k], 1e-8) << how;
  };
  compare("{results = \"whole.out\", time = \"450 ms\"}");
  EXPECT_TRUE(has(contents(folder / "rest.out/bodies.csv"), "\n0.45,"));
  // The first half alone, and its last row.
  pendulum_with("half.toml", "end = 0.5");
  ASSERT_EQ(mubody({"run", "half.toml", "-q"}).code, 0);
  compare("\"half.out\"");
}

TEST_F(StartFrom, reads_tables_in_other_units_and_keeps_a_written_start) {
  pendulum_with("half.toml", "end = 0.5", "units = [\"deg\", \"mm\", \"rpm\", \"kN\"]\n");
  ASSERT_EQ(mubody({"run", "half.toml", "-q"}).code, 0);
  const std::string table = contents(folder / "half.out/bodies.csv");
  EXPECT_TRUE(has(table, "time[s],rod.x[mm],rod.y[mm],rod.angle[deg],rod.vx[m/s],rod.vy[m/s],rod.omega[rpm]"))
      << table;
  EXPECT_TRUE(has(table, "\n0,500,0,0,0,0,0,")) << table;
  EXPECT_TRUE(has(contents(folder / "half.out/joints.csv"), "pin.on_rod.fx[kN]"));
  pendulum_with("rest.toml", "start = 0\nend = 0.5\nstart_from = \"half.out\"");
  ASSERT_EQ(mubody({"run", "rest.toml", "-q"}).code, 0);
  pendulum_with("whole.toml", "end = 1");
  ASSERT_EQ(mubody({"run", "whole.toml", "-q"}).code, 0);
  const std::vector<double> one = last_row("whole.out/bodies.csv"), other = last_row("rest.out/bodies.csv");
  EXPECT_DOUBLE_EQ(other[0], 0.5);
  for (std::size_t k = 1; k < one.size(); ++k) EXPECT_NEAR(one[k], other[k], 1e-8);
}

TEST_F(StartFrom, explains_what_is_wrong_with_the_folder) {
  pendulum_with("half.toml", "end = 0.5");
  ASSERT_EQ(mubody({"run", "half.toml", "-q"}).code, 0);
  const auto refused = [&](const std::string& analysis, const std::string& why) {
    pendulum_with("m.toml", analysis);
    const Answer a = mubody({"run", "m.toml", "-q"});
    EXPECT_EQ(a.code, 2);
    EXPECT_TRUE(has(a.err, why)) << a.err;
    EXPECT_FALSE(fs::exists(folder / "m.out"));
  };
  refused("start_from = \"none\"", "analysis: start_from: none/bodies.csv: ");
  refused("start_from = {results = \"half.out\", time = 0.46}",
          "half.out/bodies.csv: there is no row at 0.46 s; next to it are 0.45 s and 0.5 s");
  refused("end = 0.2\nstart_from = \"half.out\"",
          "the results are those at 0.5 s, after the end of the analysis at 0.2 s: give 'end', or 'start'");
  write("other/bodies.csv", "time[s],wheel.x[m]\n0,1\n");
  refused("start_from = \"other\"",
          "other/bodies.csv:1: column 'wheel.x' is of no body of this model: these are results of another one");
  write("few/bodies.csv", "time[s],rod.x[m]\n0,1\n");
  refused("start_from = \"few\"", "few/bodies.csv:1: there is no column 'rod.y[m]'");
  write("odd/bodies.csv", "time[s],rod.x[m],rod.y[m],rod.angle[m]\n0,1,2,3\n");
  refused("start_from = \"odd\"",
          "odd/bodies.csv:1: column 4 'rod.angle[m]' is a length, expected an angle (rad)");
}

// What a motion remembers besides positions and velocities is in no table.
TEST_F(StartFrom, refuses_what_the_tables_do_not_hold) {
  const auto wheel = [&](const std::string& more, const std::string& analysis) {
    write(
        "wheel.toml",
        "gravity = [0, 0, 0]\n[bodies]\nw = {mass = 1, inertia = [1, 1, 1], omega = [0, 0, 1]}\n"
        "[joints]\npin = {type = \"revolute\", bodies = [\"ground\", \"w\"], at = [0, 0, 0], axis = [0, 0, 1]" +
            more + "}\n[analysis]\nestimate = false\n" + analysis + "\n[output]\nstep = 1\n");
    return mubody({"run", "wheel.toml", "-q", "--out", has(analysis, "start_from") ? "rest" : "wheel.out"});
  };
  ASSERT_EQ(wheel("", "end = 5").code, 0);
  // Nothing counts turns there.
  EXPECT_EQ(wheel("", "end = 6\nstart_from = \"wheel.out\"").code, 0);
  ASSERT_EQ(wheel(", stiffness = 1e-3", "end = 5").code, 0);
  EXPECT_EQ(wheel(", stiffness = 1e-3", "end = 6\nstart_from = {results = \"wheel.out\", time = 2}").code, 0);
  ASSERT_EQ(wheel(", stiffness = 1e-3", "end = 5").code, 0);
  Answer a = wheel(", stiffness = 1e-3", "end = 6\nstart_from = \"wheel.out\"");
  EXPECT_EQ(a.code, 2);
  EXPECT_TRUE(has(a.err, "wheel.out/joints.csv: joint 'pin' has turned by 4.9")) << a.err;
  pendulum_with("m.toml",
                "start_from = \"half.out\"\n[signals]\nlate = {type = \"lag\", input = \"= rod.x\", time = 1}");
  a = mubody({"run", "m.toml", "-q"});
  EXPECT_EQ(a.code, 2);
  EXPECT_TRUE(has(a.err, "start_from: signal 'late' remembers what was before")) << a.err;
}

TEST_F(StartFrom, of_strangers_stays_in_the_folder_and_is_not_quoted) {
  pendulum_with("in/m.toml", "start_from = \"../half.out\"");
  Answer a = mubody({"run", "in/m.toml", "-q", "--untrusted"});
  EXPECT_EQ(a.code, 2);
  EXPECT_TRUE(has(a.err, "lies outside of the folder of the model")) << a.err;
  pendulum_with("in/m.toml", "start_from = \"r\"");
  write("in/r/bodies.csv", "time[s],secret.x[m]\n0,1\n");
  a = mubody({"run", "in/m.toml", "-q", "--untrusted"});
  EXPECT_EQ(a.code, 2);
  EXPECT_FALSE(has(a.err, "secret")) << a.err;
  EXPECT_TRUE(has(a.err, "column 2 is of no body")) << a.err;
}
}  // namespace
}  // namespace mubody::testing
