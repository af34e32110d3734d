// Places, bodies made of them and of shapes, and joints at places.
#include <numbers>

#include <gtest/gtest.h>

#include "mubody/reading/read_model.h"
#include "mubody/shapes/cylinder.h"
#include "mubody/shapes/figure.h"
#include "tests/near.h"

namespace mubody::testing {
namespace {
using std::numbers::pi;

Study placed(const std::string& text) { return io::read_study_text(text, "model.toml"); }

const RigidBody& body_of(const Study& study, const std::string& name) {
  for (const RigidBody& b : study.mechanism.bodies)
    if (b.name == name) return b;
  throw std::runtime_error("no body " + name);
}

const std::string square = R"toml(
gravity = [0, -9.81]
[places]
O = [0, 0]
A = ["2 m", 0]
B = [2, 2]
C = [0, 2]
)toml";

TEST(places, make_a_rod) {
  const Study s = placed(square + "[bodies]\nrod = {through = ['A', 'C'], mass = 3}\n");
  const RigidBody& rod = body_of(s, "rod");
  EXPECT_TRUE(same(rod.start.at, {1, 1, 0}));
  EXPECT_TRUE(same(rod.start.angle, 0.75 * pi));
  EXPECT_TRUE(same(rod.inertia(2, 2), 3 * 8 / 12.0));
  EXPECT_FALSE(rod.left_out.position || rod.left_out.orientation);
  EXPECT_TRUE(rod.left_out.velocity);
}

TEST(places, make_a_plate) {
  const Study s =
      placed(square + "[bodies]\np = {through = ['O', 'A', 'B'], density = 1000, thickness = '1 mm'}\n");
  const RigidBody& p = body_of(s, "p");
  EXPECT_TRUE(same(p.mass, 2));
  EXPECT_TRUE(same(p.start.at, {4. / 3, 2. / 3, 0}));
  EXPECT_EQ(p.start.angle, 0);
  EXPECT_TRUE(same(p.inertia(2, 2), 2 * (4 + 4) / 18.0));
  EXPECT_EQ(p.inertia(0, 0), 0);
}

// From B, which is between, to the ends of the line.
TEST(places, on_a_line_make_a_rod_or_a_bar) {
  const std::string line = square + "M = [1, 1]\nN = [2.5, 2.5]\n[bodies]\n";
  const Study s = placed(line +
                         "r = {through = ['B', 'O', 'M', 'N'], mass = 3}\n"
                         "b = {shape = 'bar', through = ['O', 'M', 'B'], width = 0.1, thickness = 0.01, "
                         "density = 1000}\n"
                         "p = {through = ['O', 'M', 'C'], mass = 1}\n");
  const RigidBody &r = body_of(s, "r"), &b = body_of(s, "b");
  EXPECT_TRUE(same(r.start.at, {1.25, 1.25, 0}));
  EXPECT_TRUE(same(r.start.angle, -0.75 * pi));
  EXPECT_TRUE(same(r.inertia(2, 2), 3 * 12.5 / 12));
  EXPECT_TRUE(same(b.start.at, {1, 1, 0}));
  EXPECT_TRUE(same(b.mass, std::sqrt(8)));
  EXPECT_TRUE(same(b.inertia(2, 2), std::sqrt(8) * (8 + 0.01) / 12));
  EXPECT_TRUE(same(body_of(s, "p").start.at, {1. / 3, 1, 0}));  // a plate
}

TEST(places, yield_to_what_is_written) {
  const Study s = placed(
      square + "[bodies]\nrod = {through = ['O', 'A'], mass = 3, inertia = 7, position = 'A', angle = 1}\n");
  const RigidBody& rod = body_of(s, "rod");
  EXPECT_TRUE(same(rod.start.at, {2, 0, 0}));
  EXPECT_EQ(rod.start.angle, 1);
  EXPECT_EQ(rod.inertia(2, 2), 7);
}

TEST(places, by_lengths_and_between) {
  const Study s = placed(square +
                         "D = {length = {O = '50 cm', A = '1.75 m'}, near = [0, 1]}\n"
                         "E = {length = {O = '50 cm', A = '1.75 m'}, near = [0, -1]}\n"
                         "M = {between = ['O', 'B'], share = 0.25}\n"
                         "[bodies]\nb = {mass = 1}\n[points]\nD = {body = 'ground', at = 'D'}\n"
                         "E = {body = 'ground', at = 'E'}\nM = {body = 'ground', at = 'M'}\n");
  const Vec<3> d = s.mechanism.points[0].marker.at, e = s.mechanism.points[1].marker.at;
  EXPECT_TRUE(same(d.norm(), 0.5));
  EXPECT_TRUE(same((d - Vec<3>(2, 0, 0)).norm(), 1.75));
  EXPECT_GT(d.y(), 0);
  EXPECT_TRUE(same(e, Vec<3>(d.x(), -d.y(), 0)));
  EXPECT_TRUE(same(s.mechanism.points[2].marker.at, {0.5, 0.5, 0}));
}

TEST(places, by_lengths_in_space) {
  const Study s = placed(
      "[places]\nA = [1, 0, 0]\nB = [0, 2, 0]\nC = [0, 0, 3]\n"
      "P = {length = {A = 2, B = 2.5, C = '300 cm'}, near = [5, 5, 5]}\n"
      "[bodies]\nb = {mass = 1, inertia = [1, 1, 1]}\n[points]\nP = {body = 'ground', at = 'P'}\n");
  const Vec<3> p = s.mechanism.points[0].marker.at;
  EXPECT_EQ(s.mechanism.dim, 3);
  EXPECT_TRUE(same((p - Vec<3>(1, 0, 0)).norm(), 2));
  EXPECT_TRUE(same((p - Vec<3>(0, 2, 0)).norm(), 2.5));
  EXPECT_TRUE(same((p - Vec<3>(0, 0, 3)).norm(), 3));
}

TEST(places, are_points_of_bodies_at_the_start) {
  const Study s = placed(square +
                         "[bodies]\nrod = {through = ['A', 'C'], mass = 3}\n"
                         "[joints]\nA = {type = 'revolute', bodies = ['ground', 'rod'], i = 'A', j = 'A'}\n"
                         "[forces]\nf = {type = 'force', body = 'rod', at = 'C', force = [1, 0]}\n"
                         "[points]\nC = {body = 'rod', at = 'C'}\n");
  const AnyJoint& pin = *s.mechanism.joints[0].what;
  EXPECT_TRUE(same(pin.i().at, {2, 0, 0}));
  EXPECT_TRUE(same(pin.j().at, {-std::sqrt(2.0), 0, 0}));
  EXPECT_TRUE(same(s.mechanism.points[0].marker.at, {std::sqrt(2.0), 0, 0}));
  EXPECT_TRUE(same(s.mechanism.forces[0].what->j().at, {std::sqrt(2.0), 0, 0}));
}

std::vector<std::string> joints_of(const Study& s) {
  std::vector<std::string> names;
  for (const auto& j : s.mechanism.joints)
    names.push_back(j.name + ": " + s.mechanism.body_name(j.what->i().body) + " " +
                    s.mechanism.body_name(j.what->j().body));
  return names;
}
using Names = std::vector<std::string>;

const std::string bars = square +
                         "[bodies]\nground = {through = ['O']}\na = {through = ['O', 'A'], mass = 1}\n"
                         "b = {through = ['A', 'B'], mass = 1}\nc = {through = ['A', 'C'], mass = 1}\n";

TEST(pins, join_the_first_body_to_each_of_the_others) {
  EXPECT_EQ(joints_of(placed(bars + "[joints]\nA = {type = 'revolute', bodies = ['b', 'a', 'c']}\n")),
            (Names{"A_a: b a", "A_c: b c"}));
  EXPECT_EQ(joints_of(placed(bars + "[joints]\npin = {type = 'revolute', bodies = ['a', 'b'], at = 'A'}\n")),
            (Names{"pin: a b"}));
}

TEST(pins, find_the_bodies_that_go_through_their_places) {
  EXPECT_EQ(joints_of(placed(bars + "[joints]\nA = {type = 'revolute'}\n")), (Names{"A_b: a b", "A_c: a c"}));
  EXPECT_EQ(joints_of(placed(bars + "[joints]\npins = {type = 'revolute', at = ['O', 'A']}\n")),
            (Names{"O: ground a", "A_b: a b", "A_c: a c"}));
}

TEST(pins, are_what_drivers_and_settings_know) {
  const Study s = io::read_study_text(bars +
                                          "[joints]\npins = {type = 'revolute', at = ['O', 'A']}\n"
                                          "[drivers]\nm = {type = 'angle', joint = 'A_c', value = '= t'}\n",
                                      "model.toml", std::vector<std::string>{"places.A=[3, 0]"});
  EXPECT_EQ(joints_of(s).back(), "m: a c");
  EXPECT_TRUE(same(body_of(s, "a").start.at, {1.5, 0, 0}));
}

TEST(pins, of_a_place_that_is_not_there_are_misspelt) {
  try {
    io::read_study_text(bars, "model.toml", std::vector<std::string>{"places.Q=[3, 0]"});
    FAIL() << "accepted";
  } catch (const ModelError& e) {
    EXPECT_NE(std::string(e.what()).find("no place named 'Q'"), std::string::npos) << e.what();
  }
}

TEST(shapes_of_bodies, have_mass_and_figure) {
  const Study s =
      placed(square +
             "[bodies]\nw = {shape = 'cylinder', at = 'B', radius = '30 cm', width = '20 cm', density = 900}\n"
             "[look]\nw = {colour = 'red'}\n");
  const RigidBody& w = body_of(s, "w");
  const MassProperties closed = Cylinder{0.3, 0.2}.unit().scaled(900);
  EXPECT_TRUE(same(w.mass, closed.mass));
  EXPECT_TRUE(same(w.inertia(2, 2), closed.inertia(2, 2)));
  EXPECT_TRUE(same(w.start.at, {2, 2, 0}));
  const auto& look = s.looks.at("w");
  ASSERT_TRUE(look.figure);
  EXPECT_EQ(look.colour, "#c2453d");
  for (const Vec<3>& p : look.figure->surfaces.at(0).points) EXPECT_LE(p.head<2>().norm(), 0.3 + 1e-12);
}

TEST(shapes_of_bodies, go_through_places_in_space) {
  const Study s = placed(
      "gravity = [0, 0, -9.81]\n[places]\nP = [1, 2, 3]\nQ = [1, 2, 7]\nR = [1, 5, 3]\n[bodies]\n"
      "b = {shape = 'box', at = 'P', length = 1, width = 2, thickness = 3, density = 2, orientation = {axis = "
      "[0, 0, 1], "
      "angle = '90 deg'}}\n"
      "d = {shape = 'cylinder', through = ['P', 'Q'], radius = 1, mass = 2}\n"
      "t = {through = ['P', 'Q', 'R'], mass = 6}\n");
  const RigidBody &b = body_of(s, "b"), &d = body_of(s, "d"), &t = body_of(s, "t");
  EXPECT_TRUE(same(b.mass, 12));
  EXPECT_TRUE(same(Vec<3>(b.inertia.diagonal()), {13, 10, 5}));  // in body axes, whatever their turn
  EXPECT_TRUE(same(d.start.at, {1, 2, 5}));
  EXPECT_TRUE(same(d.start.turn * Vec<3>::UnitX(), {0, 0, 1}));
  EXPECT_TRUE(same(Vec<3>(d.inertia.diagonal()), {1, 2 * 19 / 12.0, 2 * 19 / 12.0}));
  EXPECT_TRUE(same(t.start.at, {1, 3, 13 / 3.0}));
  EXPECT_TRUE(same(t.start.turn * Vec<3>::UnitX(), {0, 0, 1}));
  EXPECT_TRUE(same(t.start.turn * Vec<3>::UnitZ(), {-1, 0, 0}));
  EXPECT_TRUE(same(t.inertia(2, 2), 6 * (16 + 9) / 18.0));
}

TEST(shapes_of_bodies, add_up) {
  const Study s =
      placed(square +
             "[bodies]\nb = {density = 1, shapes = [\n"
             " {shape = 'box', at = 'O', length = 2, width = 2, thickness = 1},\n"
             " {shape = 'box', at = 'A', length = 2, width = 2, thickness = 1}]}\n"
             "h = {mass = 8, shapes = [\n"
             " {shape = 'box', at = 'O', length = 2, width = 2, thickness = 1},\n"
             " {shape = 'box', at = 'A', length = 2, width = 2, thickness = 1, angle = '90 deg'}]}\n");
  for (const char* name : {"b", "h"}) {
    const RigidBody& b = body_of(s, name);
    EXPECT_TRUE(same(b.mass, 8));
    EXPECT_TRUE(same(b.start.at, {1, 0, 0}));
    EXPECT_TRUE(same(b.inertia(2, 2), 8 * (16 + 4) / 12.0));  // a box of 4 by 2
    EXPECT_EQ(s.looks.at(name).figure->surfaces.size(), 2u);
  }
}

TEST(shapes_of_bodies, stand_where_the_centre_of_mass_is_to_be) {
  const Study s = placed(
      "gravity = [0, 0, 0]\n[bodies]\nc = {shape = 'cone', radius = 1, width = 4, mass = 1, position = [5, 6, "
      "7]}\n");
  EXPECT_TRUE(same(body_of(s, "c").start.at, {5, 6, 7}));
  double low = 1e9, high = -1e9;
  for (const Vec<3>& p : s.looks.at("c").figure->surfaces.at(0).points)
    low = std::min(low, p.z()), high = std::max(high, p.z());
  EXPECT_TRUE(same(low, -1));  // the centre is at a quarter of the height
  EXPECT_TRUE(same(high, 3));
}
}  // namespace
}  // namespace mubody::testing
