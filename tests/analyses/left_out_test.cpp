// What analyses say about their own limits, and what they refuse.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "mubody/reading/read_model.h"
#include "tests/analyses/study.h"

namespace mubody::testing {
namespace {
long remarks_with(const Results& r, const std::string& text) {
  return std::ranges::count_if(r.remarks,
                               [&](const std::string& x) { return x.find(text) != std::string::npos; });
}
Study of_text(const std::string& text, const std::vector<std::string>& settings = {}) {
  return io::read_study_text(text, "test.toml", settings);
}
std::string refusal_of(const std::string& text) {
  try {
    run(of_text(text));
  } catch (const ModelError& e) {
    return e.what();
  }
  return "";
}

// Without gravity and springs every place is one of rest; accelerations there are round-off of nothing.
TEST(modes, at_rest_without_forces_are_those_of_an_equilibrium) {
  for (const char* position : {"0.1", "0.123456789", "1e3"}) {
    const Results r = run(of_text(std::string(R"toml(
[parameters]
a = )toml") + position + R"toml(
[bodies]
rod = {mass = 3, inertia = 1, position = ["= cos(a)", "= sin(a)"], angle = "= a"}
arm = {mass = 1, inertia = 0.2, position = ["= 2*cos(a) + 1", "= 2*sin(a)"]}
[joints]
pin = {type = "revolute", bodies = ["ground", "rod"], i = [0, 0], j = [-1, 0]}
elbow = {type = "revolute", bodies = ["rod", "arm"], i = [1, 0], j = [-1, 0]}
[analysis]
type = "modes"
)toml"));
    EXPECT_EQ(remarks_with(r, "no equilibrium"), 0) << position;
  }
}
TEST(modes, beside_an_equilibrium_are_told_to_be_frozen) {
  const Results r = run(of_text(R"toml(
gravity = [0, -9.81]
[bodies]
rod = {mass = 3, inertia = 1, position = [1, 0]}
[joints]
pin = {type = "revolute", bodies = ["ground", "rod"], i = [0, 0], j = [-1, 0]}
[analysis]
type = "modes"
)toml"));
  EXPECT_EQ(remarks_with(r, "no equilibrium"), 1);
}

TEST(equilibrium, says_that_friction_of_contacts_is_left_out) {
  const Results r = run(example("struck_sphere", {"analysis.type=equilibrium"}));
  EXPECT_EQ(remarks_with(r, "is left out here: with it the mechanism may rest at other places"), 1);
  EXPECT_EQ(remarks_with(run(example("bouncing_ball", {"analysis.type=equilibrium"})), "is left out here"), 0);
}

constexpr const char* two_gears = R"toml(
[bodies]
one = {mass = 1, inertia = [1, 1, 1], position = [0, 0, 0]}
two = {mass = 1, inertia = [1, 1, 1], position = [0.3, 0, 0]}
[joints]
a = {type = "revolute", bodies = ["ground", "one"], at = [0, 0, 0], axis = [0, 0, 1]}
b = {type = "revolute", bodies = ["ground", "two"], at = [0.3, 0, 0], axis = [0, 0, 1]}
teeth = {type = "gear", bodies = ["one", "two"], i = [0, 0, 0], j = [0, 0, 0], axis = AXIS, radius_i = 0.1, radius_j = 0.2}
[analysis]
end = 0.1
)toml";
TEST(gear, across_its_shafts_is_refused) {
  std::string text = two_gears;
  text.replace(text.find("AXIS"), 4, "[0, 1, 0]");
  EXPECT_EQ(
      refusal_of(text),
      "test.toml:8:1: joint 'teeth': the axis of the gear on body 'one' is across its shaft, joint 'a', by 90 "
      "deg: expected the same direction; write 'axis' as that of the shaft, or for bevel gears the axis of "
      "each at 'i' and 'j'");
  text = two_gears;
  text.replace(text.find("AXIS"), 4, "[0, 0, -1]");
  EXPECT_EQ(refusal_of(text), "");
}

TEST(coupler, with_play_does_not_begin_beyond_it) {
  const auto with = [](const std::string& offset) {
    return R"toml(
[bodies]
one = {mass = 1, inertia = 1, position = [0, 0]}
two = {mass = 1, inertia = 1, position = [1, 0]}
[joints]
a = {type = "revolute", bodies = ["ground", "one"], at = [0, 0]}
b = {type = "revolute", bodies = ["ground", "two"], at = [1, 0]}
belt = {type = "coupler", joints = ["a.angle", "b.angle"], ratios = [1, -1], offset = )toml" +
           offset + R"toml(, backlash = {gap = 0.1, stiffness = 1e4}}
[analysis]
end = 0.01
)toml";
  };
  EXPECT_EQ(refusal_of(with("0.04")), "");
  const std::string why = refusal_of(with("0.2"));
  EXPECT_NE(why.find("the coupler begins 0.15"), std::string::npos) << why;
  EXPECT_NE(why.find("beyond its play"), std::string::npos) << why;
}

// A spline in degrees moves by radians, whether or not the signal states a unit.
TEST(signals, convert_columns_by_their_units) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "mubody_own_unit";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "way.csv")
      << "time[s],angle[deg],length[mm]\n0,0,0\n1,90,500\n2,180,1000\n3,270,1500\n";
  for (const char* unit : {"", ", unit = \"rad\""}) {
    const std::string text = std::string(R"toml(
[bodies]
wheel = {mass = 1, inertia = 1, position = [0, 0]}
[signals]
way = {type = "spline", data = "way.csv")toml") +
                             unit + R"toml(}
[joints]
pin = {type = "revolute", bodies = ["ground", "wheel"], at = [0, 0]}
[forces]
push = {type = "moment", body = "wheel", moment = "= way"}
[analysis]
end = 1
[output]
step = 1
)toml";
    const Results r = run(io::read_study_text(text, (folder / "test.toml").string(), {}));
    EXPECT_NEAR(r.column("way").back(), pi / 2, 1e-12) << unit;
  }
  std::filesystem::remove_all(folder);
}

// [report] may plot what an inverse analysis finds, and nothing that it does not.
TEST(inverse, has_channels_for_plots) {
  const auto with = [](const std::string& channel, const std::string& type) {
    return std::string(R"toml(
[bodies]
wheel = {mass = 1, inertia = 1, position = [0, 0]}
[joints]
pin = {type = "revolute", bodies = ["ground", "wheel"], at = [0, 0]}
[drivers]
motor = {type = "angle", joint = "pin", value = "= t"}
[report]
plots = [[")toml") +
           channel + "\"]]\n[analysis]\ntype = \"" + type + "\"\nend = 1\n";
  };
  for (const char* channel : {"motor.drive", "motor.power", "pin.angle.effort"}) {
    EXPECT_EQ(refusal_of(with(channel, "inverse")), "") << channel;
    EXPECT_NE(refusal_of(with(channel, "kinematic")).find("no channel"), std::string::npos) << channel;
  }
}

// A run that starts from results is held to its limits there, and not where the file has its bodies.
TEST(limits, are_those_of_the_start_that_is_taken) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "mubody_limits_from";
  std::filesystem::create_directories(folder / "a.out");
  const auto from = [&](const std::string& angle) {
    std::ofstream(folder / "a.out" / "bodies.csv")
        << "time[s],wheel.x[m],wheel.y[m],wheel.angle[rad],wheel.vx[m/s],wheel.vy[m/s],wheel.omega[rad/s]\n"
        << "0,0,0," << angle << ",0,0,0\n";
    try {
      run(io::read_study_text(R"toml(
[bodies]
wheel = {mass = 1, inertia = 1, position = [0, 0], angle = 2}
[joints]
pin = {type = "revolute", bodies = ["ground", "wheel"], at = [0, 0], limits = [-1, 1]}
[analysis]
start_from = "a.out"
end = 0.1
)toml",
                              (folder / "test.toml").string(), {}));
    } catch (const ModelError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_EQ(from("0.5"), "");
  EXPECT_NE(from("1.5").find("at the start, above its limit"), std::string::npos) << from("1.5");
  std::filesystem::remove_all(folder);
}

// Wheels of shafts that are parallel may sit at different heights: what counts is the distance of the axes.
TEST(gears, centres_may_be_shifted_along_parallel_axes) {
  const auto model = [](double radius) {
    return io::read_study_text(fmt::format(R"toml(
[bodies]
a = {{mass = 1, inertia = [0.1, 0.1, 0.1], omega = [0, 0, 3]}}
b = {{mass = 1, inertia = [0.1, 0.1, 0.1], position = [0.5, 0, 0.2]}}
[joints]
ja = {{type = "revolute", bodies = ["ground", "a"], at = [0, 0, 0], axis = [0, 0, 1]}}
jb = {{type = "revolute", bodies = ["ground", "b"], at = [0.5, 0, 0.2], axis = [0, 0, 1]}}
teeth = {{type = "gear", bodies = ["a", "b"], axis = [0, 0, 1], i = [0, 0, 0], j = [0, 0, 0], radius_i = 0.3, radius_j = {}}}
[analysis]
end = 1
)toml",
                                           radius),
                               "shifted.toml");
  };
  const Results r = run(model(0.2));
  ASSERT_TRUE(r.trusted) << r.verdict;
  EXPECT_NEAR(r.column("b.wz").back(), -4.5, 1e-9);
  EXPECT_THROW(run(model(std::hypot(0.5, 0.2) - 0.3)), ModelError);
}
}  // namespace
}  // namespace mubody::testing
