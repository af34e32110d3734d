// mubody sweep: rows, resume after kills, threads, processes, lanes, mistakes.
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"
#include "tests/reference.h"

namespace mubody::testing {
namespace {
class SweepVerb : public Program {
 protected:
  /// A sample of four-bars with adaptive steps.
  static std::vector<std::string> sample(int points, const std::string& out,
                                         std::vector<std::string> more = {}) {
    std::vector<std::string> words{"sweep", four_bar,   "-q",  "-o",
                                   out,     "--sample", "lhs", std::to_string(points)};
    for (const char* word :
         {"-s", "analysis.integrator=dormand-prince", "-s", "analysis.end=1", "--vary", "a=1.9:2.1", "--vary",
          "bodies.crank.mass=normal(1, 0.1)", "--keep", "crank.angle,max(crank.omega),tip.x@0.5,A.on_crank.fx"})
      words.emplace_back(word);
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  std::multiset<std::string> lines(const std::string& file) const {
    std::multiset<std::string> all;
    std::istringstream in(contents(folder / file));
    for (std::string line; std::getline(in, line);) all.insert(line);
    return all;
  }
};

TEST_F(SweepVerb, writes_a_row_for_every_point_of_a_grid) {
  write("pendulum.toml", pendulum);
  const Answer a =
      mubody({"sweep", "pendulum.toml", "--vary", "bodies.rod.mass=1,2", "--vary", "gravity.1=-10:-5:3",
              "--keep", "rod.angle,min(rod.omega)", "--format", "json", "-j", "1"});
  EXPECT_EQ(a.code, 0) << a.err;
  const auto json = nlohmann::json::parse(a.out);
  EXPECT_EQ(json["points"], 6);
  EXPECT_EQ(json["good"], 6);
  EXPECT_EQ(json["rows"], "pendulum.sweep.csv");
  EXPECT_EQ(json["columns"][0]["name"], "bodies.rod.mass");
  EXPECT_DOUBLE_EQ(json["columns"][1]["mean"], -7.5);
  const std::string text = contents(folder / "pendulum.sweep.csv");
  EXPECT_TRUE(
      has(text,
          "\nindex,bodies.rod.mass,gravity.1,rod.angle[rad],min(rod.omega)[rad/s],time of min(rod.omega)[s],"
          "violation[m|rad],energy_residual[J],outcome,message\n"))
      << text;
  const auto rows = row_numbers("pendulum.sweep.csv", 6);
  ASSERT_EQ(rows.size(), 6);
  EXPECT_EQ(rows.at(4)[1], 2);
  EXPECT_EQ(rows.at(4)[2], -7.5);
}

// The angle of a pendulum that starts level obeys θ' ² = 2 (m g r / J) sin|θ|: at every point the energy must close.
TEST_F(SweepVerb, rows_are_those_of_runs) {
  write("pendulum.toml", pendulum);
  ASSERT_EQ(
      mubody({"sweep", "pendulum.toml", "-q", "--vary", "gravity.1=-12:-6:4", "--keep", "rod.angle,rod.omega"})
          .code,
      0);
  for (const auto& [index, row] : row_numbers("pendulum.sweep.csv", 4)) {
    const double inertia = 0.1 + 2 * 0.25, speed2 = 2 * 2 * -row[1] * 0.5 / inertia * std::sin(-row[2]);
    EXPECT_NEAR(row[3] * row[3], speed2, 1e-7) << index;
  }
}

TEST_F(SweepVerb, lanes_agree_with_runs_one_by_one) {
  ASSERT_EQ(mubody(sample(40, "lanes.csv")).code, 0);
  ASSERT_EQ(mubody(sample(40, "single.csv", {"--lanes", "0"})).code, 0);
  EXPECT_TRUE(has(contents(folder / "lanes.csv"), "40 points, lanes\n"));
  EXPECT_TRUE(has(contents(folder / "single.csv"), "40 points, one by one\n"));
  const auto a = row_numbers("lanes.csv", 8), b = row_numbers("single.csv", 8);
  ASSERT_EQ(a.size(), 40);
  for (const auto& [index, row] : a)
    for (std::size_t k = 0; k < row.size(); ++k)
      EXPECT_NEAR(row[k], b.at(index)[k], 1e-9 * (1 + std::abs(row[k]))) << index << " column " << k;
  const Answer other = mubody(sample(40, "lanes.csv", {"--lanes", "0", "--resume"}));
  EXPECT_EQ(other.code, 2);
  EXPECT_TRUE(has(other.err, "was begun with 'lanes'")) << other.err;
}

TEST_F(SweepVerb, does_not_continue_with_other_data) {
  write("pendulum.toml",
        std::string(pendulum) +
            "[forces]\npush = {type = \"time_series\", body = \"rod\", data = \"push.csv\"}\n");
  const auto sweep = [&](const char* data) {
    write("push.csv", data);
    return mubody({"sweep", "pendulum.toml", "-q", "--vary", "gravity.1=-10:-5:3", "--resume"});
  };
  ASSERT_EQ(sweep("0,1,0\n1,1,0\n").code, 0);
  EXPECT_EQ(sweep("0,1,0\n1,1,0\n").code, 0);
  EXPECT_EQ(sweep("0,2,0\n1,2,0\n").code, 2);
}

TEST_F(SweepVerb, continues_after_kills_as_if_there_had_been_none) {
  for (const auto& [lanes, points] : {std::pair("32", 1500), std::pair("0", 300)}) {
    const std::string whole = std::string("whole") + lanes + ".csv",
                      killed = std::string("killed") + lanes + ".csv";
    const std::vector<std::string> how{"--lanes", lanes, "-j", "2", "--resume"};
    ASSERT_EQ(mubody(sample(points, whole, how)).code, 0);
    for (const double after : {0.03, 0.07, 0.05}) {
      const int code = mubody(sample(points, killed, how), after, SIGKILL).code;
      EXPECT_TRUE(code == -SIGKILL || code == 0) << code;  // a fast machine may be done by then
    }
    ASSERT_EQ(mubody(sample(points, killed, how)).code, 0);
    EXPECT_EQ(lines(killed).size(), std::size_t(points) + 2);
    EXPECT_EQ(lines(killed), lines(whole));
    ASSERT_EQ(mubody(sample(points, killed, how)).code, 0) << "nothing left to do";
    EXPECT_EQ(lines(killed), lines(whole));
  }
}

TEST_F(SweepVerb, rows_do_not_depend_on_the_number_of_threads) {
  ASSERT_EQ(mubody(sample(60, "one.csv", {"-j", "1"})).code, 0);
  ASSERT_EQ(mubody(sample(60, "three.csv", {"-j", "3"})).code, 0);
  EXPECT_EQ(lines("one.csv"), lines("three.csv"));
}

TEST_F(SweepVerb, rows_are_the_same_under_mpi) {
  if (std::system("command -v mpirun > /dev/null 2>&1") != 0) GTEST_SKIP() << "there is no mpirun";
  ASSERT_EQ(mubody(sample(120, "one.csv", {"-j", "1"})).code, 0);
  const auto under_mpi = [&](const std::vector<std::string>& words) {
    std::string command = "cd '" + folder.string() +
                          "' && OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
                          "mpirun --oversubscribe -n 2 " MUBODY_PROGRAM;
    for (const std::string& word : words) command += " '" + word + "'";
    return std::system((command + " > mpi.out 2> mpi.err").c_str());
  };
  if (under_mpi(sample(120, "two.csv")) != 0) {
    const std::string why = contents(folder / "mpi.err");
    if (has(why, "built without MPI")) GTEST_SKIP() << why;
    FAIL() << why;
  }
  EXPECT_EQ(lines("two.csv"), lines("one.csv"));
  // A file that was begun by one process is continued by two.
  mubody(sample(120, "mixed.csv", {"-j", "1"}), 0.05, SIGKILL);
  ASSERT_EQ(under_mpi(sample(120, "mixed.csv", {"--resume"})), 0);
  EXPECT_EQ(lines("mixed.csv"), lines("one.csv"));
  EXPECT_NE(under_mpi(sample(120, "two.csv")), 0) << "the file is there";
  EXPECT_TRUE(has(contents(folder / "mpi.err"), "--resume continues it"));
}

TEST_F(SweepVerb, points_that_fail_do_not_stop_the_others) {
  write("pendulum.toml", pendulum);
  const Answer a = mubody({"sweep", "pendulum.toml", "--vary", "bodies.rod.mass=-1,1,2", "-o", "rows.csv"});
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_TRUE(has(a.out, "2 good, 0 doubtful, 1 failed")) << a.out;
  EXPECT_TRUE(has(a.out, "mass: must not be negative")) << a.out;
  EXPECT_TRUE(has(contents(folder / "rows.csv"), "\n0,-1,,,,,,failed,")) << contents(folder / "rows.csv");
  const Answer all = mubody({"sweep", "pendulum.toml", "-q", "--vary", "output.times=1", "-o", "none.csv"});
  EXPECT_NE(all.code, 0);
}

TEST_F(SweepVerb, ctrl_c_leaves_a_file_that_goes_on) {
  const Answer a = mubody(sample(3000, "rows.csv", {"--lanes", "0", "-j", "1"}), 0.4);
  EXPECT_EQ(a.code, 130) << a.err;
  EXPECT_TRUE(has(a.err, "of 3000 points are done; continue with --resume")) << a.err;
  EXPECT_GT(lines("rows.csv").size(), 2);
}

TEST_F(SweepVerb, tells_what_is_wrong_before_anything_is_run) {
  write("pendulum.toml", pendulum);
  const auto complaint = [&](std::vector<std::string> words, int code) {
    words.insert(words.begin(), {"sweep", "pendulum.toml"});
    const Answer a = mubody(words);
    EXPECT_EQ(a.code, code) << a.err;
    EXPECT_EQ(a.out, "");
    EXPECT_FALSE(fs::exists(folder / "pendulum.sweep.csv"));
    return a.err;
  };
  EXPECT_TRUE(has(complaint({}, 2), "nothing varies"));
  EXPECT_TRUE(has(complaint({"--vary", "bodies.rod.mas=1,2"}, 2), "did you mean 'mass'?"));
  EXPECT_TRUE(has(complaint({"--vary", "bodies.rood.mass=1,2"}, 2), "did you mean 'rod'?"));
  EXPECT_TRUE(has(complaint({"--vary", "bodies.rod.mass=1 s,2 s"}, 2), "mass"));
  EXPECT_TRUE(has(complaint({"--vary", "bodies.rod.mass=1:2"}, 2), "--sample lhs N"));
  EXPECT_TRUE(
      has(complaint({"--vary", "bodies.rod.mass=1,2", "--keep", "rod.omga"}, 2), "did you mean 'rod.omega'?"));
  EXPECT_TRUE(
      has(complaint({"--vary", "bodies.rod.mass=1:2", "--sample", "lsh", "5"}, 2), "did you mean 'lhs'?"));
  EXPECT_TRUE(
      has(complaint({"--vary", "bodies.rod.mass=1:2", "--sample", "lhs", "many"}, 2), "number of points"));
  EXPECT_TRUE(has(complaint({"--vary", "bodies.rod.mass=1,2", "-j", "0"}, 2), "--threads must be positive"));
}

TEST_F(SweepVerb, other_analyses_are_swept_one_by_one) {
  write("pendulum.toml", pendulum);
  // A pendulum hangs with f = √(m g r / J) / 2π.
  const Answer a = mubody({"sweep", "pendulum.toml", "-s", "analysis.type=modes", "-s",
                           "analysis.about=equilibrium", "-s", "bodies.rod.angle=-80 deg", "--vary",
                           "gravity.1=-5,-9.81", "--keep", "frequency@1", "-o", "f.csv"});
  ASSERT_EQ(a.code, 0) << a.err;
  EXPECT_TRUE(has(a.out, "one by one (the analysis is 'modes')")) << a.out;
  for (const auto& [index, row] : row_numbers("f.csv", 3))
    EXPECT_NEAR(row[2], std::sqrt(2 * -row[1] * 0.5 / 0.6) / (2 * pi), 1e-6) << index;
}
}  // namespace
}  // namespace mubody::testing
