// Frames of bodies, markers by name, and results that are seen from them.
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "mubody/analyses/run.h"
#include "mubody/forces/bushing.h"
#include "mubody/reading/read_model.h"
#include "tests/near.h"

namespace mubody::testing {
namespace {
using std::numbers::pi;

Study framed(const std::string& text) { return io::read_study_text(text, "model.toml"); }
Results moved(const std::string& text) { return run(framed(text)); }

std::string vector_of(const Vec<3>& v, int dim) {
  return dim == 2 ? fmt::format("[{}, {}]", v.x(), v.y()) : fmt::format("[{}, {}, {}]", v.x(), v.y(), v.z());
}

/// The largest difference between two results over all rows of a table.
double apart(const Results& a, const Results& b, const char* table) {
  const Table &x = *a.find(table), &y = *b.find(table);
  EXPECT_EQ(x.values.size(), y.values.size());
  double most = 0;
  for (std::size_t k = 0; k < x.values.size(); ++k) most = std::max(most, std::abs(x.values[k] - y.values[k]));
  return most;
}

/// A double pendulum with a spring, its second body counted from `com`.
std::string double_pendulum(const Vec<3>& com) {
  const double a = 0.4, b = -0.7;
  const Vec<3> pin = turn_about_z(a) * Vec<3>(1, 0, 0);
  const Vec<3> centre = pin + turn_about_z(b) * Vec<3>(0.4, 0.1, 0);
  const Vec<3> origin = centre - turn_about_z(b) * com;
  const auto local = [&](double x, double y) { return vector_of(com + Vec<3>(x, y, 0), 2); };
  return "gravity = [0, -9.81]\n[bodies]\n" +
         fmt::format("a = {{mass = 2, inertia = 0.3, position = {}, angle = {}, omega = 1.2}}\n",
                     vector_of(turn_about_z(a) * Vec<3>(0.5, 0, 0), 2), a) +
         fmt::format("b = {{mass = 1, inertia = 0.1, position = {}, angle = {}, omega = -2{}}}\n",
                     vector_of(origin, 2), b, com.norm() > 0 ? ", com = " + vector_of(com, 2) : "") +
         "[joints]\nA = {type = 'revolute', bodies = ['ground', 'a'], at = [0, 0]}\n" +
         fmt::format("B = {{type = 'revolute', bodies = ['a', 'b'], i = [0.5, 0], j = {}}}\n",
                     local(-0.4, -0.1)) +
         fmt::format(
             "[forces]\nS = {{type = 'spring', bodies = ['ground', 'b'], i = [2, 1], j = {}, stiffness = "
             "40, damping = 0.5}}\n",
             local(0.3, -0.2)) +
         fmt::format("[points]\ntip = {{body = 'b', at = {}}}\n", local(0.6, 0)) +
         "[analysis]\nend = 1\nestimate = false\nrtol = 1e-10\n[output]\nstep = 0.1\n";
}

TEST(frames, com_gives_the_same_motion_in_the_plane) {
  const Results plain = moved(double_pendulum(Vec<3>::Zero())),
                from_corner = moved(double_pendulum({0.3, -0.8, 0}));
  EXPECT_LT(apart(plain, from_corner, "bodies"), 1e-12);
  EXPECT_LT(apart(plain, from_corner, "points"), 1e-12);
  // Reactions and energies are a hundred times as large.
  for (const char* table : {"joints", "forces", "energy"})
    EXPECT_LT(apart(plain, from_corner, table), 1e-10) << table;
}

TEST(frames, com_in_space) {
  const Study s = framed(R"toml(
gravity = [0, 0, -9.81]
[bodies.b]
mass = 2
inertia = [0.5, 0.4, 0.7]
com = ["100 mm", 0.2, -0.3]
position = [1, 2, 3]
velocity = [4, 5, 6]
orientation = {axis = [0, 0, 1], angle = "90 deg"}
omega_global = [0, 0, 2]
[points]
origin = {body = "b"}
corner = {body = "b", at = [0.1, 0.2, 0.7]}
)toml");
  const RigidBody& b = s.mechanism.bodies[0];
  // The body's axes are y, −x and z of the ground, so that com is at (−0.2, 0.1, −0.3) from the origin.
  EXPECT_TRUE(same(b.start.at, {0.8, 2.1, 2.7}));
  EXPECT_TRUE(same(b.velocity, {4 - 0.2, 5 - 0.4, 6}));
  EXPECT_TRUE(same(Vec<3>(b.inertia.diagonal()), {0.5, 0.4, 0.7}));
  EXPECT_TRUE(same(s.mechanism.points[0].marker.at, {-0.1, -0.2, 0.3}));
  EXPECT_TRUE(same(s.mechanism.points[1].marker.at, {0, 0, 1}));
  EXPECT_TRUE(same(s.mechanism.start_of(s.mechanism.points[0].marker).at, {1, 2, 3}));
}

TEST(frames, an_inertia_frame_is_given_in_the_frame_of_the_body) {
  const std::string body = "gravity = [0, 0, 0]\n[bodies]\nb = {mass = 2, inertia = [5, 6, 7], ";
  const Study plain = framed(body + "inertia_frame = {at = [0.1, 0, 0.2]}}\n"),
              shifted = framed(body + "com = [1, 2, 3], inertia_frame = {at = [1.1, 2, 3.2]}}\n"),
              at_com = framed(body + "com = [1, 2, 3], inertia_frame = {axis = [0, 0, 1], angle = 0}}\n");
  const auto inertia = [](const Study& s) { return s.mechanism.bodies[0].inertia; };
  EXPECT_LT((inertia(plain) - inertia(shifted)).norm(), 1e-14);
  EXPECT_TRUE(same(Vec<3>(inertia(at_com).diagonal()), {5, 6, 7}));
}

// The sums of forces on a body: weight and force elements, and mass times acceleration.
TEST(frames, forces_on_bodies_add_up) {
  for (const char* formulation : {"body", "cartesian", "joint"}) {
    const Results r = moved(fmt::format(R"toml(
gravity = [0, 0, -9.81]
[bodies]
a = {{mass = 2, inertia = [1, 2, 2.5], position = [0, 0, 0], omega = [1, 2, 3], velocity = [1, 0, 0]}}
b = {{mass = 3, inertia = [1, 1, 1], position = [1, 0, 0]}}
[joints]
ball = {{type = "spherical", bodies = ["a", "b"], at = [0.5, 0, 0]}}
[forces]
pull = {{type = "spring", bodies = ["ground", "a"], i = [0, 0, 1], j = [0, 0.1, 0], stiffness = 50}}
[output]
step = 0.1
body_forces = true
[analysis]
end = 0.3
estimate = false
formulation = "{}"
)toml",
                                        formulation));
    const Eigen::Matrix3d J = Vec<3>(1, 2, 2.5).asDiagonal();
    for (std::size_t k = 0; k < r.times().size(); ++k) {
      const auto at = [&](const std::string& n) {
        return Vec<3>(r.column(n + "x")[k], r.column(n + "y")[k], r.column(n + "z")[k]);
      };
      const Quaternion turn(r.column("a.e0")[k], r.column("a.e1")[k], r.column("a.e2")[k], r.column("a.e3")[k]);
      const Vec<3> w = at("a.w"), spin = turn * (J * at("a.alpha") + w.cross(J * w));
      EXPECT_TRUE(same(at("a.total_f"), 2 * at("a.a"), 1e4)) << formulation;
      EXPECT_TRUE(same(at("a.total_m"), spin, 1e5)) << formulation;
      EXPECT_TRUE(same(at("b.applied_f"), {0, 0, -3 * 9.81}, 1e4)) << formulation;
      EXPECT_TRUE(same(at("a.applied_f") + at("ball.on_a.f"), at("a.total_f"), 1e6)) << formulation;
      EXPECT_TRUE(same(at("a.applied_f") + at("ground.applied_f"), {0, 0, -2 * 9.81}, 1e5)) << formulation;
    }
  }
}

TEST(frames, com_of_a_place_is_the_point_that_is_there) {
  const Study s = framed(R"toml(
gravity = [0, -9.81]
[places]
G = [3, 4]
[bodies]
b = {mass = 1, inertia = 1, position = [1, 1], angle = "90 deg", com = "G"}
[points]
o = {body = "b"}
)toml");
  EXPECT_TRUE(same(s.mechanism.bodies[0].start.at, {3, 4, 0}));
  EXPECT_TRUE(same(s.mechanism.points[0].marker.at, {-3, 2, 0}));
}

TEST(frames, local_points_of_a_series_begin_at_the_origin) {
  const auto force_at = [](const std::string& com, const char* at) {
    return moved(fmt::format(R"toml(
[bodies]
b = {{mass = 1, inertia = 1, position = [0, 0]{}}}
[forces]
F = {{type = "time_series", body = "b", point = "local", data = [[0, 1, 2, {}], [1, 1, 2, {}]]}}
[analysis]
end = 0.1
estimate = false
)toml",
                             com, at, at))
        .column("F.x")[0];
  };
  EXPECT_NEAR(force_at("", "0.5, 0.25"), 0.5, 1e-14);
  EXPECT_NEAR(force_at(", com = [0.2, 0.1]", "0.5, 0.25"), 0.5, 1e-14);
}

TEST(markers, stand_for_points_and_axes) {
  const Study s = framed(R"toml(
gravity = [0, -9.81]
[markers]
nozzle = {marker = "tip", at = [0.1, 0], angle = "20 deg"}
tip = {body = "crank", at = [0.5, 0], angle = "70 deg"}
floor = {body = "ground", at = [0, 0], axis = [0, 1]}
[bodies]
crank = {mass = 1, inertia = 0.1, position = [0.5, 0], com = [1, 1]}
[joints]
pin = {type = "revolute", i = "floor", j = "tip"}
[forces]
push = {type = "force", marker = "nozzle", force = [1, 0]}
pull = {type = "spring", bodies = ["ground", "crank"], i = [3, 0], j = "nozzle", stiffness = 1}
[points]
P = {marker = "nozzle", at = [0, 1]}
)toml");
  const AnyJoint& pin = *s.mechanism.joints[0].what;
  EXPECT_EQ(pin.i().body, ground);
  EXPECT_TRUE(same(angle_about_z(pin.i().turn), pi / 2));
  EXPECT_TRUE(same(pin.j().at, {-0.5, -1, 0}));
  EXPECT_TRUE(same(angle_about_z(pin.j().turn), 70 * pi / 180));
  const Vec<3> nozzle = Vec<3>(-0.5, -1, 0) + 0.1 * Vec<3>(std::cos(70 * pi / 180), std::sin(70 * pi / 180), 0);
  for (const auto& force : s.mechanism.forces) {
    EXPECT_TRUE(same(force.what->j().at, nozzle)) << force.name;
    EXPECT_TRUE(same(angle_about_z(force.what->j().turn), pi / 2)) << force.name;
  }
  EXPECT_TRUE(same(s.mechanism.points[0].marker.at, nozzle + Vec<3>(-1, 0, 0)));
}

TEST(markers, without_an_orientation_give_a_point_alone) {
  const auto joint = [](const char* how) {
    return framed(fmt::format(R"toml(
gravity = [0, 0, -9.81]
[bodies]
b = {{mass = 1, inertia = [1, 1, 1], position = [1, 0, 0], orientation = {{axis = [1, 0, 0], angle = "90 deg"}}}}
[markers]
here = {{body = "ground", at = [0, 0, 0]}}
there = {{body = "b", at = [-1, 0, 0]}}
hinge = {{body = "ground", orientation = {{z = [0, 1, 0], x = [1, 0, 0]}}}}
[joints]
A = {{type = "revolute", {}}}
)toml",
                              how))
        .mechanism.joints[0]
        .what;
  };
  const auto by_axis = joint("i = 'here', j = 'there', axis = [0, 1, 0]"),
             by_marker = joint("i = 'hinge', j = 'there'");
  for (const auto* what : {&by_axis, &by_marker}) {
    EXPECT_TRUE(same((*what)->i().turn * Vec<3>::UnitZ(), {0, 1, 0}));
    EXPECT_TRUE(same((*what)->j().turn * Vec<3>::UnitZ(), {0, 0, -1}));
    EXPECT_TRUE(same((*what)->j().at, {-1, 0, 0}));
  }
  EXPECT_TRUE(same(by_marker->i().turn * Vec<3>::UnitX(), {1, 0, 0}));
}

TEST(markers, orientations_in_all_forms_within_i_and_j) {
  const auto turn_of = [](const char* orientation) {
    const Study s = framed(fmt::format(R"toml(
gravity = [0, 0, -9.81]
[bodies]
b = {{mass = 1, inertia = [1, 1, 1]}}
[forces]
B = {{type = "bushing", bodies = ["ground", "b"], i = {{at = [0, 0, 0], orientation = {}}}, stiffness = [1, 1, 1, 1, 1, 1]}}
)toml",
                                       orientation));
    const AnyForce& bushing = *s.mechanism.forces[0].what;
    EXPECT_TRUE(same(bushing.i().turn * Vec<3>(1, 2, 3), bushing.j().turn * Vec<3>(1, 2, 3)));
    return Vec<3>(bushing.i().turn * Vec<3>(1, 2, 3));
  };
  // A quarter turn about z takes (1, 2, 3) to (−2, 1, 3).
  for (const char* form :
       {"{axis = [0, 0, 2], angle = '90 deg'}", "{sequence = 'zx', angles = ['90 deg', 0]}",
        "{quaternion = [1, 0, 0, 1]}", "{x = [0, 1, 0], y = [-1, 0, 0]}", "{z = [0, 0, 1], x = [0, 5, 0]}"})
    EXPECT_TRUE(same(turn_of(form), {-2, 1, 3})) << form;
}

TEST(points, are_seen_from_a_marker_in_the_plane) {
  std::string text = double_pendulum({0.3, -0.8, 0});
  text.replace(
      text.find("[points]\n"), 9,
      "[markers]\neye = {body = 'a', at = [0.2, 0.1], angle = 0.6}\n[points]\nseen = {body = 'b', at = "
      "[0.9, -0.8], in = 'eye'}\nplain = {body = 'b', at = [0.9, -0.8]}\n");
  const Results r = moved(text);
  const auto of = [&](const char* name) { return r.column(name); };
  for (std::size_t k = 0; k < of("time").size(); ++k) {
    const auto at = [&](const char* x, const char* y) { return Vec<3>(of(x)[k], of(y)[k], 0); };
    const double angle = of("a.angle")[k], w = of("a.omega")[k], alpha = of("a.alpha")[k];
    const Vec<3> z = Vec<3>::UnitZ(), arm = turn_about_z(angle) * Vec<3>(0.2, 0.1, 0);
    const Vec<3> d = at("plain.x", "plain.y") - at("a.x", "a.y") - arm;
    const Vec<3> v = at("plain.vx", "plain.vy") - at("a.vx", "a.vy") - w * z.cross(arm) - w * z.cross(d);
    const Vec<3> a = at("plain.ax", "plain.ay") - at("a.ax", "a.ay") - alpha * z.cross(arm) + w * w * arm -
                     alpha * z.cross(d) + w * w * d - 2 * w * z.cross(v);
    const Quaternion back = turn_about_z(-angle - 0.6);
    EXPECT_TRUE(same(at("seen.x", "seen.y"), back * d, 100));
    EXPECT_TRUE(same(at("seen.vx", "seen.vy"), back * v, 1000));
    EXPECT_TRUE(same(at("seen.ax", "seen.ay"), back * a, 1000));
  }
}

TEST(points, are_seen_from_a_marker_in_space_and_spins_are_given_in_global_axes) {
  for (const char* formulation : {"body", "cartesian", "joint"}) {
    const Results r = moved(fmt::format(R"toml(
gravity = [0, 0, -9.81]
[bodies]
a = {{mass = 1, inertia = [1, 2, 2.5], position = [0, 0, 0], omega = [1, 2, 3], velocity = [1, 0, 0]}}
b = {{mass = 1, inertia = [1, 1, 1], position = [1, 2, 3], velocity = [0, 0, 4]}}
[markers]
eye = {{body = "a", at = [0.1, 0.2, 0.3], orientation = {{axis = [1, 0, 0], angle = 0.7}}}}
[points]
seen = {{body = "b", in = "eye"}}
[output]
step = 0.1
omega_global = true
[analysis]
end = 0.5
estimate = false
formulation = "{}"
)toml",
                                        formulation));
    const auto of = [&](const std::string& name, std::size_t k) { return r.column(name)[k]; };
    for (std::size_t k = 0; k < r.times().size(); ++k) {
      const auto at = [&](const std::string& n, const std::string& end = "") {
        return Vec<3>(of(n + "x" + end, k), of(n + "y" + end, k), of(n + "z" + end, k));
      };
      const Quaternion turn(of("a.e0", k), of("a.e1", k), of("a.e2", k), of("a.e3", k));
      const Vec<3> w = turn * at("a.w"), alpha = turn * at("a.alpha");
      EXPECT_TRUE(same(at("a.w", "_global"), w, 1000));
      EXPECT_TRUE(same(at("a.alpha", "_global"), alpha, 1000));
      const Vec<3> arm = turn * Vec<3>(0.1, 0.2, 0.3), d = at("b.") - at("a.") - arm;
      const Vec<3> v = at("b.v") - at("a.v") - w.cross(arm) - w.cross(d);
      const Vec<3> a =
          at("b.a") - at("a.a") - alpha.cross(arm + d) - w.cross(w.cross(arm + d)) - 2 * w.cross(v);
      const Quaternion back = (turn * Quaternion(Eigen::AngleAxisd(0.7, Vec<3>::UnitX()))).conjugate();
      EXPECT_TRUE(same(at("seen."), back * d, 1000));
      EXPECT_TRUE(same(at("seen.v"), back * v, 5000));
      EXPECT_TRUE(same(at("seen.a"), back * a, 20000));
    }
  }
}

TEST(vectors, of_a_spring_at_its_ends) {
  std::string text = double_pendulum({0.3, -0.8, 0});
  text.replace(text.find("damping = 0.5"), 13, "damping = 0.5, vectors = true");
  const Results r = moved(text);
  for (std::size_t k = 0; k < r.times().size(); ++k) {
    const auto at = [&](const std::string& n) { return Vec<3>(r.column(n + "x")[k], r.column(n + "y")[k], 0); };
    const Vec<3> d = at("S.on_b.") - at("S.on_ground.");
    EXPECT_TRUE(same(at("S.on_ground."), {2, 1, 0}));
    EXPECT_TRUE(same(d.norm(), r.column("S.length")[k]));
    // A spring that pulls draws the body towards the other end.
    EXPECT_TRUE(same(at("S.on_b.f"), -r.column("S.force")[k] * d.normalized(), 100));
    EXPECT_TRUE(same(at("S.on_ground.f"), r.column("S.force")[k] * d.normalized(), 100));
    EXPECT_NEAR(r.column("S.on_b.m")[k], 0, 1e-13);
  }
  EXPECT_EQ(moved(double_pendulum(Vec<3>::Zero())).find("forces")->columns.size(), 4U);
}

TEST(bushings, have_units_in_every_number) {
  const auto numbers = [](const char* stiffness) {
    const Study s = framed(fmt::format(
        "gravity = [0, -9.81]\n[bodies]\nb = {{mass = 1, inertia = 1, position = [0, 0]}}\n[forces]\nB = "
        "{{type = "
        "'bushing', bodies = ['ground', 'b'], at = [0, 0], stiffness = {}, preload = ['2 kN', 0, '3 N m']}}\n",
        stiffness));
    return dynamic_cast<const ForceOf<Bushing>&>(*s.mechanism.forces[0].what).force;
  };
  const Bushing diagonal = numbers("['2 kN/mm', '1 N/m', '3 N m/deg']");
  const double expected[] = {2e6, 1, 3 * 180 / pi};
  for (std::size_t k = 0; k < 3; ++k) EXPECT_DOUBLE_EQ(diagonal.stiffness[k], expected[k]);
  EXPECT_EQ(diagonal.preload, (std::vector<double>{2000, 0, 3}));
  const Bushing whole =
      numbers("[['2 N/mm', 0, '10 N/rad'], [0, '1 kN/m', '0 N'], ['0.01 kN', 0, '30 N m/rad']]");
  EXPECT_EQ(whole.stiffness, (std::vector<double>{2000, 0, 10, 0, 1000, 0, 10, 0, 30}));
}
}  // namespace
}  // namespace mubody::testing
