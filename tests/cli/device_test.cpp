// mubody sweep --device: the code of graphics processors on the cores of this machine, and what is said where there is none.
#include "tests/cli/program.h"
#include "tests/reference.h"

namespace mubody::testing {
namespace {
class DeviceSweep : public Program {
 protected:
  static std::vector<std::string> sample(int points, const std::string& out, std::vector<std::string> more) {
    std::vector<std::string> words{"sweep", four_bar,   "-q",  "-o",
                                   out,     "--sample", "lhs", std::to_string(points)};
    for (const char* word :
         {"-s", "analysis.integrator=dormand-prince", "-s", "analysis.end=0.5", "--no-estimate", "--vary",
          "a=1.9:2.1", "--vary", "c=3.9:4.1", "--vary", "bodies.crank.mass=0.9:1.1", "--keep",
          "crank.angle,max(crank.omega),tip.x@0.3,A.on_crank.fx"})
      words.emplace_back(word);
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  using Rows = std::map<int, std::vector<double>>;
  static void expect_near(const Rows& rows, const Rows& expected, double share) {
    for (const auto& [index, row] : rows)
      for (std::size_t k = 0; k < row.size(); ++k)
        EXPECT_NEAR(row[k], expected.at(index)[k], share * (1 + std::abs(row[k])))
            << "point " << index << ", cell " << k;
  }
};

// With so many points most are not read: lengths of loops are assembled from numbers that were found.
TEST_F(DeviceSweep, has_the_rows_of_lanes) {
  ASSERT_EQ(mubody(sample(600, "lanes.csv", {})).code, 0);
  const Answer a = mubody(sample(600, "compiled.csv", {"--device", "compiled"}));
  ASSERT_EQ(a.code, 0) << a.err;
  const auto lanes = row_numbers("lanes.csv", 9), compiled = row_numbers("compiled.csv", 9);
  ASSERT_EQ(compiled.size(), 600u);
  expect_near(compiled, lanes, 1e-9);
}
// Where masses alone vary all points begin at the same place, and joint coordinates take fewer operations.
TEST_F(DeviceSweep, has_the_rows_of_lanes_in_joint_coordinates_of_the_plane) {
  const auto rows = [&](const std::string& device) {
    const std::string out = device + ".csv";
    const Answer a = mubody({"sweep", std::string(MUBODY_SOURCE_DIR) + "/examples/andrews", "-q", "-o", out,
                             "--sample", "lhs", "600", "-s", "analysis.end=0.01", "--no-estimate", "--vary",
                             "bodies.K1.mass=0.042:0.044", "--vary", "bodies.K5.mass=0.06:0.08", "--keep",
                             "K1.angle,max(K1.omega),K3.x@0.005,B.on_K3.fx,total", "--device", device});
    EXPECT_EQ(a.code, 0) << a.err;
    return row_numbers(out, 9);
  };
  const auto lanes = rows("cpu"), compiled = rows("compiled");
  ASSERT_EQ(compiled.size(), 600u);
  expect_near(compiled, lanes, 1e-9);
}
TEST_F(DeviceSweep, continues_where_it_was) {
  ASSERT_EQ(mubody(sample(600, "whole.csv", {"--device", "compiled"})).code, 0);
  const std::string text = contents(folder / "whole.csv");
  write("part.csv", text.substr(0, text.size() / 2));
  const Answer a = mubody(sample(600, "part.csv", {"--device", "compiled", "--resume"}));
  ASSERT_EQ(a.code, 0) << a.err;
  EXPECT_EQ(row_numbers("part.csv", 9), row_numbers("whole.csv", 9));
  const Answer other = mubody(sample(600, "part.csv", {"--resume"}));
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.err.find("'compiled'"), std::string::npos) << other.err;
}
// Two tables, one of them of two variables, with work of springs and of dampers in them.
TEST_F(DeviceSweep, runs_from_several_tables_of_several_variables) {
  write("pendulums.toml", R"toml(gravity = [0, -9.81]
[bodies]
upper = {mass = 1, inertia = 0.1, angle = 0.4, position = ["= sin(0.4)", "= -cos(0.4)"]}
lower = {mass = 1, inertia = 0.2, angle = 0.7, position = ["= sin(0.4) + sin(0.7)", "= -cos(0.4) - cos(0.7)"]}
single = {mass = 1, inertia = 0.2, angle = 0.5, position = ["= 3 + sin(0.5)", "= -cos(0.5)"]}
[joints]
A = {type = "revolute", bodies = ["ground", "upper"], i = [0, 0], j = [0, 1]}
B = {type = "revolute", bodies = ["upper", "lower"], i = [0, 0], j = [0, 1]}
C = {type = "revolute", bodies = ["ground", "single"], i = [3, 0], j = [0, 1]}
[forces]
shock = {type = "spring", bodies = ["ground", "upper"], i = [1.5, 0.5], j = [0, 0.2], stiffness = 2, damping = 0.3, free_length = 1}
oil = {type = "joint_spring", joint = "B", stiffness = 0, damping = 0.1}
grease = {type = "joint_spring", joint = "C", stiffness = 0, damping = 0.1}
[analysis]
type = "forward"
end = 1
integrator = "dormand-prince"
rtol = 1e-9
[output]
step = 0.1
)toml");
  ASSERT_EQ(mubody({"precompute", "pendulums.toml", "-o", "pendulums.rt", "-q", "--bound", "1e-7",
                    "--tables-of", "whole"})
                .code,
            0);
  const auto rows = [&](const std::string& device) {
    const Answer a =
        mubody({"sweep", "pendulums.rt", "-q", "-o", device + ".csv", "--no-estimate", "--device", device,
                "--vary", "bodies.upper.omega=0,0.1,-0.2", "--vary", "bodies.single.omega=0.3,0", "--keep",
                "upper.angle,max(lower.omega),single.x@0.5,total"});
    EXPECT_EQ(a.code, 0) << a.err;
    return row_numbers(device + ".csv", 8);
  };
  const auto one_by_one = rows("cpu"), compiled = rows("compiled");
  ASSERT_EQ(compiled.size(), 6u);
  expect_near(compiled, one_by_one, 1e-8);
}
TEST_F(DeviceSweep, says_what_it_cannot_run) {
  write("pendulum.toml", pendulum);
  const std::vector<std::string> kinematic{"sweep",  std::string(MUBODY_SOURCE_DIR) + "/examples/excavator",
                                           "-q",     "-o",
                                           "x.csv",  "--force",
                                           "--vary", "gravity.1=-10,-9"};
  const auto with = [&](std::vector<std::string> more) {
    std::vector<std::string> words = kinematic;
    words.insert(words.end(), more.begin(), more.end());
    return mubody(words);
  };
  const Answer refused = with({"--device", "compiled"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(with({"--device", "compiled", "--fallback"}).code, 0);
  const Answer wrong = with({"--device", "cuda:x"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_NE(wrong.err.find("cuda:K"), std::string::npos) << wrong.err;
  EXPECT_EQ(with({"--device", "auto"}).code, 0);
}

/// A sweep of precomputed models.
class TableSweep : public DeviceSweep {
 protected:
  std::vector<std::string> words(const std::string& tables, const std::string& vary, const std::string& keep,
                                 const std::string& device, std::vector<std::string> more = {}) const {
    std::vector<std::string> all{"sweep",   tables,     "--vary",       vary, "--keep",
                                 keep,      "--device", device,         "-o", device + ".csv",
                                 "--force", "-q",       "--no-estimate"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  void compare(const std::string& tables, const std::string& vary, const std::string& keep, double within,
               const std::vector<std::string>& more) {
    for (const char* device : {"cpu", "compiled"}) {
      const Answer a = mubody(words(tables, vary, keep, device, more));
      ASSERT_EQ(a.code, 0) << device << ": " << a.err;
    }
    const auto one = row_numbers("cpu.csv", 4), other = row_numbers("compiled.csv", 4);
    ASSERT_EQ(one.size(), other.size());
    for (const auto& [index, row] : one) {
      ASSERT_EQ(row.size(), other.at(index).size()) << index;
      for (std::size_t k = 0; k < row.size(); ++k)
        EXPECT_NEAR(row[k], other.at(index)[k], within * (1 + std::abs(row[k])))
            << "point " << index << ", " << k;
    }
  }
};

TEST_F(TableSweep, of_the_whole_has_other_starts) {
  ASSERT_EQ(mubody({"precompute", four_bar, "-o", "fb.rt", "-q", "--bound", "1e-7"}).code, 0);
  compare("fb.rt", "crank_angle=0.95:1.15:600", "crank.angle,max(tip.y)", 1e-10,
          {"-s", "analysis.end=0.4", "-s", "analysis.step=0.01"});
  const Answer heavy = mubody(words("fb.rt", "bodies.crank.mass=1.2,1.3", "crank.angle", "cpu"));
  EXPECT_EQ(heavy.code, 4) << heavy.err;
  EXPECT_NE(heavy.err.find("start alone may vary"), std::string::npos) << heavy.err;
}
TEST_F(TableSweep, of_loops_has_other_masses) {
  const std::string quarter = std::string(MUBODY_SOURCE_DIR) + "/examples/car/quarter.toml";
  ASSERT_EQ(mubody({"precompute", quarter, "-o", "quarter.rt", "-q", "--bound", "1e-7"}).code, 0);
  compare("quarter.rt", "bodies.chassis.mass=300,310,320", "chassis.z,max(chassis.vz)", 1e-8,
          {"-s", "analysis.end=0.5", "-s", "analysis.integrator=dormand-prince", "-s", "analysis.rtol=1e-10"});
}
}  // namespace
}  // namespace mubody::testing
