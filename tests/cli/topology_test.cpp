// mubody topology and mubody independent, as a user sees them.
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace mubody::testing {
namespace {
using TopologyVerb = Program;
using IndependentVerb = Program;
using Json = nlohmann::json;

const char* const crank_slider = R"(name = "crank & slider"
gravity = [0, -9.81]

[bodies]
crank  = {mass = 1, inertia = 1, position = [2.5, 1]}
rod    = {mass = 1, inertia = 1, position = [4, 1]}
slider = {mass = 1, inertia = 1, position = [5, 1]}

[joints]
A = {type = "revolute", bodies = ["ground", "crank"], at = [2, 1]}
B = {type = "revolute", bodies = ["crank", "rod"], at = [3, 1]}
C = {type = "revolute", bodies = ["rod", "slider"], at = [5, 1]}
guide = {type = "translational", bodies = ["slider", "ground"], i = [0, 0], j = {at = [4, 1], axis = [1, 0]}}

[drivers]
motor = {type = "angle", bodies = ["ground", "crank"], value = "= 2*pi*t"}

[analysis]
type = "kinematic"
end = 1

[output]
step = 0.05
)";

TEST_F(TopologyVerb, tells_tree_loops_and_matrices) {
  write("m.toml", crank_slider);
  const Answer a = mubody({"topology", "m.toml"});
  EXPECT_EQ(a.code, 0) << a.err;
  for (const char* part :
       {"3 bodies, 3 arcs, 1 chord", "guide  translational  ground  slider  turned",
        "C      revolute  rod   slider  loop 1", "A + B + C - guide", "incidence", "path", "loops"})
    EXPECT_TRUE(has(a.out, part)) << part << "\n" << a.out;
  const Answer chosen = mubody({"topology", "m.toml", "--chords", "guide"});
  EXPECT_TRUE(has(chosen.out, "A + B + C + guide")) << chosen.out;
  const Answer set = mubody({"topology", "m.toml", "--set", "analysis.chords=[\"guide\"]"});
  EXPECT_EQ(set.out, chosen.out);
  EXPECT_EQ(mubody({"topology", "m.toml", "--set", "analysis.chords=[\"guide\"]", "--chords", "C"}).out, a.out);
}

TEST_F(TopologyVerb, writes_json_and_picture) {
  write("m.toml", crank_slider);
  const Answer a = mubody({"topology", "m.toml", "--format", "json", "--chords=guide"});
  EXPECT_EQ(a.code, 0) << a.err;
  const Json j = Json::parse(a.out);
  EXPECT_EQ(j["chords"][0]["joint"], "guide");
  EXPECT_EQ(j["loop_matrix"]["values"], Json::parse("[[1, 1, 1, 1]]")) << "eq. 3.7.2 of the dissertation";
  EXPECT_EQ(j["path"]["values"], Json::parse("[[1, 0, 0], [1, 1, 0], [1, 1, 1]]"));
  EXPECT_EQ(j["incidence"]["columns"], Json::parse(R"(["crank", "rod", "slider"])"));
  EXPECT_EQ(j["groups"], Json::parse("[[1]]"));

  const Answer picture = mubody({"topology", "m.toml", "--format", "svg"});
  EXPECT_EQ(picture.code, 0) << picture.err;
  for (const char* part :
       {"<svg xmlns", "graph of crank &amp; slider", ">slider</text>", "class=\"chord\"", "</svg>"})
    EXPECT_TRUE(has(picture.out, part)) << part;
}

// A screw connects bodies, but independent turns and slides along fixed axes cannot express it.
TEST_F(TopologyVerb, tells_what_is_no_arc_in_joint_coordinates) {
  write("m.toml", R"(gravity = [0, 0, -9.81]
[bodies]
nut = {mass = 1, inertia = [1, 1, 1], position = [0, 0, 1]}
bob = {mass = 1, inertia = [1, 1, 1], position = [1, 0, 1]}
[joints]
thread = {type = "screw", bodies = ["ground", "nut"], at = [0, 0, 0], axis = [0, 0, 1], pitch = 0.01}
ball = {type = "spherical", bodies = ["nut", "bob"], at = [0, 0, 1]}
)");
  const Answer a = mubody({"topology", "m.toml"});
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_TRUE(has(a.out, "with formulation = \"joint\" these are no arcs")) << a.out;
  EXPECT_TRUE(has(a.out, "thread (screw): its equations stay, and body 'nut' is free")) << a.out;
  EXPECT_FALSE(has(a.out, "ball (spherical)")) << a.out;
  const Json j = Json::parse(mubody({"topology", "m.toml", "--format", "json"}).out);
  EXPECT_EQ(j["arcs"][0]["chain"], false);
  EXPECT_EQ(j["arcs"][1]["chain"], true);
}

TEST_F(TopologyVerb, says_what_is_wrong_with_chords) {
  write("m.toml", crank_slider);
  const auto message = [&](const std::string& chords, const char* model = "m.toml") {
    const Answer a = mubody({"topology", model, "--chords", chords});
    EXPECT_EQ(a.code, 2) << chords;
    EXPECT_EQ(a.out, "");
    return a.err;
  };
  EXPECT_TRUE(has(message("guide,guide"), "chords: 'guide' is named twice"));
  EXPECT_TRUE(has(message("A,guide"),
                  "m.toml:10:1: 'A', 'guide' cannot all be chords: without them no joint leads "
                  "from the tree to body 'crank'"));
  EXPECT_TRUE(has(message("giude"), "did you mean 'guide'?"));
  EXPECT_TRUE(has(message("motor"), "it is a driver"));
  write("pendulum.toml", pendulum);
  EXPECT_TRUE(has(message("pin", "pendulum.toml"), "'pin' cannot be a chord: without it no joint leads"));
  EXPECT_TRUE(has(mubody({"topology", "m.toml", "--format=json", "--chords=giude"}).out, "\"error\""));
}

TEST_F(TopologyVerb, lets_bodies_fly) {
  write("m.toml", "gravity = [0, 0, -9.81]\n[bodies]\nstone = {mass = 1, inertia = [1, 1, 1]}\n");
  const Answer a = mubody({"topology", "m.toml"});
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_TRUE(has(a.out, "the mechanism has no root: no joint connects any of its bodies to the ground"))
      << a.out;
  EXPECT_TRUE(has(a.out, "body 'stone' hangs on no joint")) << a.out;
  EXPECT_TRUE(has(a.out, "its arc is free, with 6 freedoms")) << a.out;
}

TEST_F(IndependentVerb, recommends_a_variable) {
  write("m.toml", crank_slider);
  const Answer a = mubody({"independent", "m.toml"});
  EXPECT_EQ(a.code, 0) << a.err;
  for (const char* part : {"4 variables, rank 3, 1 freedom", "0.8018    14.5706  1.24722", "tangent    13.4396",
                           "best       14.5706  1.24722  B.angle", "1 m were 1 rad"})
    EXPECT_TRUE(has(a.out, part)) << part << "\n" << a.out;
  const Json j = Json::parse(mubody({"independent", "m.toml", "--format", "json", "--body"}).out);
  EXPECT_EQ(j["rank"], 8);
  EXPECT_EQ(j["best"]["variables"], Json::parse(R"(["crank.angle"])"));
}

TEST_F(IndependentVerb, follows_the_motion) {
  write("m.toml", crank_slider);
  const Answer a = mubody({"independent", "m.toml", "--along", "--table", "w.csv"});
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_TRUE(has(a.out, "at t = 0.25 s from B.angle to A.angle")) << a.out;
  EXPECT_TRUE(has(a.out, "at t = 0.75 s from A.angle to B.angle")) << a.out;
  const std::string table = contents(folder / "w.csv");
  EXPECT_TRUE(table.starts_with("time[s],condition[1],best,A.angle[rad],A.angle.weight[1],"))
      << table.substr(0, 99);
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 22);
  EXPECT_EQ(mubody({"independent", "m.toml", "--along", "--table", "w.csv"}).code, 0)
      << "its own file is replaced";

  write("mine.csv", "mine\n");
  const Answer refused = mubody({"independent", "m.toml", "--along", "--table", "mine.csv"});
  EXPECT_EQ(refused.code, 1);
  EXPECT_TRUE(has(refused.err, "was not written by 'mubody independent'")) << refused.err;
  EXPECT_EQ(mubody({"independent", "m.toml", "--table", "w.csv"}).code, 2);
  EXPECT_EQ(mubody({"independent", "m.toml", "--length", "0"}).code, 2);
  EXPECT_EQ(mubody({"independent", "m.toml", "--chords", "A,B"}).code, 2);
}
// The crank turns at 2π rad/s: crank 1 m, rod 2 m.
TEST_F(IndependentVerb, writes_coefficients) {
  write("m.toml", crank_slider);
  const Answer a =
      mubody({"independent", "m.toml", "--along", "--variables", "A.angle", "--coefficients", "c.csv"});
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_TRUE(has(a.out, "in terms of A.angle")) << a.out;
  EXPECT_TRUE(has(a.out, "\n  B.angle/A.angle ")) << a.out;
  const std::string table = contents(folder / "c.csv");
  EXPECT_TRUE(table.starts_with("time[s],A.angle[rad],A.angle/A.angle[1],A.angle/A.angle/A.angle[1/rad],"))
      << table.substr(0, 120);
  EXPECT_TRUE(has(table, ",inertia/A.angle/A.angle[kg m2],inertia/A.angle/A.angle/A.angle[kg m2/rad]\n"));
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 22);
  const Json j = Json::parse(mubody({"independent", "m.toml", "--variables=A.angle", "--format=json"}).out);
  EXPECT_NEAR(j["minimal"]["velocity_coefficients"][1][0].get<double>(), -1.5, 1e-11);
  EXPECT_NEAR(j["minimal"]["derivatives"][0][3][0].get<double>(), 1.5, 1e-8)
      << "the slide turns back with 1 + r/l";
  const Answer wrong = mubody({"independent", "m.toml", "--variables", "A.angel"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(has(wrong.err, "did you mean 'A.angle'?")) << wrong.err;
  EXPECT_EQ(mubody({"independent", "m.toml", "--coefficients", "m.toml"}).code, 2) << "not its own file";
}
}  // namespace
}  // namespace mubody::testing
