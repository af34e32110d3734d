// The program as a whole: help, usage, check and list.
#include <nlohmann/json.hpp>

#include "cli/verb.h"
#include "mubody/forces/laws/registry.h"
#include "mubody/functions/registry.h"
#include "mubody/study/options.h"
#include "mubody/system/registry.h"
#include "tests/cli/program.h"

namespace mubody::testing {
namespace {
using Usage = Program;
using CheckVerb = Program;
using ListVerb = Program;
using Json = nlohmann::json;

TEST_F(Usage, helps_and_tells_its_version) {
  const Answer bare = mubody({});
  EXPECT_EQ(bare.code, 2);
  EXPECT_TRUE(has(bare.err, "mubody run MODEL"));
  EXPECT_TRUE(mubody({"--version"}).out.starts_with("mubody 0."));
  for (const std::vector<std::string>& words : {std::vector<std::string>{"--help"},
                                                {"-h"},
                                                {"help"},
                                                {"run", "--help"},
                                                {"check", "-h"},
                                                {"list", "--help"},
                                                {"agree", "--help"},
                                                {"compare", "--help"},
                                                {"stability", "--help"},
                                                {"sweep", "--help"},
                                                {"precompute", "--help"},
                                                {"help", "run"}}) {
    const Answer a = mubody(words);
    EXPECT_EQ(a.code, 0);
    for (const char* part : {"NAME\n", "SYNOPSIS\n", "DESCRIPTION\n", "OPTIONS\n", "EXIT CODES\n", "EXAMPLE"})
      EXPECT_TRUE(has(a.out, part)) << words.front() << ": " << part;
    std::istringstream lines(a.out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 112U) << line;
  }
}

TEST_F(Usage, wrong_usage_is_explained) {
  write("pendulum.toml", pendulum);
  const auto expect = [&](const std::vector<std::string>& words, const std::string& part) {
    const Answer a = mubody(words);
    EXPECT_EQ(a.code, 2);
    EXPECT_EQ(a.out, "");
    EXPECT_TRUE(a.err.starts_with("mubody: ") && has(a.err, part)) << a.err;
    EXPECT_EQ(std::count(a.err.begin(), a.err.end(), '\n'), 1) << a.err;
  };
  expect({"rnu", "pendulum.toml"}, "unknown verb 'rnu'; did you mean 'run'?");
  expect({"pendulum.toml"}, "'mubody run pendulum.toml' runs it");
  expect({"--nothing"}, "unknown option '--nothing'");
  expect({"run"}, "see 'mubody run --help'");
  expect({"run", "pendulum.toml", "--qiet"}, "did you mean '--quiet'?");
  expect({"run", "pendulum.toml", "--format", "xml"}, "xml");
  expect({"run", "pendulum.toml", "another.toml"}, "another.toml");
  expect({"run", "pendulum.toml", "--set", "nonsense"}, "--set takes key=value");
  expect({"check", "pendulum.toml", "--set", "=2"}, "--set takes key=value");
  expect({"list", "joint"}, "did you mean 'joints'?");
  expect({"list", "joints", "revolut"}, "did you mean 'revolute'?");
}

TEST_F(CheckVerb, tells_what_has_been_built) {
  write("pendulum.toml", pendulum);
  const Answer a = mubody({"check", "pendulum.toml"});
  EXPECT_EQ(a.code, 0) << a.err;
  for (const char* part :
       {"pendulum: 1 body, 2 kg; gravity (0, -9.81)", "rod ", "pin   revolute  ground - rod",
        "1 body x 3 = 3 coordinates - 2 equations = 1 freedom", "3 coordinates - rank 2 = 1 freedom", "tip "})
    EXPECT_TRUE(has(a.out, part)) << part << "\n" << a.out;
  EXPECT_FALSE(has(a.out, "Warnings"));
  EXPECT_EQ(names_in(folder), (std::set<std::string>{"pendulum.toml", ".stdout", ".stderr"}))
      << "nothing is written";
}

TEST_F(CheckVerb, warns_of_what_does_not_look_right) {
  write("odd.toml", R"([bodies]
free = {mass = 1, inertia = 1}
[points]
P = {body = "ground"}
)");
  const Answer a = mubody({"check", "odd.toml"});
  EXPECT_EQ(a.code, 0) << a.err;
  for (const char* part :
       {"'free' is attached to nothing", "'P' is on the ground", "no gravity", "no [analysis]"})
    EXPECT_TRUE(has(a.out, part)) << part << "\n" << a.out;
}

TEST_F(CheckVerb, names_redundant_equations) {
  write("slider.toml", R"([bodies]
slider = {mass = 1, inertia = 1}
[joints]
A = {type = "translational", bodies = ["ground", "slider"], at = [0, 0], axis = [1, 0]}
B = {type = "translational", bodies = ["ground", "slider"], at = [1, 0], axis = [1, 0]}
)");
  const Answer a = mubody({"check", "slider.toml", "--format", "json"});
  EXPECT_EQ(a.code, 0) << a.err;
  const Json report = Json::parse(a.out);
  EXPECT_EQ(report["freedom"]["counted"], -1);
  EXPECT_EQ(report["freedom"]["actual"], 1);
  ASSERT_EQ(report["freedom"]["redundant"].size(), 2U);
  EXPECT_TRUE(has(report["freedom"]["redundant"][0]["reason"], "same two bodies"));
  EXPECT_TRUE(has(mubody({"check", "slider.toml"}).out, "\n  redundant    joint"));
}

TEST_F(CheckVerb, an_invalid_model_is_json_if_asked_for) {
  write("bad.toml", "[bodies]\nrod = {mas = 1}\n");
  const Answer a = mubody({"check", "bad.toml", "--format", "json"});
  EXPECT_EQ(a.code, 2);
  EXPECT_EQ(Json::parse(a.out)["error"], "bad.toml:2:8: body 'rod': unknown key 'mas'; did you mean 'mass'?");
  EXPECT_TRUE(has(a.err, "did you mean 'mass'?"));
  write("bytes.toml", "name = \"\xff\"\n");
  EXPECT_TRUE(Json::parse(mubody({"check", "bytes.toml", "--format", "json"}).out).contains("error"));
}

TEST_F(CheckVerb, tells_why_a_model_cannot_be_run) {
  write("loose.toml", "[bodies]\nrod = {inertia = 1}\n");
  const Answer loose = mubody({"check", "loose.toml"});
  EXPECT_EQ(loose.code, 2);
  EXPECT_TRUE(has(loose.err, "loose.toml: the motion is not determined: body 'rod' has no mass")) << loose.err;

  write("gaping.toml", R"([bodies]
bar = {mass = 1, inertia = 1, position = [0.5, 0]}
[joints]
A = {type = "revolute", bodies = ["ground", "bar"], i = [0, 0], j = [-0.5, 0]}
B = {type = "distance", bodies = ["ground", "bar"], i = [5, 0], j = [0.5, 0], length = 1}
)");
  const Answer gaping = mubody({"check", "gaping.toml"});
  EXPECT_EQ(gaping.code, 3);
  EXPECT_TRUE(has(gaping.err, "gapes by")) << gaping.err;

  write("tight.toml", R"([bodies]
bar = {mass = 1, inertia = 1}
[joints]
A = {type = "fixed", bodies = ["ground", "bar"]}
B = {type = "revolute", bodies = ["ground", "bar"], at = [1, 0]}
)");
  const Answer tight = mubody({"check", "tight.toml"});
  EXPECT_EQ(tight.code, 2);
  EXPECT_TRUE(has(tight.err, "more constraints than coordinates")) << tight.err;
}

TEST_F(ListVerb, is_complete) {
  const Json all = Json::parse(mubody({"list", "--format", "json"}).out);
  const auto expect = [&](const char* category, std::string_view name) {
    const auto& kinds = all[category];
    EXPECT_TRUE(std::any_of(
        kinds.begin(), kinds.end(),
        [&](const Json& k) { return k["name"] == name && !k["summary"].get<std::string>().empty(); }))
        << category << ": " << name;
    EXPECT_TRUE(has(mubody({"list"}).out, std::string(name))) << name;
  };
  for (const auto& e : joint_kinds()) {
    if (e.use != Use::driver) expect("joints", e.info.name);
    if (e.use != Use::joint) expect("drivers", e.info.name);
  }
  for (const auto& e : force_kinds()) expect("forces", e.info.name);
  for (const auto& e : law_kinds()) expect("laws", e.info.name);
  for (const auto& e : function_kinds()) expect("functions", e.info.name);
  for (const auto& e : treatment_kinds()) expect("treatments", e.info.name);
  for (const auto& e : integrator_kinds()) expect("integrators", e.info.name);
  for (const auto& e : analysis_kinds()) expect("analyses", e.info.name);
}

TEST_F(ListVerb, tells_keys_units_and_defaults) {
  const Answer spring = mubody({"list", "forces", "spring"});
  EXPECT_EQ(spring.code, 0);
  for (const char* part : {"stiffness", "N/m", "free_length", "as at the start", "bodies", "this, or joint"})
    EXPECT_TRUE(has(spring.out, part)) << part << "\n" << spring.out;
  EXPECT_EQ(mubody({"list", "spring"}).out, spring.out);
  const Json slot = Json::parse(mubody({"list", "slot", "--format", "json"}).out)["joints"][0];
  EXPECT_EQ(slot["equations"], 1);
  EXPECT_EQ(slot["freedoms"], 2);
  for (const Json& field : slot["fields"]) {
    if (field["name"] != "axis") continue;
    EXPECT_EQ(field["default"], "this, or to") << "a slot needs a direction";
  }
  for (const char* category :
       {"joints", "drivers", "forces", "laws", "functions", "treatments", "integrators", "analyses"}) {
    const Answer a = mubody({"list", category});
    EXPECT_EQ(a.code, 0);
    EXPECT_GT(a.out.size(), 200U) << category;
  }
}

// Words of books that are no elements are answered by the glossary, whatever their spelling.
TEST_F(ListVerb, explains_words_of_books) {
  for (const char* word : {"rheonomic", "Rheonomic", "augmented Lagrangian", "coordinate-partitioning"})
    for (const char* verb : {"list", "help"}) {
      const Answer a = mubody({verb, word});
      EXPECT_EQ(a.code, 0) << a.err;
      EXPECT_TRUE(has(a.out, ": here ")) << a.out;
      EXPECT_TRUE(has(a.out, "docs/")) << a.out;
    }
  // Elements come first.
  EXPECT_FALSE(has(mubody({"list", "gear"}).out, ": here "));
  EXPECT_NE(mubody({"list", "nonsense"}).code, 0);
  EXPECT_NE(mubody({"help", "nonsense"}).code, 0);
}

TEST_F(ListVerb, is_what_the_docs_say) {
  const std::string file = std::string(MUBODY_SOURCE_DIR) + "/docs/reference/elements.md";
  const std::string page = contents(file), tables = mubody({"list", "--format", "markdown"}).out;
  EXPECT_TRUE(page.ends_with("\n\n" + tables)) << file << " is out of date; run: make docs-tables";
}

TEST_F(Usage, wrong_options_have_one_exit_code) {
  write("pendulum.toml", pendulum);
  for (const cli::Verb& verb : cli::verbs()) {
    const Answer a = mubody({verb.manual.name, "--no-such-option"});
    EXPECT_EQ(a.code, 2) << verb.manual.name << ": " << a.err;
    EXPECT_EQ(std::ranges::count(a.err, '\n'), 1) << a.err;
  }
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"run", "pendulum.toml", "--limit", "soon"},
        {"run", "pendulum.toml", "--every", "-1", "--report-text", "r.txt"},
        {"sweep", "pendulum.toml", "--vary", "bodies.rod.mass=@none.csv"},
        {"sweep", "pendulum.toml", "--vary", "bodies.rod.mass=@"},
        {"compare", "pendulum.toml", "--repeat", "0"},
        {"picture", "pendulum.toml", "-o", "picture.png"},
        {"precompute", "pendulum.toml", "--order", "4"}})
    EXPECT_EQ(mubody(words).code, 2) << words[0];
  const Answer json = mubody({"compare", "pendulum.toml", "--repeat", "0", "--format", "json"});
  EXPECT_TRUE(has(Json::parse(json.out)["error"], "--repeat"));
}
}  // namespace
}  // namespace mubody::testing
