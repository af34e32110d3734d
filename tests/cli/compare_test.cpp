// mubody compare: the table, the files, and what may go wrong.
#include <algorithm>

#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace mubody::testing {
namespace {
using Json = nlohmann::json;
class CompareVerb : public Program {
 protected:
  Json json(std::vector<std::string> words) const {
    words.insert(words.begin(), "compare");
    words.insert(words.end(), {"--format", "json", "--quiet", "--repeat", "1", "--out", "out"});
    const Answer a = mubody(words);
    EXPECT_EQ(a.code, 0) << a.err;
    EXPECT_EQ(a.err, "");
    return Json::parse(a.out);
  }
  void expect_error(std::vector<std::string> words, int code, const std::string& message) const {
    words.insert(words.begin(), "compare");
    const Answer a = mubody(words);
    EXPECT_EQ(a.code, code) << message << a.err;
    EXPECT_EQ(a.out, "");
    EXPECT_TRUE(has(a.err, message)) << a.err;
    EXPECT_FALSE(fs::exists(folder / "pendulum.compare"));
  }
  static std::ptrdiff_t lines_of(const fs::path& file) {
    const std::string text = contents(file);
    return std::count(text.begin(), text.end(), '\n');
  }
};

TEST_F(CompareVerb, prints_a_table_and_writes_three_files) {
  write("pendulum.toml", pendulum);
  const Answer a =
      mubody({"compare", "pendulum.toml", "--integrators", "rk4,dormand-prince", "--steps", "10 ms,5e-3",
              "--treatments", "standard,baumgarte(alpha=20,beta=20),projection", "--repeat", "1"});
  EXPECT_EQ(a.code, 0) << a.err;
  for (const char* part :
       {"pendulum: 9 runs from 0 s to 0.5 s", "reference: dormand-prince with projection, rtol 1e-12",
        "known to", "treatment", "integrator", "max |Φ|", "[m|rad]", "Newton", "baumgarte(alpha=20,beta=20)",
        "0.005 s", "rtol 1e-09", "passed", "pendulum.compare/"})
    EXPECT_TRUE(has(a.out, part)) << part << "\n" << a.out;
  EXPECT_FALSE(has(a.out, "\033")) << "colours without a terminal";
  for (const char* part :
       {"reference, rtol 1e-12\n", "[1/9] standard, rk4, 0.01 s: passed after ", "[9/9] projection"})
    EXPECT_TRUE(has(a.err, part)) << part << "\n" << a.err;
  const fs::path out = folder / "pendulum.compare";
  EXPECT_EQ(names_in(out), (std::set<std::string>{"comparison.csv", "work_precision.csv", "curves.csv"}));
  EXPECT_EQ(lines_of(out / "comparison.csv"), 10);
  EXPECT_EQ(lines_of(out / "work_precision.csv"), 10);
  EXPECT_EQ(lines_of(out / "curves.csv"), 1 + 9 * 11);
  EXPECT_TRUE(has(
      contents(out / "comparison.csv"),
      "\n\"baumgarte(alpha=20,beta=20), rk4, 0.005 s\",\"baumgarte(alpha=20,beta=20)\",rk4,0.005,,passed,"));
  EXPECT_TRUE(contents(out / "curves.csv")
                  .starts_with("run,time[s],violation[m|rad],violation_rate[m/s|rad/s],energy_residual[J],"
                               "violation_squares[m²|rad²],violation_rate_squares[m²/s²|rad²/s²]\n"
                               "\"standard, rk4, 0.01 s\",0,"));
}

TEST_F(CompareVerb, puts_several_models_into_one_table) {
  write("pendulum.toml", pendulum);
  write("other.toml", std::string(pendulum).replace(0, std::string(pendulum).find('\n'), "name = \"other\""));
  const Answer a = mubody({"compare", "pendulum.toml", "other.toml", "--treatments", "standard,projection",
                           "--steps", "0.01", "--repeat", "1", "--out", "both"});
  EXPECT_EQ(a.code, 0) << a.err;
  for (const char* part : {"2 models", "max ΦᵀΦ", "ranking", "2 of 2", "both/: suite.csv, ranking.csv"})
    EXPECT_TRUE(has(a.out, part)) << part << "\n" << a.out;
  EXPECT_FALSE(has(a.out, "Marques")) << "its conclusions are on its own models";
  for (const char* part : {"pendulum: reference, rtol 1e-12\n",
                           "[1/4] pendulum: standard, rk4, 0.01 s: passed after ", "[4/4] other: projection"})
    EXPECT_TRUE(has(a.err, part)) << part << "\n" << a.err;
  EXPECT_EQ(names_in(folder / "both"), (std::set<std::string>{"suite.csv", "ranking.csv"}));
  EXPECT_EQ(lines_of(folder / "both/suite.csv"), 5);
  EXPECT_EQ(lines_of(folder / "both/ranking.csv"), 3);
  EXPECT_TRUE(has(contents(folder / "both/suite.csv"),
                  "\nother,\"projection, rk4, 0.01 s\",projection,rk4,0.01,,passed,"));
  // As a suite of one model, with a page; figures are those of the model by itself.
  const Answer one =
      mubody({"compare", "--suite", "pendulum.toml", "--treatments", "standard,projection", "--steps", "0.01",
              "--repeat", "1", "--quiet", "--format", "json", "--out", "one", "--report"});
  EXPECT_EQ(one.code, 0) << one.err;
  const Json all = Json::parse(one.out);
  const Json alone =
      json({"pendulum.toml", "--treatments", "standard,projection", "--integrators", "rk4", "--steps", "0.01"});
  for (int k : {0, 1})
    for (const char* figure : {"largest_violation_squares", "corrections_energy", "energy_residual", "solves"})
      EXPECT_EQ(all["comparisons"][0]["runs"][k][figure], alone["runs"][k][figure]) << figure;
  EXPECT_TRUE(fs::exists(folder / "one/report.html"));
  expect_error({"a.toml", "b.toml", "--reference", "r.csv"}, 2, "--reference is for one model");
}

TEST_F(CompareVerb, numbers_models_of_the_same_name) {
  write("pendulum.toml", pendulum);
  const Answer a = mubody({"compare", "pendulum.toml", "pendulum.toml", "--treatments", "standard", "--steps",
                           "0.01", "--repeat", "1", "--out", "twice"});
  EXPECT_EQ(a.code, 0) << a.err;
  for (const char* name : {"pendulum (1)", "pendulum (2)"}) {
    EXPECT_TRUE(has(a.out, name)) << a.out;
    EXPECT_TRUE(has(contents(folder / "twice/suite.csv"), std::string("\n") + name + ","));
  }
}

TEST_F(CompareVerb, has_the_models_of_the_paper_and_its_conclusions) {
  const Answer a =
      mubody({"compare", "--suite", "--steps", "1e-3", "--set", "analysis.end=0.02", "--treatments",
              "standard,baumgarte,augmented,index1,partitioning,direct,projection", "--repeat", "1"});
  EXPECT_EQ(a.code, 0) << a.err;
  for (const char* part : {"4 models", "four-bar", "five-bar pendulum", "spatial slider-crank",
                           "Iltis suspension", "fig. 8: ", "fig. 20: ", "here "})
    EXPECT_TRUE(has(a.out, part)) << part << "\n" << a.out;
  EXPECT_TRUE(has(a.err, "[28/28] Iltis suspension: projection"));
}

TEST_F(CompareVerb, runs_all_treatments_if_none_is_chosen_and_keeps_the_numbers_of_the_model) {
  write("pendulum.toml", pendulum);
  const Json all = json({"pendulum.toml", "--set", "analysis.treatment={type='baumgarte', alpha=7}"});
  const Json known = Json::parse(mubody({"list", "treatments", "--format", "json"}).out);
  std::set<std::string> expected, found;
  for (const auto& kind : known["treatments"]) expected.insert(kind["name"]);
  for (const auto& run : all["runs"]) found.insert(run["treatment"]);
  expected.erase("baumgarte");
  for (const char* variant : {"baumgarte(alpha=7)", "baumgarte(gains=taylor)", "baumgarte(gains=auto)",
                              "partitioning(by=qr)", "partitioning(by=svd)"})
    expected.insert(variant);
  EXPECT_EQ(found, expected);
  EXPECT_EQ(all["runs"][0]["treatment"], "standard");
}

// The same figures in another way: by two runs, and the verb that compares results.
TEST_F(CompareVerb, tells_what_run_and_agree_tell) {
  const std::vector<std::string> common{"--set", "analysis.end=2"};
  const Json all = json({four_bar, "--treatments", "baumgarte", common[0], common[1]});
  const Json& run = all["runs"][0];
  EXPECT_EQ(mubody({"run", four_bar, common[0], common[1], "--quiet", "--out", "run.out", "--set",
                    "analysis.treatment=baumgarte"})
                .code,
            0);
  EXPECT_EQ(mubody({"run", four_bar, common[0], common[1], "--quiet", "--out", "tight.out", "--set",
                    "analysis.integrator=dormand-prince", "--set", "analysis.rtol=1e-12"})
                .code,
            0);
  const Json summary = Json::parse(contents(folder / "run.out/summary.json"))["statistics"];
  EXPECT_EQ(run["largest_violation"], summary["largest_violation"]);
  EXPECT_EQ(run["mean_violation_rate"], summary["mean_violation_rate"]);
  EXPECT_EQ(run["energy_residual"], summary["energy_residual"]);
  EXPECT_EQ(run["evaluations"], summary["evaluations"]);

  const Json agreement = Json::parse(mubody({"agree", "run.out", "tight.out", "--format", "json"}).out);
  double length = 0, angle = 0;
  for (const auto& channel : agreement["channels"]) {
    if (channel["table"] != "bodies") continue;
    if (channel["unit"] == "m") length = std::max<double>(length, channel["max"]);
    if (channel["unit"] == "rad") angle = std::max<double>(angle, channel["max"]);
  }
  // The tight runs need not be the same: one begins with the step of the model.
  EXPECT_NEAR(run["error"]["length"], length, 1e-10);
  EXPECT_NEAR(run["error"]["angle"], angle, 1e-10);
  EXPECT_GT(length, 1e-9);
}

// Every rod stands upright eleven times; Baumgarte's gains of 5 are known to be too small for that, 20 are enough.
TEST_F(CompareVerb, tells_who_loses_the_branch) {
  const Json all =
      json({std::string(MUBODY_SOURCE_DIR) + "/examples/slider_crank_singular", "--treatments",
            "baumgarte,baumgarte(alpha=20,beta=20),projection", "--integrators", "rk4", "--steps", "1e-3"});
  EXPECT_NE(all["runs"][0]["outcome"], "passed");
  EXPECT_GT(all["runs"][0]["error"]["angle"], 1);
  for (int k : {1, 2}) {
    EXPECT_EQ(all["runs"][k]["outcome"], "passed") << all["runs"][k];
    EXPECT_LT(all["runs"][k]["error"]["angle"], 1e-7);
  }
  EXPECT_EQ(all["runs"][1]["cpu_relative"], Json());
  EXPECT_EQ(all["remarks"].size(), 1U);
}

TEST_F(CompareVerb, takes_a_file_as_reference) {
  write("pendulum.toml", pendulum);
  // The reference is the rod held at its start, so that its fall is the error.
  write("still.csv", "time[s],tip.x[mm],rod.angle[deg]\n0,1000,0\n0.25,1000,0\n0.5,1000,0\n");
  const Json all = json({"pendulum.toml", "--treatments", "projection", "--reference", "still.csv"});
  EXPECT_EQ(all["reference"]["source"], "still.csv");
  EXPECT_EQ(all["runs"][0]["outcome"], "inaccurate");
  EXPECT_EQ(mubody({"run", "pendulum.toml", "--quiet"}).code, 0);
  const std::string rows = contents(folder / "pendulum.out/bodies.csv");
  std::istringstream last(rows.substr(rows.rfind("\n0.5,") + 1));
  double t = 0, x = 0, y = 0, angle = 0;
  char comma = 0;
  last >> t >> comma >> x >> comma >> y >> comma >> angle;
  EXPECT_NEAR(all["runs"][0]["error"]["end_angle"], std::abs(angle), 1e-9);
  EXPECT_NEAR(all["runs"][0]["error"]["end_length"], std::abs(1 - std::cos(angle)), 1e-9);

  // A folder of results is its own reference.
  const Json own = json({"pendulum.toml", "--treatments", "projection", "--reference", "pendulum.out"});
  EXPECT_EQ(own["runs"][0]["error"]["length"], 0);
}

TEST_F(CompareVerb, refuses_what_it_does_not_understand) {
  write("pendulum.toml", pendulum);
  const std::string model = "pendulum.toml";
  expect_error({model, "--treatments", "projectoin"}, 2,
               "unknown treatment 'projectoin'; did you mean 'projection'?");
  expect_error({model, "--treatments", "baumgarte(alpha=-1)"}, 2,
               "--treatments baumgarte(alpha=-1): analysis: treatment: alpha: must not be negative");
  expect_error({model, "--treatments", "baumgarte(alpha=1"}, 2, "expected 'name(key=value,...)'");
  expect_error({model, "--integrators", "rk5"}, 2, "unknown integrator 'rk5'; did you mean 'rk4'?");
  expect_error({model, "--integrators", "rk4"}, 2, "'rk4' has a fixed step: give --steps");
  expect_error({model, "--steps", "1e-3"}, 2, "--steps is for integrators with a fixed step");
  expect_error({model, "--integrators", "rk4", "--steps", "1 kg"}, 2, "--steps: ");
  expect_error({model, "--integrators", "rk4", "--steps", "-1"}, 2, "--steps must be positive, got '-1'");
  expect_error({model, "--tolerances", "2"}, 2, "--tolerances: rtol must lie between 0 and 1");
  expect_error({model, "--repeat", "0"}, 2, "--repeat must be at least 1");
  expect_error({model, "--reference", "none.csv"}, 2, "none.csv");
  write("other.csv", "time[s],other.x[m]\n0,1\n1,2\n");
  expect_error({model, "--reference", "other.csv"}, 2, "other.csv:1: no position of this model");
  expect_error({model, "--analysis"}, 2, "unexpected option '--analysis'");
  expect_error({model, "--set", "analysis.type=assembly"}, 2, "try --set analysis.type=forward");
  expect_error({"none.toml"}, 2, "none.toml: no such file");
}

TEST_F(CompareVerb, touches_no_file_of_others) {
  write("pendulum.toml", pendulum);
  write("mine/curves.csv", "my own curves\n");
  const Answer a = mubody({"compare", "pendulum.toml", "--out", "mine"});
  EXPECT_EQ(a.code, 1);
  EXPECT_TRUE(has(a.err, "was not written by mubody")) << a.err;
  EXPECT_EQ(contents(folder / "mine/curves.csv"), "my own curves\n");
  const std::vector<std::string> twice{"compare", "pendulum.toml", "--out",   "ours",
                                       "-q",      "--treatments",  "standard"};
  EXPECT_EQ(mubody(twice).code, 0);
  EXPECT_EQ(mubody(twice).code, 0);
}

TEST_F(CompareVerb, gives_up_a_method_that_takes_too_long) {
  write("pendulum.toml", pendulum);
  const Json all = json({"pendulum.toml", "--treatments", "standard,projection", "--integrators",
                         "rk4,dormand-prince", "--steps", "1e-7", "--limit", "20 ms"});
  ASSERT_EQ(all["runs"].size(), 4U);
  for (int k : {0, 1}) {
    EXPECT_EQ(all["runs"][k]["outcome"], "stopped");
    EXPECT_TRUE(has(all["runs"][k]["why"], "the limit of 0.02 s of CPU time was reached"))
        << all["runs"][k]["why"];
  }
  EXPECT_EQ(all["runs"][2]["outcome"], "passed");
}

TEST_F(CompareVerb, keeps_what_there_is_when_interrupted) {
  write("pendulum.toml", pendulum);
  const Answer a = mubody({"compare", "pendulum.toml", "--treatments", "standard,projection,baumgarte",
                           "--integrators", "dormand-prince,rk4", "--steps", "1e-8", "--repeat", "1"},
                          2);
  EXPECT_EQ(a.code, 130) << a.err;
  EXPECT_TRUE(has(a.err, "interrupted: 3 of 6 methods have run")) << a.err;
  EXPECT_TRUE(has(a.out, "interrupted")) << a.out;
  EXPECT_EQ(lines_of(folder / "pendulum.compare/comparison.csv"), 5);
}
}  // namespace
}  // namespace mubody::testing
