// What the user wrote is kept: the three ranks of assembly, in files and in code.
#include "mubody/analyses/assembly.h"
#include "mubody/simulation/begin.h"
#include "tests/analyses/study.h"
#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
Results assembled_text(std::string_view text, const std::vector<std::string>& settings = {}) {
  Results r = Assembly{}.run(io::read_study_text(text, "text.toml", settings));
  EXPECT_TRUE(r.outcome) << r.outcome.why;
  return r;
}
double kept_at_start(const Results& r, std::string_view column) { return r.column(column).front(); }

bool any_moved(const std::vector<Moved>& all, bool written) {
  return std::ranges::any_of(all, [&](const Moved& m) { return m.written == written; });
}

constexpr std::string_view two_wheels = R"toml(
gravity = [0, -9.81]
[bodies]
flywheel = {mass = 1, inertia = 0.1, omega = "600 rpm"}
arm = {mass = 1, inertia = 0.1, position = [0.5, 0], omega = "600 rpm"}
[joints]
p = {type = "revolute", bodies = ["ground", "arm"], at = [0, 0]}
q = {type = "revolute", bodies = ["ground", "flywheel"], at = [0, 0]}
)toml";

TEST(kept, a_written_angular_velocity_and_the_centre_follows) {
  const Results r = assembled_text(two_wheels);
  EXPECT_EQ(kept_at_start(r, "flywheel.omega"), 20 * pi);
  EXPECT_EQ(kept_at_start(r, "arm.omega"), 20 * pi);
  EXPECT_TRUE(same(kept_at_start(r, "arm.vx"), 0));
  EXPECT_TRUE(same(kept_at_start(r, "arm.vy"), 10 * pi));
  EXPECT_FALSE(any_moved(r.assembly.velocities, true));
  EXPECT_TRUE(any_moved(r.assembly.velocities, false));
}

TEST(kept, a_written_position_that_needs_half_a_turn) {
  const Results plane = assembled_text(R"toml(
[bodies]
arm = {mass = 1, inertia = 0.1, position = [-0.5, 0]}
[joints]
p = {type = "revolute", bodies = ["ground", "arm"], i = [0, 0], j = [-0.5, 0]}
)toml");
  EXPECT_EQ(kept_at_start(plane, "arm.x"), -0.5);
  EXPECT_EQ(kept_at_start(plane, "arm.y"), 0);
  EXPECT_TRUE(same(std::abs(kept_at_start(plane, "arm.angle")), pi));
  EXPECT_FALSE(any_moved(plane.assembly.positions, true));
  const Results space = assembled_text(R"toml(
gravity = [0, 0, -9.81]
[bodies]
arm = {mass = 1, inertia = [0.1, 0.1, 0.1], position = [0, 0, -0.5]}
[joints]
p = {type = "spherical", bodies = ["ground", "arm"], i = [0, 0, 0], j = [0, 0, -0.5]}
)toml");
  EXPECT_EQ(kept_at_start(space, "arm.z"), -0.5);
  EXPECT_FALSE(any_moved(space.assembly.positions, true));
}

// A chain that lies on the other side of its pin: both bodies turn, and the written centres stay.
TEST(kept, written_positions_of_several_bodies_that_need_half_a_turn) {
  const Results r = assembled_text(R"toml(
[bodies]
left = {mass = 1, inertia = 0.1, position = [-0.5, 0]}
right = {mass = 1, inertia = 0.1, position = [-1.5, 0]}
[joints]
A = {type = "revolute", bodies = ["ground", "left"], i = [0, 0], j = [-0.5, 0]}
B = {type = "revolute", bodies = ["left", "right"], i = [0.5, 0], j = [-0.5, 0]}
)toml");
  EXPECT_EQ(kept_at_start(r, "left.x"), -0.5);
  EXPECT_EQ(kept_at_start(r, "right.x"), -1.5);
  EXPECT_FALSE(any_moved(r.assembly.positions, true));
}

// The least change of ω and v in the metric of the mass: ω = J ω0 / (J + m l²).
TEST(kept, written_values_that_contradict_each_other_meet_in_the_metric_of_the_mass) {
  const Results r = assembled_text(two_wheels, {"bodies.arm.velocity=[0, 0]"});
  EXPECT_TRUE(same(kept_at_start(r, "arm.omega"), 20 * pi * 0.1 / (0.1 + 0.25)));
  EXPECT_TRUE(same(kept_at_start(r, "arm.vy"), 0.5 * kept_at_start(r, "arm.omega")));
  EXPECT_TRUE(any_moved(r.assembly.velocities, true));
  const Results held =
      assembled_text(two_wheels, {"bodies.arm.velocity=[0, 0]", "analysis.assembly.hold=[\"arm.omega\"]"});
  EXPECT_EQ(kept_at_start(held, "arm.omega"), 20 * pi);
}

TEST(kept, a_zero_that_is_written_counts_as_any_other_number) {
  constexpr std::string_view text = R"toml(
[bodies]
arm = {mass = 2, inertia = 0.3, position = [0.5, 0], velocity = [0, 1]}
[joints]
p = {type = "revolute", bodies = ["ground", "arm"], at = [0, 0]}
)toml";
  EXPECT_TRUE(same(kept_at_start(assembled_text(text), "arm.omega"), 2));
  EXPECT_TRUE(same(kept_at_start(assembled_text(text), "arm.vy"), 1));
  // 0.3 ω² + 2 (ω/2 − 1)² is least at ω = 1/0.8.
  EXPECT_TRUE(same(kept_at_start(assembled_text(text, {"bodies.arm.omega=0"}), "arm.omega"), 1.25));
}

TEST(kept, a_written_angle_and_the_position_follows) {
  const Results r = assembled_text(R"toml(
gravity = [0, -9.81]
[bodies]
rod = {mass = 1, inertia = 0.1, angle = "30 deg", omega = "60 rpm"}
[joints]
p = {type = "revolute", bodies = ["ground", "rod"], i = [0, 0], j = [-0.5, 0]}
)toml");
  EXPECT_EQ(kept_at_start(r, "rod.angle"), pi / 6);
  EXPECT_EQ(kept_at_start(r, "rod.omega"), 2 * pi);
  EXPECT_TRUE(same(kept_at_start(r, "rod.x"), 0.5 * std::cos(pi / 6)));
  EXPECT_TRUE(same(kept_at_start(r, "rod.y"), 0.25));
  EXPECT_TRUE(same(kept_at_start(r, "rod.vx"), -0.5 * pi));
  EXPECT_FALSE(any_moved(r.assembly.positions, true));
}

TEST(kept, a_written_position_and_the_angle_follows) {
  const Results r = assembled_text(R"toml(
[bodies]
rod = {mass = 1, inertia = 0.1, position = [-0.3, 0.4]}
[joints]
p = {type = "revolute", bodies = ["ground", "rod"], i = [0, 0], j = [-0.5, 0]}
)toml");
  EXPECT_EQ(kept_at_start(r, "rod.x"), -0.3);
  EXPECT_EQ(kept_at_start(r, "rod.y"), 0.4);
  EXPECT_NEAR(kept_at_start(r, "rod.angle"), std::atan2(0.4, -0.3), 1e-12);
  EXPECT_FALSE(any_moved(r.assembly.positions, true));
}

// A slider-crank of which only the crank's angle and the slider's line are written.
TEST(kept, one_written_angle_leads_a_whole_mechanism) {
  const Results r = assembled_text(R"toml(
[bodies]
crank = {mass = 1, inertia = 0.1, angle = "50 deg", omega = 3}
rod = {mass = 1, inertia = 0.1}
slider = {mass = 1, inertia = 0.1}
[joints]
A = {type = "revolute", bodies = ["ground", "crank"], i = [0, 0], j = [-0.5, 0]}
B = {type = "revolute", bodies = ["crank", "rod"], i = [0.5, 0], j = [-1, 0]}
C = {type = "revolute", bodies = ["rod", "slider"], i = [1, 0], j = [0, 0]}
G = {type = "translational", bodies = ["ground", "slider"], i = {at = [0, 0], axis = [1, 0]}, j = [0, 0]}
)toml");
  const double a = 50 * pi / 180, b = std::asin(-std::sin(a) / 2);
  EXPECT_EQ(kept_at_start(r, "crank.angle"), a);
  EXPECT_EQ(kept_at_start(r, "crank.omega"), 3);
  EXPECT_NEAR(kept_at_start(r, "slider.x"), std::cos(a) + 2 * std::cos(b), 1e-11);
  EXPECT_NEAR(kept_at_start(r, "rod.omega"), -3 * std::cos(a) / (2 * std::cos(b)), 1e-11);
}

TEST(kept, rough_positions_are_still_allowed) {
  const Results r = assembled_text(R"toml(
[bodies]
crank = {mass = 1, inertia = 0.1, position = [0.52, 0.83], angle = 1.05}
coupler = {mass = 3, inertia = 1, position = [2.4, 2.3]}
rocker = {mass = 2, inertia = 1, position = [3.7, 1.4], angle = 1.0}
[joints]
A = {type = "revolute", bodies = ["ground", "crank"], i = [0, 0], j = [-1, 0]}
B = {type = "revolute", bodies = ["crank", "coupler"], i = [1, 0], j = [-1.5, 0]}
C = {type = "revolute", bodies = ["coupler", "rocker"], i = [1.5, 0], j = [1.5, 0]}
D = {type = "revolute", bodies = ["ground", "rocker"], i = [2.8, 0], j = [-1.5, 0]}
)toml");
  EXPECT_LT(r.assembly.violation_after, 1e-12);
  EXPECT_NEAR(kept_at_start(r, "crank.angle"), 1.05, 0.3);
  EXPECT_TRUE(any_moved(r.assembly.positions, true));
}

// The bar of a parallelogram with one crank too many must be on a circle: it goes straight to it, up to second order in
// the distance.
TEST(kept, one_written_position_moves_least_where_equations_are_redundant) {
  const Results r = assembled_text(R"toml(
[bodies]
a = {mass = 1, inertia = 0.1}
b = {mass = 1, inertia = 0.1}
c = {mass = 1, inertia = 0.1}
bar = {mass = 1, inertia = 1, position = [1.3, 0.83]}
[joints]
A = {type = "revolute", bodies = ["ground", "a"], i = [0, 0], j = [-0.5, 0]}
B = {type = "revolute", bodies = ["ground", "b"], i = [1, 0], j = [-0.5, 0]}
C = {type = "revolute", bodies = ["ground", "c"], i = [2, 0], j = [-0.5, 0]}
D = {type = "revolute", bodies = ["a", "bar"], i = [0.5, 0], j = [-1, 0]}
E = {type = "revolute", bodies = ["b", "bar"], i = [0.5, 0], j = [0, 0]}
F = {type = "revolute", bodies = ["c", "bar"], i = [0.5, 0], j = [1, 0]}
)toml");
  const double away = std::hypot(0.3, 0.83), second_order = (1 - away) * (1 - away);
  EXPECT_LT(r.assembly.violation_after, 1e-12);
  EXPECT_NEAR(kept_at_start(r, "bar.x"), 1 + 0.3 / away, second_order);
  EXPECT_NEAR(kept_at_start(r, "bar.y"), 0.83 / away, second_order);
  EXPECT_TRUE(same(kept_at_start(r, "bar.angle"), 0));
}

TEST(kept, an_angular_velocity_in_space) {
  const Results r = assembled_text(R"toml(
gravity = [0, 0, -9.81]
[bodies]
top = {mass = 1, inertia = [0.2, 0.2, 0.1], position = [0, 0.3, 0.4], omega_global = [1, 2, 3]}
[joints]
ball = {type = "spherical", bodies = ["ground", "top"], at = [0, 0, 0]}
)toml");
  const Vec<3> v = Vec<3>(1, 2, 3).cross(Vec<3>(0, 0.3, 0.4));
  EXPECT_EQ(kept_at_start(r, "top.wx"), 1);
  EXPECT_EQ(kept_at_start(r, "top.wz"), 3);
  EXPECT_TRUE(same({kept_at_start(r, "top.vx"), kept_at_start(r, "top.vy"), kept_at_start(r, "top.vz")}, v));
}

TEST(kept, what_a_program_gives_counts_as_written) {
  Model m = in_plane();
  const BodyRef rod = m.body("rod", {.mass = 1, .inertia = 0.1, .angle = 0.3, .omega = {0, 0, 7}});
  m.joint("pin", Revolute{}, m.ground().at(0, 0), rod.at(-0.5, 0));
  Motion motion(m);
  EXPECT_EQ(motion("rod.angle"), 0.3);
  EXPECT_EQ(motion("rod.omega"), 7);
  EXPECT_TRUE(same(motion("rod.x"), 0.5 * std::cos(0.3)));
  EXPECT_TRUE(same(motion("rod.vy"), 3.5 * std::cos(0.3)));
}

// Warnings -------------------------------------------------------------------------------------------------

std::vector<std::string> warnings_for(std::string_view text) {
  return begin(io::read_study_text(text, "text.toml"), "check").warnings;
}
bool has_line(const std::vector<std::string>& lines, std::string_view part) {
  return std::ranges::any_of(lines, [&](const std::string& x) { return x.find(part) != x.npos; });
}

// Local coordinates used as if they were global ones.
TEST(kept, a_body_that_assembly_moves_far_is_named_with_the_joint_that_gaped) {
  const auto all = warnings_for(R"toml(
gravity = [0, -9.81]
[bodies]
crank = {mass = 0.5, inertia = 0.1, position = [0.05, 0]}
rod = {mass = 0.5, inertia = 0.1, position = [0.25, 0]}
slider = {mass = 0.5, inertia = 0.1, position = [0.4, 0]}
[joints]
A = {type = "revolute", bodies = ["ground", "crank"], i = [0, 0], j = [0, 0]}
B = {type = "revolute", bodies = ["crank", "rod"], i = [0.1, 0], j = [0.1, 0]}
C = {type = "revolute", bodies = ["rod", "slider"], i = [0.4, 0], j = [0.4, 0]}
G = {type = "translational", bodies = ["ground", "slider"], i = {at = [0, 0], axis = [1, 0]}, j = [0, 0]}
[analysis]
)toml");
  EXPECT_TRUE(has_line(all,
                       "assembly moves body 'slider' by 0.4 m, more than its own size of 0.2 m: joint 'C' "
                       "gaped by 0.15"));
  EXPECT_TRUE(has_line(all, "assembly moves body 'rod' by 0.25 m"));
  EXPECT_FALSE(has_line(all, "'crank'"));
}

TEST(kept, a_body_that_assembly_turns_far_is_named) {
  const auto text = [](const char* angle) {
    return std::string(R"toml(
gravity = [0, -9.81]
[bodies]
bar = {mass = 1, inertia = 0.1, position = [0, 0.5], angle = )toml") +
           angle + R"toml(}
[joints]
G = {type = "translational", bodies = ["ground", "bar"], i = {at = [0, 0], axis = [0, 1]}, j = {at = [0, 0], axis = [1, 0]}}
[analysis]
)toml";
  };
  EXPECT_TRUE(
      has_line(warnings_for(text("0.9")), "assembly turns body 'bar' by 0.671 rad: joint 'G' gaped by"));
  EXPECT_TRUE(warnings_for(text("1.5")).empty());
}

TEST(kept, a_place_that_was_left_out_is_no_place_to_be_moved_from) {
  EXPECT_TRUE(warnings_for(R"toml(
gravity = [0, -9.81]
[bodies]
rod = {mass = 1, inertia = 0.1, angle = "30 deg"}
[joints]
p = {type = "revolute", bodies = ["ground", "rod"], i = [10, 0], j = [-0.5, 0]}
[analysis]
)toml")
                  .empty());
}

TEST(kept, a_negative_stiffness_or_damping_is_remarked) {
  constexpr std::string_view start = R"toml(
gravity = [0, -9.81]
[bodies]
m = {mass = 1, inertia = 0.1, position = [0, -1]}
[joints]
g = {type = "translational", bodies = ["ground", "m"], at = [0, 0], axis = [0, 1]}
[analysis]
[forces]
)toml";
  const auto of = [&](const std::string& force) {
    return warnings_for(std::string(start) + "s = {bodies = [\"ground\", \"m\"], i = [0, 0], j = [0, 0], " +
                        force + "}");
  };
  EXPECT_TRUE(has_line(of("type = \"spring\", stiffness = 100, damping = -2, free_length = 1"),
                       "force 's': damping is negative (-2)"));
  EXPECT_TRUE(has_line(of("type = \"spring\", stiffness = -100"), "force 's': stiffness is negative (-100)"));
  EXPECT_TRUE(has_line(of("type = \"torsion_spring\", damping = -1"), "damping is negative"));
  EXPECT_TRUE(has_line(of("type = \"bushing\", stiffness = [1, -3, 1]"), "stiffness is negative (-3)"));
  EXPECT_TRUE(has_line(of("type = \"spring\", law = {type = \"piecewise\", breaks = [0], stiffness = [-5, 5]}"),
                       "stiffness is negative (-5)"));
  EXPECT_TRUE(of("type = \"spring\", stiffness = 100, damping = 0").empty());
  EXPECT_TRUE(of("type = \"bushing\", stiffness = [2, -1, 0, -1, 2, 0, 0, 0, 1]").empty());
}
}  // namespace
}  // namespace mubody::testing
