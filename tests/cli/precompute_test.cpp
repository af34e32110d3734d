// mubody precompute and runs of its files, as a user sees them.
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace mubody::testing {
namespace {
using PrecomputeVerb = Program;
using Json = nlohmann::json;

TEST_F(PrecomputeVerb, makes_a_model_that_runs) {
  write("pendulum.toml", pendulum);
  const Answer made = mubody({"precompute", "pendulum.toml", "-o", "p.rt", "--bound", "1e-9"});
  ASSERT_EQ(made.code, 0) << made.err;
  for (const char* part :
       {"pin.angle, all the way round", "multiply-adds", "asked for 1.0e-09", "written to p.rt"})
    EXPECT_TRUE(has(made.out, part)) << part << " in: " << made.out;
  const Answer ran = mubody({"run", "p.rt", "--report"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  ASSERT_EQ(mubody({"run", "pendulum.toml", "-o", "full", "-q"}).code, 0);
  EXPECT_EQ(names_in(folder / "p.out").count("bodies.csv"), 1u);
  EXPECT_EQ(names_in(folder / "p.out").count("report.html"), 1u);
  const std::string header = contents(folder / "full/joints.csv").substr(0, 200);
  EXPECT_EQ(contents(folder / "p.out/joints.csv").substr(0, 200),
            header);  // the same columns, reactions among them
  const Answer agree =
      mubody({"agree", "full", "p.out", "--tolerance", "1e-6", "--channels", "rod.angle,tip.y"});
  EXPECT_EQ(agree.code, 0) << agree.out << agree.err;
}

TEST_F(PrecomputeVerb, tells_programs_what_it_did) {
  write("pendulum.toml", pendulum);
  const Answer made = mubody({"precompute", "pendulum.toml", "--format", "json"});
  ASSERT_EQ(made.code, 0) << made.err;
  const Json j = Json::parse(made.out);
  EXPECT_EQ(j["regions"][0]["variables"][0]["name"], "pin.angle");
  EXPECT_LE(j["certified"].get<double>(), 1e-8);
  EXPECT_GT(j["operations"].get<int>(), 10);
  EXPECT_EQ(names_in(folder).count("pendulum.rt"), 1u);
}

TEST_F(PrecomputeVerb, writes_tabulated_quantities_as_csv) {
  write("pendulum.toml", pendulum);
  ASSERT_EQ(mubody({"precompute", "pendulum.toml", "-q", "--tables", "tables.csv"}).code, 0);
  const std::string text = contents(folder / "tables.csv");
  EXPECT_EQ(text.find("region,pin.angle[rad],\"J(pin.angle, pin.angle)[kg m^2]\",V[J],rod.x[m]"), 0u)
      << text.substr(0, 200);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1 + 181);
  EXPECT_EQ(mubody({"precompute", "pendulum.toml", "-q", "--tables", "tables.csv"}).code,
            0);  // it replaces its own
  write("mine.csv", "a,b\n1,2\n");
  EXPECT_NE(mubody({"precompute", "pendulum.toml", "-q", "--tables", "mine.csv"}).code, 0);
}

TEST_F(PrecomputeVerb, writes_a_page_of_tables) {
  write("pendulum.toml", pendulum);
  const Answer a = mubody({"precompute", "pendulum.toml", "--report", "page.html"});
  ASSERT_EQ(a.code, 0) << a.err;
  EXPECT_NE(a.out.find("report in page.html"), std::string::npos) << a.out;
  const std::string page = contents(folder / "page.html");
  for (const char* part : {"\"kind\":\"tables\"", "J(pin.angle, pin.angle)", "angles and slides of joints"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
}

TEST_F(PrecomputeVerb, runs_with_other_times_but_not_with_other_bodies) {
  write("pendulum.toml", pendulum);
  ASSERT_EQ(mubody({"precompute", "pendulum.toml", "-q"}).code, 0);
  EXPECT_EQ(mubody({"run", "pendulum.rt", "--set", "analysis.end=1", "--set", "analysis.integrator=rk4",
                    "--set", "analysis.step=1e-3"})
                .code,
            0);
  const Answer other = mubody({"run", "pendulum.rt", "--set", "bodies.rod.mass=3"});
  EXPECT_EQ(other.code, 2);
  EXPECT_TRUE(has(other.err, "Precompute it again")) << other.err;
}

// Tables of loops hold the geometry of these: anything else may change, and a change of that is found out.
TEST_F(PrecomputeVerb, runs_loops_as_joints_with_other_masses_but_not_with_other_lengths) {
  const std::string corner = MUBODY_SOURCE_DIR "/examples/car/quarter.toml";
  ASSERT_EQ(mubody({"precompute", corner, "-o", "q.rt", "-q", "--bound", "1e-6"}).code, 0);
  for (const char* setting : {"parameters.front_spring=40000", "bodies.fl_wheel.mass=25"}) {
    for (const auto& [model, out] : {std::pair<std::string, std::string>("q.rt", "tables"), {corner, "full"}}) {
      const Answer a =
          mubody({"run", model, "-o", out, "-q", "--force", "--set", "analysis.end=0.5", "--set", setting});
      ASSERT_EQ(a.code, 0) << a.err;
    }
    const Answer agree =
        mubody({"agree", "full", "tables", "--tolerance", "1e-4", "--channels", "chassis.z,fl_wheel.z"});
    EXPECT_EQ(agree.code, 0) << agree.out << agree.err;
  }
  const Answer longer = mubody({"run", "q.rt", "--set", "parameters.xf=1.21"});
  EXPECT_EQ(longer.code, 2);
  EXPECT_TRUE(has(longer.err, "a setting changes the geometry of a loop")) << longer.err;
}

TEST_F(PrecomputeVerb, refuses_damaged_files) {
  write("pendulum.toml", pendulum);
  ASSERT_EQ(mubody({"precompute", "pendulum.toml", "-o", "p.rt", "-q"}).code, 0);
  std::string bytes = contents(folder / "p.rt");
  bytes[bytes.size() / 2] ^= 4;
  write("bad.rt", bytes);
  const Answer bad = mubody({"run", "bad.rt"});
  EXPECT_EQ(bad.code, 2);
  EXPECT_TRUE(has(bad.err, "bad.rt: the precomputed model is damaged")) << bad.err;
  write("short.rt", contents(folder / "p.rt").substr(0, 1000));
  EXPECT_EQ(mubody({"run", "short.rt"}).code, 2);
  std::string other = contents(folder / "p.rt");
  other[other.find("model ") + 6] = '7';
  write("other.rt", other);
  EXPECT_TRUE(has(mubody({"run", "other.rt"}).err, "format 7"));
}

TEST_F(PrecomputeVerb, replaces_only_its_own_files) {
  write("pendulum.toml", pendulum);
  write("notes.rt", "my notes");
  const Answer a = mubody({"precompute", "pendulum.toml", "-o", "notes.rt"});
  EXPECT_EQ(a.code, 1);
  EXPECT_EQ(contents(folder / "notes.rt"), "my notes");
}

TEST_F(PrecomputeVerb, tells_what_is_wrong) {
  write("pendulum.toml", pendulum);
  const auto says = [&](std::vector<std::string> words, int code, const char* part) {
    words.insert(words.begin(), {"precompute", "pendulum.toml"});
    const Answer a = mubody(words);
    EXPECT_EQ(a.code, code) << part;
    EXPECT_TRUE(has(a.err, part)) << part << " in: " << a.err;
  };
  says({"--bound", "-1"}, 2, "--bound must be positive");
  says({"--bound", "1e-16"}, 2, "--bound must be at least 1e-14");
  says({"--range", "pin.angle=1:0"}, 2, "with LOW below HIGH");
  says({"--memory", "much"}, 2, "--memory takes a size");
  says({"--memory", "3kB", "--bound", "1e-10"}, 2, "--memory");
  says({"--range", "pin.angle"}, 2, "NAME=LOW:HIGH");
  says({"--range", "pin.angle=10deg:20deg"}, 2, "does not contain the start");
  says({"--range", "pin.angle=-1 m:20deg"}, 2, "--range pin.angle");
  says({"--independent", "pin.slide"}, 2, "pin.angle");
  says({"--order", "4"}, 2, "--order must be 3, 5, 7 or 9");
  says({"--real", "float"}, 2, "--emit-c");
}

TEST_F(PrecomputeVerb, writes_c) {
  write("pendulum.toml", pendulum);
  const Answer a =
      mubody({"precompute", "pendulum.toml", "--emit-c", "generated", "--name", "swing", "--step", "1 ms"});
  ASSERT_EQ(a.code, 0) << a.err;
  EXPECT_EQ(names_in(folder / "generated"), (std::set<std::string>{"swing.c", "swing.h"}));
  EXPECT_EQ(names_in(folder).count("pendulum.rt"), 0u);  // not asked for
  const std::string compile =
      "cd " + (folder / "generated").string() +
      " && cc -std=c99 -Wall -Wextra -pedantic -Werror -Dswing_SELF_TEST_MAIN swing.c -o t -lm && "
      "./t > out.txt";
  EXPECT_EQ(std::system(compile.c_str()), 0);
}
}  // namespace
}  // namespace mubody::testing
