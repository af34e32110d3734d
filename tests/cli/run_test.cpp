// mubody run: exit codes, files, settings, Ctrl-C.
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace mubody::testing {
namespace {
using RunVerb = Program;
using Json = nlohmann::json;

std::string replaced(std::string text, const std::string& old, const std::string& by) {
  return text.replace(text.find(old), old.size(), by);
}

// Two fixed pins that are further apart than the bar between them is long.
const char* const gaping = R"([bodies]
bar = {mass = 1, inertia = 1, position = [0.5, 0]}
[joints]
A = {type = "revolute", bodies = ["ground", "bar"], i = [0, 0], j = [-0.5, 0]}
B = {type = "distance", bodies = ["ground", "bar"], i = [5, 0], j = [0.5, 0], length = 1}
)";

TEST_F(RunVerb, writes_tables_and_a_summary) {
  write("pendulum.toml", pendulum);
  const Answer a = mubody({"run", "pendulum.toml"});
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_EQ(a.err, "");
  EXPECT_EQ(names_in(folder / "pendulum.out"),
            (std::set<std::string>{"bodies.csv", "joints.csv", "points.csv", "energy.csv", "violations.csv",
                                   "reactions.csv", "extremes.csv", "accuracy.csv", "summary.json"}));
  const std::string bodies = contents(folder / "pendulum.out/bodies.csv");
  EXPECT_TRUE(bodies.starts_with("time[s],rod.x[m],rod.y[m],rod.angle[rad],rod.vx[m/s],"))
      << bodies.substr(0, 200);
  EXPECT_EQ(std::count(bodies.begin(), bodies.end(), '\n'), 12);
  EXPECT_TRUE(has(bodies, "\n0.5,"));
  for (const char* part : {"pendulum: forward analysis from 0 s to 0.5 s", "1 body, 1 joint",
                           "3 coordinates - 2 equations = 1 freedom", "verdict   good", "reactions at most",
                           "bodies.csv", "11 rows x 10 columns"})
    EXPECT_TRUE(has(a.out, part)) << part << "\n" << a.out;
  EXPECT_FALSE(has(a.out, "\033")) << "colours without a terminal";
}

TEST_F(RunVerb, summary_is_json) {
  write("pendulum.toml", pendulum);
  const Answer a = mubody({"run", "pendulum.toml", "--format", "json", "--out", "here"});
  ASSERT_EQ(a.code, 0) << a.err;
  EXPECT_EQ(a.out, contents(folder / "here/summary.json"));
  const Json summary = Json::parse(a.out);
  EXPECT_EQ(summary["model"], "pendulum");
  EXPECT_EQ(summary["outcome"]["word"], "reached end");
  EXPECT_EQ(summary["outcome"]["time"], 0.5);
  EXPECT_EQ(summary["trusted"], true);
  EXPECT_EQ(summary["freedom"]["actual"], 1);
  EXPECT_EQ(summary["integrator"], "auto");
  EXPECT_EQ(summary["treatment"], "projection");
  EXPECT_GT(summary["statistics"]["steps"], 0);
  ASSERT_FALSE(summary["extremes"].empty());
  EXPECT_LE(summary["extremes"][0]["least"], summary["extremes"][0]["greatest"]);
  ASSERT_FALSE(summary["files"].empty());
  for (const Json& file : summary["files"]) {
    const std::string text = contents(folder / "here" / file["name"].get<std::string>());
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), file["rows"].get<long>() + 1) << file["name"];
    const std::string name = file["name"];
    const bool by_channel = name == "accuracy.csv" || name == "extremes.csv";
    const std::string first = name == "reactions.csv" ? "reaction" : by_channel ? "channel" : "time[s]";
    EXPECT_EQ(file["columns"][0], first);
  }
}

TEST_F(RunVerb, settings_change_the_model) {
  write("pendulum.toml", pendulum);
  const Answer a =
      mubody({"run", "pendulum.toml", "--quiet", "--set", "analysis.end=0.2", "-s", "analysis.integrator=rk4",
              "-s", "analysis.step=\"1 ms\"", "-s", "bodies.rod.omega=3"});
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_EQ(a.out + a.err, "");
  const Json summary = Json::parse(contents(folder / "pendulum.out/summary.json"));
  EXPECT_EQ(summary["integrator"], "rk4");
  EXPECT_EQ(summary["outcome"]["time"], 0.2);
  EXPECT_EQ(summary["statistics"]["steps"], 200);
  EXPECT_FALSE(summary["assembly"]["moved"]["velocities"].empty());
  EXPECT_EQ(mubody({"run", "pendulum.toml", "--set", "analysis.ende=2"}).code, 2);
  EXPECT_EQ(mubody({"run", "pendulum.toml", "--set", "bodies.rood.mass=2"}).code, 2);
}

TEST_F(RunVerb, analysis_can_be_chosen) {
  write("pendulum.toml", pendulum);
  EXPECT_EQ(mubody({"run", "pendulum.toml", "--analysis", "assembly"}).code, 0);
  EXPECT_EQ(Json::parse(contents(folder / "pendulum.out/summary.json"))["analysis"], "assembly");
  const Answer a = mubody({"run", "pendulum.toml", "--analysis", "kinematic"});
  EXPECT_EQ(a.code, 2);
  EXPECT_TRUE(a.err.starts_with("mubody: pendulum.toml: kinematic analysis needs a driver")) << a.err;
}

TEST_F(RunVerb, a_folder_stands_for_the_model_in_it) {
  write("case/model.toml", pendulum);
  EXPECT_EQ(mubody({"run", "case"}).code, 0);
  EXPECT_TRUE(fs::exists(folder / "case/model.out/bodies.csv"));
  fs::create_directory(folder / "empty");
  const Answer a = mubody({"run", "empty"});
  EXPECT_EQ(a.code, 2);
  EXPECT_EQ(a.err, "mubody: empty: this is a folder, and there is no model.toml in it\n");
}

TEST_F(RunVerb, an_invalid_model_writes_nothing) {
  write("bad.toml", replaced(pendulum, "\"rod\"], at", "\"rood\"], at"));
  const Answer a = mubody({"run", "bad.toml"});
  EXPECT_EQ(a.code, 2);
  EXPECT_EQ(a.out, "");
  EXPECT_TRUE(a.err.starts_with("mubody: bad.toml:8:")) << a.err;
  EXPECT_TRUE(has(a.err, "'rood'") && has(a.err, "did you mean 'rod'?")) << a.err;
  EXPECT_FALSE(fs::exists(folder / "bad.out"));
  const Answer json = mubody({"run", "bad.toml", "--format", "json"});
  EXPECT_EQ(json.code, 2);
  EXPECT_EQ("mubody: " + Json::parse(json.out)["error"].get<std::string>() + "\n", a.err);
  EXPECT_EQ(mubody({"run", "missing.toml"}).code, 2);
}

TEST_F(RunVerb, a_mechanism_that_gapes_writes_nothing) {
  write("gaping.toml", gaping);
  const Answer a = mubody({"run", "gaping.toml"});
  EXPECT_EQ(a.code, 3);
  EXPECT_EQ(a.out, "");
  EXPECT_TRUE(has(a.err, "cannot be assembled") && has(a.err, "gapes by")) << a.err;
  EXPECT_FALSE(fs::exists(folder / "gaping.out"));
}

TEST_F(RunVerb, a_failure_keeps_what_has_been_computed) {
  write("root.toml",
        std::string(pendulum) +
            "[forces]\nkick = {type = \"moment\", body = \"rod\", moment = \"= sqrt(0.3 - t)\"}\n");
  const Answer a = mubody({"run", "root.toml"});
  EXPECT_EQ(a.code, 4) << a.err;
  EXPECT_TRUE(has(a.err, "results up to there are kept")) << a.err;
  EXPECT_TRUE(has(a.out, "do not trust this")) << a.out;
  const std::string bodies = contents(folder / "root.out/bodies.csv");
  EXPECT_TRUE(has(bodies, "\n0.05,"));
  EXPECT_FALSE(has(bodies, "nan"));
  EXPECT_EQ(Json::parse(contents(folder / "root.out/summary.json"))["trusted"], false);
}

TEST_F(RunVerb, an_answer_that_cannot_be_trusted_has_its_own_code) {
  write("pendulum.toml", pendulum);
  const Answer coarse =
      mubody({"run", "pendulum.toml", "-s", "analysis.integrator=euler", "-s", "analysis.step=0.01"});
  EXPECT_EQ(coarse.code, 5);
  EXPECT_TRUE(has(coarse.err, "do not trust this")) << coarse.err;
  EXPECT_TRUE(fs::exists(folder / "pendulum.out/bodies.csv"));
  EXPECT_EQ(mubody({"run", "pendulum.toml"}).code, 0);
  const Answer missed = mubody({"run", "pendulum.toml", "-s", "analysis.rtol=1e-5", "-s", "analysis.max_step=1",
                                "-s", "analysis.accuracy=1e-12"});
  EXPECT_EQ(missed.code, 5) << missed.out;
}

TEST_F(RunVerb, ctrl_c_keeps_what_has_been_computed) {
  write("pendulum.toml", pendulum);
  Answer a;
  // On a machine under load it may take a while until the program runs at all.
  for (const double delay : {0.5, 4.0, 20.0}) {
    a = mubody({"run", "pendulum.toml", "-s", "analysis.end=1e7", "-s", "output.step=1", "-s",
                "analysis.max_steps=2000000000"},
               delay);
    if (a.code == 130) break;
  }
  EXPECT_EQ(a.code, 130) << a.err;
  EXPECT_TRUE(has(a.err, "interrupted") && has(a.err, "are kept")) << a.err;
  const Json summary = Json::parse(contents(folder / "pendulum.out/summary.json"));
  EXPECT_EQ(summary["outcome"]["word"], "interrupted");
  EXPECT_GE(summary["outcome"]["time"], 0);
  EXPECT_TRUE(has(contents(folder / "pendulum.out/bodies.csv"), "\n0,"));
}

TEST_F(RunVerb, sigterm_is_like_ctrl_c) {
  write("pendulum.toml", pendulum);
  Answer a;
  for (const double delay : {0.5, 4.0, 20.0}) {
    a = mubody({"run", "pendulum.toml", "-s", "analysis.end=1e7", "-s", "output.step=1", "-s",
                "analysis.max_steps=2000000000"},
               delay, SIGTERM);
    if (a.code == 143) break;
  }
  EXPECT_EQ(a.code, 143) << a.err;
  EXPECT_TRUE(has(a.err, "interrupted") && has(a.err, "are kept")) << a.err;
  EXPECT_TRUE(fs::exists(folder / "pendulum.out/bodies.csv"));
}

TEST_F(RunVerb, an_earlier_run_is_replaced_and_nothing_else) {
  write("pendulum.toml", pendulum);
  ASSERT_EQ(mubody({"run", "pendulum.toml"}).code, 0);
  write("pendulum.out/notes.txt", "mine");
  ASSERT_TRUE(fs::exists(folder / "pendulum.out/points.csv"));
  write("pendulum.toml", replaced(pendulum, "tip = {body = \"rod\", at = [0.5, 0]}", ""));
  ASSERT_EQ(mubody({"run", "pendulum.toml"}).code, 0);
  EXPECT_FALSE(fs::exists(folder / "pendulum.out/points.csv")) << "of the earlier run";
  EXPECT_EQ(contents(folder / "pendulum.out/notes.txt"), "mine");

  write("data/energy.csv", "measured");
  const Answer a = mubody({"run", "pendulum.toml", "--out", "data"});
  EXPECT_EQ(a.code, 1);
  EXPECT_TRUE(has(a.err, "energy.csv': the file is there already")) << a.err;
  EXPECT_EQ(names_in(folder / "data"), std::set<std::string>{"energy.csv"});
}

TEST_F(RunVerb, a_folder_that_cannot_be_is_told_before_the_run) {
  write("pendulum.toml", pendulum);
  write("file", "");
  const Answer a = mubody({"run", "pendulum.toml", "--out", "file/results", "-s", "analysis.end=1e9"});
  EXPECT_EQ(a.code, 1);
  EXPECT_TRUE(has(a.err, "cannot write to 'file/results'")) << a.err;
}

TEST_F(RunVerb, gives_every_warning_that_check_gives) {
  write("odd.toml", R"toml([bodies]
free = {mass = 1, inertia = 1}
m = {mass = 1, position = [0, -1]}
[forces]
s = {type = "spring", bodies = ["ground", "m"], i = [0, 0], j = [0, 0], stiffness = 100, damping = -2}
[points]
P = {body = "ground"}
)toml");
  const Answer check = mubody({"check", "odd.toml", "--format", "json"});
  ASSERT_EQ(check.code, 0) << check.err;
  const Json warnings = Json::parse(check.out)["warnings"];
  EXPECT_EQ(warnings.size(), 6U) << warnings;
  const Answer a = mubody({"run", "odd.toml", "--report"});
  const Json remarks = Json::parse(contents(folder / "odd.out/summary.json"))["remarks"];
  const std::string page = contents(folder / "odd.out/report.html");
  for (const Json& line : warnings) {
    EXPECT_NE(std::find(remarks.begin(), remarks.end(), line), remarks.end()) << line;
    EXPECT_TRUE(has(a.out, line.get<std::string>().substr(0, 20))) << line << a.out;
    EXPECT_TRUE(has(page, line.dump())) << line;
  }
}

TEST_F(RunVerb, leaves_no_older_report_beside_newer_results) {
  write("pendulum.toml", pendulum);
  ASSERT_EQ(mubody({"run", "pendulum.toml", "--report"}).code, 0);
  const fs::path report = folder / "pendulum.out/report.html";
  ASSERT_TRUE(fs::exists(report));
  fs::copy(report, folder / "pendulum.out/mine.html");
  write("pendulum.out/notes.html", "<p>mine</p>");
  const Answer a = mubody({"run", "pendulum.toml", "-s", "analysis.end=0.2"});
  ASSERT_EQ(a.code, 0) << a.err;
  EXPECT_TRUE(has(a.out, "report.html of an earlier run was removed")) << a.out;
  EXPECT_FALSE(fs::exists(report));
  EXPECT_TRUE(fs::exists(folder / "pendulum.out/mine.html")) << "under a name that the user gave";
  EXPECT_TRUE(fs::exists(folder / "pendulum.out/notes.html"));
  ASSERT_EQ(mubody({"run", "pendulum.toml", "--report", "-q"}).code, 0);
  EXPECT_TRUE(fs::exists(report)) << "a new one";
}

TEST_F(RunVerb, that_fails_says_that_results_are_of_an_earlier_one) {
  write("gaping.toml", pendulum);
  ASSERT_EQ(mubody({"run", "gaping.toml", "-q"}).code, 0);
  write("gaping.toml", gaping);
  const Answer again = mubody({"run", "gaping.toml"});
  EXPECT_EQ(again.code, 3) << again.err;
  EXPECT_TRUE(has(again.err, "; what is in 'gaping.out' is of an earlier run\n")) << again.err;
  const Answer first = mubody({"run", "gaping.toml", "--out", "elsewhere"});
  EXPECT_FALSE(has(first.err, "earlier run")) << first.err;
  const Answer beside = mubody({"run", "gaping.toml", "--out", "."});
  EXPECT_EQ(beside.code, 3) << beside.err;
  EXPECT_FALSE(has(beside.err, "earlier run")) << beside.err;
}
}  // namespace
}  // namespace mubody::testing
