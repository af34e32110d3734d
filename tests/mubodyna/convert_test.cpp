// Conversion between MUBODYNA and TOML keeps the motion to the last bit, and names what cannot be expressed.
#include <algorithm>
#include <random>

#include <fmt/format.h>

#include "tests/mubodyna/models.h"

namespace mubody::testing {
namespace {
Results run_text(const std::string& text, const std::string& name) {
  return run(io::read_study_text(text, name));
}

class MubodynaFiles : public ::testing::TestWithParam<std::string> {};

TEST_P(MubodynaFiles, keep_their_motion_through_toml) {
  const std::string text = text_in(GetParam()), toml = to_toml(text), back = to_mub(toml),
                    again = to_toml(back);
  const Results r = run_text(text, "model.mub");
  expect_same_motion(r, run_text(toml, "model.toml"));
  expect_same_motion(r, run_text(back, "model.mub"));
  expect_same_motion(r, run_text(again, "model.toml"));
  EXPECT_EQ(to_mub(again), back);
}

INSTANTIATE_TEST_SUITE_P(, MubodynaFiles,
                         ::testing::Values(data_file("every_section.mub"), data_file("welded.mub"),
                                           example_file("half_hat_leg/model.mub")),
                         [](const auto& test) { return "file_" + std::to_string(test.index); });

const std::string method = "[analysis]\nend = 0.5\nintegrator = \"rk4\"\nstep = 1e-3\n";

// Local points, global points that are not exact, lines at odd angles, assembly that has to move things.
const std::string models[] = {
    // A four-bar, assembled from rounded positions, under gravity and a constant force.
    R"(gravity = [0, -9.81]
[bodies]
crank   = {mass = 1.00, inertia = 0.30, position = [0.5, 0.8660254037844386], angle = "60 deg", omega = 1}
coupler = {mass = 2.25, inertia = 2.00, position = [2.8235, 2.5535], angle = 0.4232}
rocker  = {mass = 2.00, inertia = 1.35, position = [4.8235, 1.6875], angle = 1.0}
[forces]
damper = {type = "torsion_spring", bodies = ["ground", "rocker"], damping = 0.3}
spring = {type = "spring", bodies = ["ground", "coupler"], i = [2, 4], j = [0.1, 0], stiffness = 30, damping = 0.1}
push   = {type = "force", body = "coupler", force = [0.3, 0.1]}
push_2 = {type = "force", body = "coupler", force = [0.7, -0.3]}
turn   = {type = "moment", bodies = ["crank", "rocker"], moment = 0.1}
[joints]
A = {type = "revolute", bodies = ["ground", "crank"], at = [0, 0]}
B = {type = "revolute", bodies = ["crank", "coupler"], i = [1, 0], j = [-2, 0]}
C = {type = "revolute", bodies = ["coupler", "rocker"], i = [2, 0], j = {at = [2, 0], angle = "180 deg"}}
D = {type = "revolute", bodies = ["rocker", "ground"], i = [-2, 0], j = [4, 0]}
[points]
P = {body = "coupler", at = [0, 0.5]}
)" + method +
        "treatment = {type = \"baumgarte\", alpha = 7, beta = 11}\nhold = [\"crank.angle\", \"crank.omega\"]\n",
    // A slider-crank with the guide first and at an odd angle; drivers between joints.
    R"([bodies]
crank  = {mass = 1, inertia = 0.1, position = [0.07, 0.05], angle = 0.62}
rod    = {mass = 2, inertia = 0.2, position = [0.36, 0.11], angle = 0.08}
slider = {mass = 3, inertia = 0.3, position = [0.58, 0.124], angle = 0.2}
[joints.guide]
type = "translational"
bodies = ["ground", "slider"]
at = [0.1, 0.021]
axis = [0.977, 0.211]
[drivers.push]
type = "coordinate"
body = "free"
coordinate = "x"
value = {type = "polynomial", coefficients = [0.1, 0.2, 0.3]}
[joints.A]
type = "revolute"
bodies = ["ground", "crank"]
at = [0, 0]
[joints.B]
type = "revolute"
bodies = ["crank", "rod"]
i = [0.086, 0]
j = [-0.225, 0]
[joints.C]
type = "revolute"
bodies = ["rod", "slider"]
i = [0.225, 0]
j = [0, 0]
[joints.level]
type = "coordinate"
body = "free"
coordinate = "angle"
[bodies.free]
mass = 0.3
inertia = 0.1
position = [0.1, 0.7]
angle = 0.3
[forces]
f = {type = "moment", body = "crank", moment = 1.7}
)" + method +
        "treatment = \"standard\"\n",
    // One body slides on another that turns; an angle is driven; data guide a coordinate and a force.
    R"([bodies]
arm   = {mass = 1, inertia = 0.1, position = [0.3, 0.4], angle = 0.9272952180016122}
block = {mass = 2, inertia = 0.2, position = [0.6, 0.8], angle = 1.3}
base  = {mass = 2, inertia = 0.2}
lever = {mass = 2, inertia = 0.2, position = [5, 5], angle = 0.1}
[joints]
pin   = {type = "revolute", bodies = ["ground", "arm"], at = [0, 0]}
slide = {type = "translational", bodies = ["arm", "block"], at = [0.3, 0.4], to = [0.6, 0.8]}
weld  = {type = "fixed", bodies = ["ground", "base"]}
[drivers]
motor = {type = "angle", bodies = ["ground", "arm"], value = {type = "polynomial", coefficients = [0.9272952180016122, 2]}}
path  = {type = "coordinate", body = "lever", coordinate = "y", value = {type = "spline", data = [[0, 5], [0.2, 5.3], [0.6, 5.2]]}}
[forces]
s = {type = "spring", bodies = ["arm", "block"], i = [0, 0], j = [0.1, 0], stiffness = 300, actuator = -2}
wind = {type = "time_series", body = "block", point = "global", data = [[0, 1, 2, 0.5, 0.5], [0.5, 2, 1, 0.4, 0.7]]}
t = {type = "torsion_spring", bodies = ["base", "lever"], stiffness = 4, free_angle = 0}
)" + method +
        "treatment = {type = \"baumgarte\", alpha = 5, beta = 5}\n",
    // A joint with clearance that strikes three times.
    R"([bodies]
crank  = {mass = 0.30, inertia = 1e-5, position = [0, 0], omega = 523.6}
rod    = {mass = 0.21, inertia = 2.5e-4, position = [0.11, 0], omega = -218.16666666666666, velocity = [0, 13.09]}
slider = {mass = 0.14, inertia = 1e-4, position = [0.17, 0]}
[joints]
A = {type = "revolute", bodies = ["ground", "crank"], i = [0, 0], j = [0, 0]}
B = {type = "revolute", bodies = ["crank", "rod"], i = [0.05, 0], j = [-0.06, 0]}
C = {type = "revolute", bodies = ["slider", "rod"], i = [0, 0], j = [0.06, 0], clearance = {bearing_radius = 0.01, journal_radius = 0.0095, law = {type = "hunt_crossley", restitution = 0.8}, friction = 0.05}}
D = {type = "translational", bodies = ["ground", "slider"], at = [0, 0], axis = [1, 0]}
[drivers]
motor = {type = "coordinate", body = "crank", coordinate = "angle", value = {type = "polynomial", coefficients = [0, 523.6]}}
[analysis]
end = 0.001
integrator = "rk4"
step = 1e-6
treatment = {type = "baumgarte", alpha = 5, beta = 5}
accuracy = 0.01
[output]
step = 1e-6
)"};

class TomlFiles : public ::testing::TestWithParam<std::size_t> {};

TEST_P(TomlFiles, keep_their_motion_through_mubodyna) {
  const std::string& toml = models[GetParam()];
  const std::string file = to_mub(toml), back = to_toml(file);
  const Results r = run_text(toml, "model.toml");
  ASSERT_TRUE(bool(r.outcome)) << r.outcome.why;
  expect_same_motion(r, run_text(file, "model.mub"));
  expect_same_motion(r, run_text(back, "model.toml"));
  EXPECT_EQ(to_mub(back), file);
}

INSTANTIATE_TEST_SUITE_P(, TomlFiles, ::testing::Range<std::size_t>(0, std::size(models)));

// Chains of bodies at odd places, joined by pins and by sliders whose lines point anywhere.
TEST(mubodyna_writer, keeps_the_motion_of_random_chains) {
  std::mt19937 random(2010);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto one = [&] { return fmt::format("{}", number(random)); };
  const auto two = [&] { return "[" + one() + ", " + one() + "]"; };
  for (int trial = 0; trial < 60; ++trial) {
    std::string bodies, joints, forces;
    for (int k = 1; k <= 4; ++k) {
      const std::string before = k == 1 ? "ground" : fmt::format("b{}", k - 1);
      bodies += fmt::format(
          "b{} = {{mass = {}, inertia = {}, position = {}, angle = {}, velocity = {}, omega = {}}}\n", k,
          2 + number(random), 2 + number(random), two(), 4 * number(random), two(), one());
      const bool slides = random() % 2 == 0;
      joints += fmt::format("j{} = {{type = \"{}\", bodies = [\"{}\", \"b{}\"], at = {}{}}}\n", k,
                            slides ? "translational" : "revolute", before, k, two(),
                            slides ? ", axis = " + two() : "");
      forces += fmt::format(
          "s{} = {{type = \"spring\", bodies = [\"{}\", \"b{}\"], i = {}, j = {}, stiffness = {}}}\n"
          "f{} = {{type = \"force\", body = \"b{}\", force = {}}}\n",
          k, before, k, two(), two(), 20 + 10 * number(random), k, k, two());
    }
    const std::string toml =
        "gravity = " + two() + "\n[bodies]\n" + bodies + "[forces]\n" + forces + "[joints]\n" + joints +
        "[analysis]\nend = 0.1\nintegrator = \"rk4\"\nstep = 1e-3\ntreatment = \"standard\"\n";
    const std::string file = to_mub(toml);
    const Results r = run_text(toml, "model.toml");
    expect_same_motion(r, run_text(file, "model.mub"));
    expect_same_motion(r, run_text(to_toml(file), "model.toml"));
    ASSERT_FALSE(HasFailure()) << toml;
  }
}

// The human leg of the examples, with its data in CSV files and the settings of MUBODYNA.
TEST(mubodyna_writer, takes_data_from_csv_files) {
  const std::string path = example_file("human_leg/model.toml");
  const Study study = io::read_study(path, {"analysis.type=forward", "analysis.integrator=rk4",
                                            "analysis.step=0.00145", "analysis.treatment=baumgarte"});
  const mub::File file = mub::file_of(study);
  EXPECT_EQ(file.count(mub::NGD), 34u);
  EXPECT_EQ(file.count(mub::NFD), 34u);
  expect_same_motion(run(study), run_text(mub::text_of(file), "leg.mub"));
}

TEST(toml_writer, gives_back_what_it_was_given) {
  const std::string text =
      "name = \"a \\\"quoted\\\" \\\\ name\\u0009\"\n"
      "\n[bodies]\n"
      "a = {mass = 0.1, inertia = 1e-300, angle = -0.0, velocity = [1.7976931348623157e+308, "
      "0.30000000000000004]}\n";
  EXPECT_EQ(io::toml_text(io::parse_toml(text, "")), text);
}

// What MUBODYNA cannot express --------------------------------------------------------------------------------

std::string refusal(const std::string& toml, const std::vector<std::string>& settings = {}) {
  try {
    mub::file_of(io::read_study_text(toml, "model.toml", settings));
  } catch (const ModelError& e) {
    return e.what();
  }
  return "";
}

std::string two_bodies(const std::string& more, const std::string& analysis = "treatment = \"standard\"\n") {
  return "[bodies]\na = {mass = 1, inertia = 1}\nb = {mass = 1, inertia = 1, position = [2, 0]}\n" + more +
         method + analysis;
}

TEST(mubodyna_writer, names_what_cannot_be_said) {
  EXPECT_EQ(refusal(two_bodies("")), "");
  const std::pair<std::string, std::string> cases[] = {
      {"[joints]\nl = {type = \"distance\", bodies = [\"a\", \"b\"], i = [0, 0], j = [0, 0]}\n",
       "model.toml:5:1: joint 'l' (distance): MUBODYNA has no such joint"},
      {"[joints]\nl = {type = \"fixed\", bodies = [\"a\", \"b\"]}\n",
       "model.toml:5:1: joint 'l' (fixed): MUBODYNA fixes bodies to the ground only"},
      {"[joints]\nl = {type = \"coordinate\", body = \"a\", at = [1, 0], coordinate = \"x\"}\n",
       "model.toml:5:1: joint 'l' (coordinate): MUBODYNA gives coordinates of centres of mass only"},
      {"[drivers]\nl = {type = \"coordinate\", body = \"a\", coordinate = \"x\", value = \"= sin(t)\"}\n",
       "model.toml:5:1: driver 'l' (coordinate): value: MUBODYNA has no function of time 'expression'"},
      {"[drivers]\nl = {type = \"coordinate\", body = \"a\", coordinate = \"x\", value = {type = "
       "\"polynomial\", "
       "coefficients = [0, 1, 2, 3]}}\n",
       "model.toml:5:1: driver 'l' (coordinate): value: MUBODYNA knows polynomials up to the second degree"},
      {"[drivers]\nl = {type = \"coordinate\", body = \"a\", coordinate = \"x\", value = {type = \"spline\", "
       "ends = "
       "\"not-a-knot\", data = [[0, 0], [1, 1], [2, 0], [3, 1]]}}\n",
       "model.toml:5:1: driver 'l' (coordinate): value: ends: MUBODYNA's splines are natural, not not-a-knot"},
      {"[drivers]\nl = {type = \"angle\", bodies = [\"a\", \"b\"], value = 0}\n",
       "model.toml:5:1: driver 'l' (angle): MUBODYNA gives angles of body axes as seen from the ground only"},
      {"[forces]\nf = {type = \"force\", body = \"a\", force = [\"= t\", 0]}\n",
       "model.toml:5:1: force 'f' (force): force: MUBODYNA's forces at the centre of mass are constant"},
      {"[forces]\nf = {type = \"force\", body = \"a\", at = [1, 0], force = [1, 0]}\n",
       "model.toml:5:1: force 'f' (force): at: MUBODYNA's constant forces act at the centre of mass"},
      {"[forces]\nf = {type = \"force\", body = \"a\", axes = \"body\", force = [1, 0]}\n",
       "model.toml:5:1: force 'f' (force): axes: MUBODYNA's forces have global directions"},
      {"[forces]\nf = {type = \"moment\", body = \"a\", moment = \"= -a.omega\"}\n",
       "model.toml:5:1: force 'f' (moment): moment: MUBODYNA's moments are constant"},
      {"[forces]\nf = {type = \"spring\", bodies = [\"a\", \"b\"], i = [0, 0], law = \"= 3*deflection^3\"}\n",
       "model.toml:5:1: force 'f' (spring): law: MUBODYNA's springs are linear"},
      {"[forces]\nf = {type = \"spring\", bodies = [\"a\", \"b\"], i = [0, 0], actuator = \"= t\"}\n",
       "model.toml:5:1: force 'f' (spring): actuator: MUBODYNA's actuators are constant"},
      {"[forces]\nf = {type = \"torsion_spring\", bodies = [\"a\", \"b\"], stiffness = 1, free_angle = 1}\n",
       "model.toml:5:1: force 'f' (torsion_spring): free_angle: MUBODYNA's rotational springs are relaxed "
       "where both "
       "bodies have the same angle; give free_angle = 0"},
      {"[forces]\nf = {type = \"time_series\", body = \"a\", data = [[0, 1, 1], [1, 0, 0]]}\n",
       "model.toml:5:1: force 'f' (time_series): point: MUBODYNA's external forces act at global points: point "
       "= "
       "\"global\""},
      {"[forces]\nf = {type = \"bushing\", bodies = [\"a\", \"b\"], at = [1, 0], stiffness = [[1, 0, 0], [0, "
       "1, 0], [0, 0, 1]]}\n",
       "model.toml:5:1: force 'f' (bushing): MUBODYNA has no such force"}};
  for (const auto& [element, message] : cases) EXPECT_EQ(refusal(two_bodies(element)), message);
}

TEST(mubodyna_writer, names_what_cannot_be_said_of_the_analysis) {
  const std::string good = two_bodies("");
  const std::pair<std::string, std::string> cases[] = {
      {"analysis.type=kinematic", "analysis: type: MUBODYNA does forward analyses, not kinematic ones"},
      {"analysis.integrator=heun",
       "analysis: integrator: MUBODYNA has no 'heun', only rk4, merson, verner, adams, bdf or shampine-gordon"},
      {"analysis.treatment=projection",
       "analysis: treatment: MUBODYNA knows 'baumgarte' and 'standard', not 'projection'"},
      {"analysis.accuracy=1e-9", "analysis: accuracy: MUBODYNA knows none; 0.01 is assumed"},
      {"output.step=0.1", "output: step: MUBODYNA gives results at every step of 0.001 s, not of 0.1 s"},
      {"output.times=[0, 0.1]", "output: times: MUBODYNA gives results at equal steps"},
      {"output.channels=[\"a.x\"]", "output: channels: MUBODYNA gives all results"}};
  for (const auto& [setting, message] : cases) EXPECT_EQ(refusal(good, {setting}), "model.toml: " + message);
}

TEST(mubodyna_writer, refuses_space_and_two_tables) {
  EXPECT_NE(
      refusal("gravity = [0, 0, -9.81]\n[bodies]\na = {mass = 1, inertia = [1, 1, 1]}\n").find("is spatial"),
      std::string::npos);
  const std::string guides =
      "[drivers]\nx = {type = \"coordinate\", body = \"a\", coordinate = \"x\", value = {type = \"spline\", "
      "data = "
      "[[0, 0], [1, 1]]}}\ny = {type = \"coordinate\", body = \"a\", coordinate = \"y\", value = {type = "
      "\"spline\", "
      "data = [[0, 0], [2, 1]]}}\n";
  EXPECT_EQ(
      refusal(two_bodies(guides)),
      "model.toml:6:1: driver 'y' (coordinate): value: its times differ from those of another spline: MUBODYNA "
      "has one table for all");
}

// All obstacles are reported at once.
TEST(mubodyna_writer, names_all_of_it) {
  const std::string toml = two_bodies(
      "[forces]\nf = {type = \"moment\", body = \"a\", moment = \"= t\"}\ng = {type = \"moment\", body = "
      "\"b\", moment "
      "= \"= t\"}\n");
  const std::string message = refusal(toml);
  EXPECT_NE(message.find("model.toml:5:1: force 'f'"), std::string::npos);
  EXPECT_NE(message.find("; model.toml:6:1: force 'g'"), std::string::npos);
}
}  // namespace
}  // namespace mubody::testing
