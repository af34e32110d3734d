// Spatial models, and what the reader returns for them.
#include <cmath>

#include <gtest/gtest.h>

#include "mubody/math/dense.h"
#include "mubody/reading/orientation.h"
#include "mubody/reading/read_model.h"
#include "mubody/text/toml.h"
#include "tests/io/models.h"
#include "tests/near.h"
#include "tests/reference.h"

namespace mubody::testing {
namespace {
using Matrix = Eigen::Matrix3d;

Study read_spatial(const std::string& text) {
  return io::read_study_text(text, MUBODY_SOURCE_DIR "/tests/broken/text.toml");
}

const AnyJoint& joint(const Study& s, std::string_view name) {
  for (const auto& j : s.mechanism.joints)
    if (j.name == name) return *j.what;
  throw std::logic_error("no such joint");
}

Matrix turn(const std::string& orientation) {
  const io::Node table = io::parse_toml(orientation, "");
  io::Known known;
  known.dim = 3;
  return io::read_orientation(table, io::Scope("orientation"), known)->toRotationMatrix();
}

Matrix about(int axis, double angle) { return Eigen::AngleAxisd(angle, Vec<3>::Unit(axis)).toRotationMatrix(); }

// The frames of both markers at the start, in global axes.
struct Frames {
  Pose i, j;
  Vec<3> axis_i(int k) const { return i.turn * Vec<3>::Unit(k); }
  Vec<3> axis_j(int k) const { return j.turn * Vec<3>::Unit(k); }
};
Frames frames(const Study& s, std::string_view name) {
  return {s.mechanism.start_of(joint(s, name).i()), s.mechanism.start_of(joint(s, name).j())};
}
void expect_same(const Frames& f) {
  EXPECT_LT((f.i.at - f.j.at).norm(), 1e-14);
  EXPECT_LT((f.i.turn.toRotationMatrix() - f.j.turn.toRotationMatrix()).norm(), 1e-14);
}

// Two bodies with general orientations, and a joint between them.
Study with_joint(const std::string& rest) {
  return read_spatial(
      "gravity = [0, 0, -9.81]\n[bodies]\n"
      "a = {position = [1, 2, 3], orientation = {sequence = 'zxz', angles = ['20 deg', '50 deg', '-70 deg']}}\n"
      "b = {position = [-1, 0, 2], orientation = {axis = [1, 1, 0], angle = '100 deg'}}\n"
      "[joints]\nJ = {bodies = ['a', 'b'], " +
      rest + "}\n");
}

TEST(dimension, is_that_of_gravity_or_of_the_first_position) {
  EXPECT_EQ(read_spatial("gravity = [0, 0, 0]\nbodies.a = {}").mechanism.dim, 3);
  EXPECT_EQ(read_spatial("gravity = [0, 0]\nbodies.a = {}").mechanism.dim, 2);
  EXPECT_EQ(read_spatial("bodies.a = {}").mechanism.dim, 2);
  EXPECT_EQ(read_spatial("bodies.a = {position = [0, 0, 0]}").mechanism.dim, 3);
  EXPECT_EQ(read_spatial("bodies.b = {}\nbodies.a = {position = [0, 0, 0]}").mechanism.dim, 3);
  EXPECT_EQ(read_spatial("gravity = [0, 1, 2]\nbodies.a = {}").mechanism.gravity, Vec<3>(0, 1, 2));
}

TEST(orientation, forms_agree) {
  const Matrix wanted = about(2, pi / 6);
  for (const char* text :
       {"quaternion = ['= 3*cos(pi/12)', 0, 0, '= 3*sin(pi/12)']", "axis = [0, 0, 5]\nangle = '30 deg'",
        "sequence = 'z'\nangles = ['30 deg']", "sequence = 'zxz'\nangles = ['10 deg', 0, '20 deg']",
        "x = ['= cos(pi/6)', '= sin(pi/6)', 0]\ny = [0, 1, 0]", "z = [0, 0, 1]\nx = ['= sqrt(3)', 1, 7]",
        "y = ['= -sin(pi/6)', '= cos(pi/6)', 0]\nz = ['= -sin(pi/6)', '= cos(pi/6)', 1]",
        "sequence = 'xz'\nangles = [0, '30 deg']\naxes = 'fixed'"})
    EXPECT_LT((turn(text) - wanted).norm(), 1e-15) << text;
}

TEST(orientation, sequences_turn_about_body_or_fixed_axes) {
  const double a = 0.3, b = -0.8, c = 2.1;
  const std::string angles = "angles = [0.3, -0.8, 2.1]\n";
  EXPECT_LT((turn("sequence = 'zxz'\n" + angles) - about(2, a) * about(0, b) * about(2, c)).norm(), 1e-15);
  EXPECT_LT(
      (turn("sequence = 'xyz'\naxes = 'body'\n" + angles) - about(0, a) * about(1, b) * about(2, c)).norm(),
      1e-15);
  EXPECT_LT(
      (turn("sequence = 'xyz'\naxes = 'fixed'\n" + angles) - about(2, c) * about(1, b) * about(0, a)).norm(),
      1e-15);
}

TEST(orientation, first_direction_is_exact) {
  const Matrix R = turn("z = [1, 2, 2]\nx = [1, 0, 0]");
  EXPECT_LT((R.col(2) - Vec<3>(1, 2, 2) / 3).norm(), 1e-15);
  EXPECT_TRUE(same(R.col(0).dot(R.col(2)), 0, 1));
  EXPECT_TRUE(same(R.determinant(), 1, 1));
  EXPECT_GT(R(0, 0), 0.9);
  const Matrix other = turn("x = [1, 0, 0]\nz = [1, 2, 2]");
  EXPECT_LT((other.col(0) - Vec<3>(1, 0, 0)).norm(), 1e-15);
}

TEST(spatial_body, everything) {
  const Study s = read_spatial(
      "gravity = [0, 0, '-9.81 m/s^2']\n[bodies.b]\nmass = 2\ninertia = [1, 2, '2.5 kg m^2']\n"
      "position = ['10 cm', 2, 3]\norientation = {quaternion = [0, 0, 0, 2]}\nvelocity = [4, 5, 6]\n"
      "omega_global = [1, '60 rpm', 3]\n");
  const RigidBody& b = s.mechanism.bodies.at(0);
  EXPECT_EQ(b.inertia, Matrix(Vec<3>(1, 2, 2.5).asDiagonal()));
  EXPECT_EQ(b.start.at, Vec<3>(0.1, 2, 3));
  EXPECT_EQ(b.start.turn.coeffs(), Quaternion(0, 0, 0, 1).coeffs());
  EXPECT_EQ(b.start.angle, 0);
  EXPECT_EQ(b.velocity, Vec<3>(4, 5, 6));
  // Half a turn about z.
  EXPECT_TRUE(same(b.omega, Vec<3>(-1, -2 * pi, 3), 1));
  EXPECT_EQ(read_spatial("gravity = [0, 0, 0]\nbodies.b = {omega = [1, 2, 3]}").mechanism.bodies[0].omega,
            Vec<3>(1, 2, 3));
}

TEST(spatial_body, inertia_is_shifted_by_the_parallel_axis_theorem) {
  // A cuboid 1 x 2 x 3 m of 6 kg about its corner at (-0.5, -1, -1.5), in axes parallel to its edges:
  // Ixx = m (b² + c²)/3 = 26, Iyy = m (a² + c²)/3 = 20, Izz = m (a² + b²)/3 = 10, Ixy = -m ab/4 = -3, Ixz = -4.5,
  // Iyz = -9.  About the centre m (b² + c²)/12 = 6.5, 5 and 2.5.
  const std::string matrix = "inertia = [[26, -3, -4.5], [-3, 20, -9], [-4.5, -9, 10]]";
  const Matrix central = Vec<3>(6.5, 5, 2.5).asDiagonal();
  const auto inertia = [&](const std::string& body) {
    return read_spatial("gravity = [0, 0, 0]\nbodies.b = {mass = 6, " + body + "}").mechanism.bodies[0].inertia;
  };
  EXPECT_LT((inertia(matrix + ", inertia_frame = {at = [-0.5, -1, -1.5]}") - central).norm(), 1e-14);
  // The same cuboid with the long edge along x of the body: x of the frame is y of the body, y is z, z is x.
  EXPECT_LT((inertia(matrix + ", inertia_frame = {at = [-1.5, -0.5, -1], x = [0, 1, 0], y = [0, 0, 1]}") -
             Matrix(Vec<3>(2.5, 6.5, 5).asDiagonal()))
                .norm(),
            1e-14);
  EXPECT_LT((inertia("inertia = [6.5, 5, 2.5], inertia_frame = {axis = [0, 0, 1], angle = '90 deg'}") -
             Matrix(Vec<3>(5, 6.5, 2.5).asDiagonal()))
                .norm(),
            1e-14);
}

TEST(spatial_body, thin_bodies_exist) {
  const auto inertia = [](const std::string& body) {
    return read_spatial("gravity = [0, 0, 0]\nbodies.b = {" + body + "}").mechanism.bodies[0].inertia;
  };
  EXPECT_EQ(inertia("mass = 1").norm(), 0);
  EXPECT_EQ(inertia("mass = 1, inertia = [0, 1, 1]"), Matrix(Vec<3>(0, 1, 1).asDiagonal()));
  EXPECT_EQ(inertia("inertia = [0.333, 0.333, 0.667]")(2, 2), 0.667);  // a plate, to three digits
  // A particle and a rod about a point elsewhere; the zeros are exact up to rounding, and never negative.
  for (const char* body :
       {"mass = 0.7, inertia = [0.063, 0, 0.063], inertia_frame = {at = [0, 0.3, 0]}",
        "mass = 3, inertia = [0, 1, 1], inertia_frame = {at = [0.1, 0, 0], axis = [1, 2, 3], angle = 0.0}",
        "mass = 3, inertia = [0, 1, 1], inertia_frame = {axis = [1, 2, 3], angle = 0.7}"}) {
    const SymmetricEigen3 solver = symmetric_eigen3(inertia(body));
    EXPECT_TRUE(same(solver.values[0], 0, 1)) << body;
    EXPECT_GE(inertia(body).diagonal().minCoeff(), 0) << body;
  }
}

TEST(spatial_markers, pins_have_their_axis_along_z) {
  for (const char* place : {"at = [1, 0, 1], axis = [0, 3, 4]", "at = [1, 0, 1], to = [1, 0.3, 1.4]"}) {
    const Frames f = frames(with_joint(std::string("type = 'revolute', ") + place), "J");
    expect_same(f);
    EXPECT_TRUE(same(f.i.at, Vec<3>(1, 0, 1), 1));
    EXPECT_LT((f.axis_i(2) - Vec<3>(0, 0.6, 0.8)).norm(), 1e-14);
    EXPECT_LT((f.axis_i(0) - Vec<3>(1, 0, 0)).norm(), 1e-14);  // the global axis that is least aligned
  }
  const Frames across =
      frames(with_joint("type = 'revolute', at = [0, 0, 0], axis = [0, 0, 1], across = [1, 1, 5]"), "J");
  expect_same(across);
  EXPECT_LT((across.axis_j(0) - Vec<3>(1, 1, 0) / std::sqrt(2)).norm(), 1e-14);
}

TEST(spatial_markers, lines_have_their_axis_along_x) {
  const Frames f =
      frames(with_joint("type = 'translational', at = [0, 1, 0], axis = [0, 0, 2], across = [0, -1, 3]"), "J");
  expect_same(f);
  EXPECT_LT((f.axis_i(0) - Vec<3>(0, 0, 1)).norm(), 1e-14);
  EXPECT_LT((f.axis_i(1) - Vec<3>(0, -1, 0)).norm(), 1e-14);
}

TEST(spatial_markers, direction_of_one_body_holds_for_the_other) {
  for (const char* place :
       {"i = {at = [1, 0, 0], axis = [1, 2, 3]}, j = [0, 0, 0]", "i = [0, 0, 0], j = {axis = [0, 0, -1]}",
        "j = {at = [0, 1, 0], axis = [0, 0, 1], across = [1, 0, 0]}"})
    for (const char* type :
         {"type = 'revolute', ", "type = 'translational', ", "type = 'fixed', ", "type = 'spherical', "}) {
      Frames f = frames(with_joint(std::string(type) + place), "J");
      f.i.at = f.j.at;
      expect_same(f);
    }
  const Study s = with_joint("type = 'revolute', i = {at = [1, 0, 0], axis = [0, 3, 0]}");
  EXPECT_LT((joint(s, "J").i().turn * Vec<3>::UnitZ() - Vec<3>(0, 1, 0)).norm(), 1e-14);
  EXPECT_EQ(joint(s, "J").i().at, Vec<3>(1, 0, 0));
}

TEST(spatial_markers, equal_axes_give_equal_frames) {
  // The same global axis in the axes of either body, so that rounding differs.
  const Study s = with_joint("type = 'revolute', at = [0, 0, 0], axis = [0, 0, 1]");
  const Vec<3> i = joint(s, "J").i().turn * Vec<3>::UnitZ(), j = joint(s, "J").j().turn * Vec<3>::UnitZ();
  char text[300];
  std::snprintf(text, sizeof text,
                "type = 'revolute', i = {axis = [%.17g, %.17g, %.17g]}, j = {axis = [%.17g, %.17g, %.17g]}",
                i.x(), i.y(), i.z(), j.x(), j.y(), j.z());
  Frames f = frames(with_joint(text), "J");
  f.i.at = f.j.at;
  expect_same(f);
}

TEST(spatial_markers, without_directions) {
  for (const char* place : {"at = [1, 2, 3]", "i = [0, 0, 0]"}) {
    const Frames f = frames(with_joint(std::string("type = 'spherical', ") + place), "J");
    EXPECT_LT((f.i.turn.toRotationMatrix() - Matrix::Identity()).norm(), 1e-14);
    EXPECT_LT((f.j.turn.toRotationMatrix() - Matrix::Identity()).norm(), 1e-14);
  }
  const Frames f = frames(with_joint("type = 'fixed'"), "J");
  expect_same(f);
  EXPECT_LT((f.i.turn.toRotationMatrix() - Matrix::Identity()).norm(), 1e-14);
  const Study local = with_joint("type = 'fixed', i = [0, 0, 0]");
  EXPECT_TRUE(joint(local, "J").i().turn.isApprox(Quaternion::Identity()));
  EXPECT_TRUE(joint(local, "J").j().turn.isApprox(Quaternion::Identity()));
}

TEST(spatial_markers, crosses_have_an_axis_in_each_body) {
  const Frames f =
      frames(with_joint("type = 'universal', at = [0, 0, 0], axis = [0, 1, 0], across = [1, 0.001, 0]"), "J");
  expect_same(f);
  EXPECT_LT((f.axis_i(2) - Vec<3>(0, 1, 0)).norm(), 1e-14);
  EXPECT_LT((f.axis_j(0) - Vec<3>(1, 0, 0)).norm(), 1e-14);
  // Each pin is given in its own body, and both are kept.
  const Study s = with_joint("type = 'universal', i = {axis = [0, 0, 1]}, j = {across = [0, 1, 0]}");
  EXPECT_LT((joint(s, "J").i().turn * Vec<3>::UnitZ() - Vec<3>(0, 0, 1)).norm(), 1e-14);
  EXPECT_LT((joint(s, "J").j().turn * Vec<3>::UnitX() - Vec<3>(0, 1, 0)).norm(), 1e-14);
}

TEST(spatial_markers, on_one_body) {
  const Study s = read_spatial(
      "gravity = [0, 0, 0]\nbodies.a = {position = [1, 2, 3], orientation = {axis = [1, 0, 0], angle = '90 "
      "deg'}}\n"
      "forces.M = {type = 'moment', body = 'a', at = [1, 0, 0], axis = [0, 1, 0], moment = 1}\n");
  const AnyForce& M = *s.mechanism.forces[0].what;
  EXPECT_LT((M.j().turn * Vec<3>::UnitZ() - Vec<3>(0, 1, 0)).norm(), 1e-15);
  EXPECT_EQ(M.i().body, ground);
  EXPECT_LT((M.i().turn * Vec<3>::UnitZ() - Vec<3>(0, 0, 1)).norm(), 1e-15);
  EXPECT_TRUE(same(M.i().at, Vec<3>(2, 2, 3), 1));
}

TEST(markers_of_a_joint, are_taken_in_plane_and_space) {
  for (const char* place : {"at = [1, 0, 1], axis = [0, 3, 4]", "at = [1, 0]"}) {
    const bool space = std::string_view(place).find("axis") != std::string_view::npos;
    const Study s = read_spatial(std::string(space ? "gravity = [0, 0, 0]\n" : "gravity = [0, 0]\n") +
                                 "bodies.a = {}\n"
                                 "drivers.motor = {type = 'angle', joint = 'A', value = '= t'}\n"
                                 "forces.M = {type = 'moment', joint = 'A', moment = 1}\n"
                                 "joints.A = {type = 'revolute', bodies = ['ground', 'a'], " +
                                 place + "}\n");
    ASSERT_EQ(s.mechanism.joints.size(), 2u);
    EXPECT_EQ(s.mechanism.joints[0].name, "motor");  // the order of the file
    const AnyJoint& A = joint(s, "A");
    const auto same = [](const Marker& a, const Marker& b) {
      return a.body == b.body && a.at == b.at && a.turn.coeffs() == b.turn.coeffs();
    };
    EXPECT_TRUE(same(joint(s, "motor").i(), A.i()));
    EXPECT_TRUE(same(joint(s, "motor").j(), A.j()));
    EXPECT_TRUE(same(s.mechanism.forces[0].what->i(), A.i()));
    EXPECT_TRUE(same(s.mechanism.forces[0].what->j(), A.j()));
  }
}

TEST(spatial_model, state_in_formulas) {
  const Study s = read_spatial(
      "gravity = [0, 0, 0]\nbodies.a = {}\npoints.P = {body = 'a', at = [1, 2, 3]}\n"
      "forces.F = {type = 'force', body = 'a', force = ['= -a.wx + P.vz', '= a.e0*a.z', '= a.vz']}\n"
      "analysis.hold = ['a.x', 'a.orientation', 'a.wz']\n");
  EXPECT_EQ(s.mechanism.points[0].marker.at, Vec<3>(1, 2, 3));
  EXPECT_EQ(s.analysis.assembly.hold.size(), 3u);
}

TEST(spatial_model, good_model_is_read) {
  const Study s = read_spatial(std::string(testing_models::spatial));
  EXPECT_EQ(s.mechanism.dim, 3);
  EXPECT_EQ(s.mechanism.joints.size(), 5u);
}
}  // namespace
}  // namespace mubody::testing
