// What a joint does to its two bodies, against what is known of the device: forces act along the lines, and couples about
// the axes, in which its parts touch.  Every kind of joint is described here once, independently of its equations.
#include <set>

#include <gtest/gtest.h>

#include "mubody/joints/angle.h"
#include "mubody/joints/constant_velocity.h"
#include "mubody/joints/coordinate.h"
#include "mubody/joints/coupler.h"
#include "mubody/joints/curve_on_curve.h"
#include "mubody/joints/curves/circular_arc.h"
#include "mubody/joints/curves/straight_line.h"
#include "mubody/joints/cylindrical.h"
#include "mubody/joints/distance.h"
#include "mubody/joints/fixed.h"
#include "mubody/joints/flat_on_curve.h"
#include "mubody/joints/gear.h"
#include "mubody/joints/knife_edge.h"
#include "mubody/joints/orientation.h"
#include "mubody/joints/parallel.h"
#include "mubody/joints/perpendicular.h"
#include "mubody/joints/planar.h"
#include "mubody/joints/point_on_curve.h"
#include "mubody/joints/point_on_plane.h"
#include "mubody/joints/rack.h"
#include "mubody/joints/revolute.h"
#include "mubody/joints/revolute_spherical.h"
#include "mubody/joints/rolling.h"
#include "mubody/joints/screw.h"
#include "mubody/joints/slide.h"
#include "mubody/joints/slot.h"
#include "mubody/joints/spherical.h"
#include "mubody/joints/translational.h"
#include "mubody/joints/universal.h"
#include "tests/properties/sample.h"

namespace mubody::testing {
namespace {
const Vec<3> X = Vec<3>::UnitX(), Y = Vec<3>::UnitY(), Z = Vec<3>::UnitZ(), O = Vec<3>::Zero();

/// Force and moment about the origin of marker i, in the axes of marker i.
using Load = Eigen::Matrix<double, 6, 1>;
Load force(const Vec<3>& along, const Vec<3>& at) {
  Load w;
  w << along, at.cross(along);
  return w;
}
Load couple(const Vec<3>& axis) {
  Load w;
  w << O, axis;
  return w;
}
Quaternion turn(const Vec<3>& axis, double angle) { return Quaternion(Eigen::AngleAxisd(angle, axis)); }
Pose at(const Vec<3>& place, const Quaternion& turned = Quaternion::Identity()) {
  return {place, turned, angle_about_z(turned)};
}

/// The first body: a coordinate is measured from the ground.
template <class J> constexpr int first_of = std::is_same_v<J, Coordinate> ? ground : 1;

/// A joint between two bodies in a random place.
class TwoBodies {
 public:
  /// `j` is the place of marker j as seen from marker i.
  template <class J> TwoBodies(J joint, int dim, const Pose& j, Random& random) : m_(two_bodies(random, dim)) {
    const auto anywhere = [&] { return Vec<3>(random(), random(), dim == 2 ? 0 : random()); };
    joint.i.body = first_of<J>;
    joint.j.body = 2;
    if (joint.i.body != ground) joint.i.at = anywhere(), joint.i.turn = random_turn(random, dim);
    joint.j.at = anywhere(), joint.j.turn = random_turn(random, dim);
    i_ = m_.start_of(joint.i);
    RigidBody& b = m_.bodies[1];
    b.start = i_ * j * inverse(pose(joint.j));
    if (dim == 2) b.start.turn = turn_about_z(b.start.angle);
    m_.add_joint("it", joint);
    m_.prepare();
    j_ = m_.start_of(joint.j);
    system_ = build_system(m_);
    q_ = VecX::Zero(system_->nq), u_ = VecX::Zero(system_->nu);
    system_->start(q_, u_);
  }
  int equations() const { return system_->m; }
  double violation() {
    Terms terms = system_->make_terms();
    system_->constraints(0, q_, u_, terms);
    return terms.phi.norm();
  }
  /// The load on one of the bodies, for a multiplier of one in one of the equations.
  Load on(int body, int equation) {
    VecX values(Eigen::Index(system_->channels.size()));
    system_->observe(0, q_, u_, VecX::Zero(system_->nu), VecX::Unit(system_->m, equation), values);
    const auto value = [&](const std::string& what) {
      for (std::size_t k = 0; k < system_->channels.size(); ++k)
        if (system_->channels[k].name == "it.on_" + m_.body_name(body) + what) return values[Eigen::Index(k)];
      return 0.0;  // the plane has no such component
    };
    const Vec<3> F(value(".fx"), value(".fy"), value(".fz"));
    const Vec<3> M(value(".mx"), value(".my"), value(m_.dim == 2 ? ".m" : ".mz"));
    const Vec<3> arm = body == 2 ? Vec<3>(j_.at - i_.at) : O;  // moments are about the marker on that body
    const Quaternion back = i_.turn.conjugate();
    Load w;
    w << back * F, back * Vec<3>(M + arm.cross(F));
    return w;
  }

 private:
  Mechanism m_;
  Pose i_, j_;
  std::unique_ptr<System> system_;
  VecX q_, u_;
};

using KindNames = std::set<std::string_view>;

/// The loads that the joint gives to body j are all combinations of `carried`, and body i gets the opposite.
template <class J>
void expect_carried(KindNames& seen, const J& joint, int dim, const Pose& j, const std::vector<Load>& carried) {
  const std::string what = std::string(J::info.name) + (dim == 2 ? " in the plane" : " in space");
  seen.insert(J::info.name);
  Random random(77);
  for (int trial = 0; trial < 5; ++trial) {
    TwoBodies two(joint, dim, j, random);
    EXPECT_LT(two.violation(), 1e-12) << what;
    const int n = two.equations();
    ASSERT_EQ(n, int(carried.size())) << what;
    MatX known(6, n), given(6, n);
    for (int k = 0; k < n; ++k) {
      known.col(k) = carried[std::size_t(k)];
      given.col(k) = two.on(2, k);
      EXPECT_LT((two.on(first_of<J>, k) + given.col(k)).norm(), 1e-10) << what;
    }
    EXPECT_EQ(PivotedQr(given, 1e-9).rank(), n) << what;
    const MatX missing = given - product(known, LeastSquares(known, 1e-12).solve(given));
    EXPECT_LT(missing.lpNorm<Eigen::Infinity>(), 1e-11) << what << "\n" << given;
  }
}

void loads_of_pins_and_balls_goes_through_their_centre(KindNames& seen) {
  expect_carried(seen, Revolute{}, 2, at(O, turn(Z, 0.7)), {force(X, O), force(Y, O)});
  expect_carried(seen, Revolute{}, 3, at(O, turn(Z, 0.7)),
                 {force(X, O), force(Y, O), force(Z, O), couple(X), couple(Y)});
  expect_carried(seen, Spherical{}, 3, at(O, Quaternion(0.5, 0.5, -0.5, 0.5)),
                 {force(X, O), force(Y, O), force(Z, O)});
  const Quaternion bent = turn(Z, 0.4) * turn(X, 0.9);
  expect_carried(seen, Universal{}, 3, at(O, bent),
                 {force(X, O), force(Y, O), force(Z, O), couple(Z.cross(bent * X))});
  // Seen from the plane that halves the bend, a homokinetic joint is symmetric.
  const Quaternion bend = turn(Vec<3>(0.6, 0.8, 0), 0.8);
  expect_carried(seen, ConstantVelocity{}, 3, at(O, bend),
                 {force(X, O), force(Y, O), force(Z, O), couple(Z + bend * Z)});
}

void loads_of_guides_is_across_the_way_that_is_free(KindNames& seen) {
  const Vec<3> s = 0.8 * X;
  expect_carried(seen, Translational{}, 2, at(s), {force(Y, s), couple(Z)});
  expect_carried(seen, Translational{}, 3, at(s), {force(Y, s), force(Z, s), couple(X), couple(Y), couple(Z)});
  expect_carried(seen, Slot{}, 2, at(s, turn(Z, 1.1)), {force(Y, s)});
  expect_carried(seen, Slot{}, 3, at(s, Quaternion(0.5, 0.5, -0.5, 0.5)), {force(Y, s), force(Z, s)});
  const Vec<3> up = 0.6 * Z;
  expect_carried(seen, Cylindrical{}, 3, at(up, turn(Z, 0.7)),
                 {force(X, up), force(Y, up), couple(X), couple(Y)});
  const Vec<3> aside(0.4, -0.9, 0);
  expect_carried(seen, Planar{}, 3, at(aside, turn(Z, 0.7)), {force(Z, aside), couple(X), couple(Y)});
  expect_carried(seen, PointOnPlane{}, 3, at(aside, Quaternion(0.5, 0.5, -0.5, 0.5)), {force(Z, aside)});
  expect_carried(seen, Fixed{}, 2, at(O), {force(X, O), force(Y, O), couple(Z)});
  expect_carried(seen, Fixed{}, 3, at(O),
                 {force(X, O), force(Y, O), force(Z, O), couple(X), couple(Y), couple(Z)});
}

void loads_of_axes_alone_is_a_couple(KindNames& seen) {
  const Vec<3> anywhere(0.3, -0.4, 0.5);
  expect_carried(seen, Parallel{}, 3, at(anywhere, turn(Z, 0.7)), {couple(X), couple(Y)});
  const Quaternion bent = turn(Z, 0.4) * turn(X, 0.9);
  expect_carried(seen, Perpendicular{}, 3, at(anywhere, bent), {couple(Z.cross(bent * X))});
  Orientation three;
  three.angles = {Function(0.3), Function(-0.5), Function(0.7)};
  expect_carried(seen, three, 3, at(anywhere, turn(Z, 0.3) * turn(Y, -0.5) * turn(X, 0.7)),
                 {couple(X), couple(Y), couple(Z)});
}

void loads_of_links_is_along_them(KindNames& seen) {
  const Vec<3> d(0.3, -0.4, 0.5), flat(0.3, -0.4, 0);
  expect_carried(seen, Distance{}, 2, at(flat, turn(Z, 0.2)), {force(flat, O)});
  expect_carried(seen, Distance{}, 3, at(d, turn(Z, 0.2)), {force(d, O)});
  // The ball of the link carries what its pin does not let go: along the link, and along the pin.
  expect_carried(seen, RevoluteSpherical{}, 3, at(d, Quaternion(0.5, 0.5, -0.5, 0.5)),
                 {force(d, d), force(Z, d)});
}

void loads_of_motors_is_that_of_their_shaft_or_rod(KindNames& seen) {
  const Vec<3> d(0.3, -0.4, 0.5), flat(0.3, -0.4, 0);
  expect_carried(seen, Angle{}, 2, at(flat, turn(Z, 0.7)), {couple(Z)});
  expect_carried(seen, Angle{}, 3, at(d, turn(Z, 0.7)), {couple(Z)});
  expect_carried(seen, Slide{}, 2, at(flat, turn(Z, 0.7)), {force(X, flat)});
  expect_carried(seen, Slide{}, 3, at(d, Quaternion(0.5, 0.5, -0.5, 0.5)), {force(X, d)});
  Coordinate y;
  y.coordinate.index = 1;
  expect_carried(seen, y, 2, at(flat, turn(Z, 0.7)), {force(Y, flat)});
  expect_carried(seen, y, 3, at(d, turn(X, 0.7)), {force(Y, d)});
  Coordinate angle;
  angle.coordinate.index = 3;
  expect_carried(seen, angle, 2, at(flat, turn(Z, 0.7)), {couple(Z)});
}

void loads_of_wheels_acts_where_they_touch(KindNames& seen) {
  // Spur gears and a ring: along the common tangent at the pitch point.
  for (const double r : {0.25, -0.4}) {
    Gear pair;
    pair.radius_i = 0.1, pair.radius_j = r;
    const Vec<3> pitch = 0.1 * X, centre = (0.1 + r) * X;
    expect_carried(seen, pair, 2, at(centre, turn(Z, 0.3)), {force(Y, pitch)});
    expect_carried(seen, pair, 3, at(centre, turn(Z, 0.3)), {force(Y, pitch)});
  }
  // Bevel gears: cones of 0.5 and 0.8 rad with one apex, which touch along a line of length 0.3.
  Gear bevel;
  const double gi = 0.5, gj = 0.8, length = 0.3;
  bevel.radius_i = length * std::sin(gi), bevel.radius_j = length * std::sin(gj);
  const Vec<3> apex = -length * std::cos(gi) * Z;  // from the centre of gear i
  const Quaternion tilt = turn(Y, gi + gj);
  const Vec<3> centre = apex + length * std::cos(gj) * (tilt * Z);
  expect_carried(seen, bevel, 3, at(centre, tilt * turn(Z, 0.3)), {force(Y, bevel.radius_i * X)});
  // A pinion on its rack: along the pitch line.
  Rack rack;
  rack.radius = 0.2;
  const Vec<3> above(0.7, 0.2, 0);
  expect_carried(seen, rack, 2, at(above, turn(Z, 0.3)), {force(X, O)});
  expect_carried(seen, rack, 3, at(above, turn(Z, 0.3)), {force(X, O)});
  // A disc that leans: any force at the point where it touches the plane.
  Rolling disc;
  disc.radius = 0.5;
  const double lean = 0.4;
  const Quaternion attitude = turn(X, -EIGEN_PI / 2 + lean);  // z of the disc is level, then leans
  const Vec<3> axis = attitude * Z, rises = (Z - Z.dot(axis) * axis).normalized();
  const Vec<3> touch(0.3, 0.9, 0), hub = touch + disc.radius * rises;
  expect_carried(seen, disc, 3, at(hub, attitude * turn(Z, 0.6)),
                 {force(X, touch), force(Y, touch), force(Z, touch)});
  // A blade: across it.
  const Vec<3> place(0.3, -0.4, 0);
  expect_carried(seen, KnifeEdge{}, 2, at(place, turn(Z, 0.3)), {force(turn(Z, 0.3) * Y, place)});
  const Quaternion any(0.5, 0.5, -0.5, 0.5);
  expect_carried(seen, KnifeEdge{}, 3, at(place + Z, any), {force(any * Y, place + Z)});
}

void loads_of_a_screw_pushes_as_it_is_turned(KindNames& seen) {
  Screw screw;
  screw.pitch = 0.02;
  const Vec<3> up = 0.6 * Z;
  // Without friction F v + M ω = 0 along the thread: M = −F pitch/2π.
  Load thread = force(Z, O);
  thread.tail<3>() = -screw.pitch / (2 * EIGEN_PI) * Z;
  expect_carried(seen, screw, 3, at(up, turn(Z, 0.3)),
                 {force(X, up), force(Y, up), couple(X), couple(Y), thread});
}

// Circles whose centres are beside their markers: every force is along the line of centres.
void loads_of_curves_act_across_them_where_they_touch(KindNames& seen) {
  const Vec<3> centre(0.2, -0.1, 0), out(0.6, 0.8, 0);
  CircularArc circle;
  circle.centre = centre, circle.radius = 0.5;
  const Vec<3> touch = centre + circle.radius * out;

  PointOnCurve roller;
  roller.curve = BodyCurve(circle), roller.radius = 0.15;
  const Vec<3> hub = touch + roller.radius * out;
  expect_carried(seen, roller, 2, at(hub, turn(Z, 0.7)), {force(out, touch)});
  expect_carried(seen, roller, 3, at(hub, Quaternion(0.5, 0.5, -0.5, 0.5)), {force(out, touch), force(Z, hub)});
  PointOnCurve bead;
  bead.curve = BodyCurve(StraightLine{.from = {0.1, 0.2, 0.3}, .to = {0.7, 1.0, 0.3 + 1}});
  const Vec<3> along = Vec<3>(0.6, 0.8, 1).normalized(), place = Vec<3>(0.1, 0.2, 0.3) + 0.9 * along;
  expect_carried(seen, bead, 3, at(place, turn(Z, 0.7)),
                 {force(along.cross(Z), place), force(along.cross(along.cross(Z)), place)});

  CurveOnCurve discs;
  CircularArc other;
  other.centre << -0.3, 0.05, 0;
  other.radius = 0.25;
  discs.curve_i = BodyCurve(circle), discs.curve_j = BodyCurve(other);
  const Quaternion turned = turn(Z, 1.1);
  expect_carried(seen, discs, 2, at(touch + other.radius * out - turned * other.centre, turned),
                 {force(out, touch)});

  FlatOnCurve face;
  face.curve = BodyCurve(circle);
  const Quaternion lies = turn_between(Y, out);
  expect_carried(seen, face, 2, at(touch + 0.17 * (lies * X), turn(Z, angle_about_z(lies))),
                 {force(out, touch)});
}

// A thread that is one equation beside a cylinder does what the thread of a screw does.
void load_of_a_coupler_is_that_of_its_joints(KindNames& seen) {
  const double lead = 0.02 / (2 * EIGEN_PI);
  seen.insert(Coupler::info.name);
  Random random(77);
  Mechanism m = two_bodies(random, 3);
  const auto anywhere = [&] { return Vec<3>(random(), random(), random()); };
  Cylindrical sleeve;
  sleeve.i = {1, anywhere(), random_turn(random, 3)}, sleeve.j = {2, anywhere(), random_turn(random, 3)};
  const Pose i = m.start_of(sleeve.i);
  m.bodies[1].start = i * at(0.6 * Z, turn(Z, 0.3)) * inverse(pose(sleeve.j));
  m.add_joint("sleeve", sleeve);
  m.add_joint("thread", Coupler().add("sleeve.slide", 1).add("sleeve.angle", -lead));
  m.prepare();
  const auto system = build_system(m);
  VecX q = VecX::Zero(system->nq), u = VecX::Zero(system->nu);
  system->start(q, u);
  Terms terms = system->make_terms();
  system->constraints(0, q, u, terms);
  EXPECT_LT(terms.phi.norm(), 1e-12);
  const MatX D = system->structure.full(terms.D);
  EXPECT_EQ(PivotedQr(D, 1e-9).rank(), 5) << "the thread is not redundant beside its cylinder";
  const VecX row = D.row(system->joints[1].first);
  Load thread = force(Z, O);
  thread.tail<3>() = -lead * Z;
  for (const int body : {1, 2}) {
    const Pose& b = m.bodies[std::size_t(body - 1)].start;
    const Vec<3> F = -row.segment<3>(6 * (body - 1)), M = b.turn * Vec<3>(-row.segment<3>(6 * (body - 1) + 3));
    Load w;
    w << i.turn.conjugate() * F, i.turn.conjugate() * Vec<3>(M + (b.at - i.at).cross(F));
    EXPECT_LT((w - (body == 1 ? 1 : -1) * thread).norm(), 1e-13) << body;
  }
  VecX values(Eigen::Index(system->channels.size()));
  system->observe(0, q, u, u, VecX::Unit(system->m, system->joints[1].first), values);
  for (std::size_t k = 0; k < system->channels.size(); ++k) {
    const std::string& name = system->channels[k].name;
    if (name == "thread.on_sleeve.slide.f") {
      EXPECT_NEAR(values[Eigen::Index(k)], -1, 1e-15);
    } else if (name == "thread.on_sleeve.angle.m") {
      EXPECT_NEAR(values[Eigen::Index(k)], lead, 1e-15);
    }
  }
}

}  // namespace

TEST(wrench, acts_where_the_parts_of_the_joint_touch_for_every_kind) {
  KindNames seen;
  loads_of_pins_and_balls_goes_through_their_centre(seen);
  loads_of_guides_is_across_the_way_that_is_free(seen);
  loads_of_axes_alone_is_a_couple(seen);
  loads_of_links_is_along_them(seen);
  loads_of_motors_is_that_of_their_shaft_or_rod(seen);
  loads_of_wheels_acts_where_they_touch(seen);
  loads_of_a_screw_pushes_as_it_is_turned(seen);
  loads_of_curves_act_across_them_where_they_touch(seen);
  load_of_a_coupler_is_that_of_its_joints(seen);
  for (const JointEntry& kind : joint_kinds()) EXPECT_TRUE(seen.contains(kind.info.name)) << kind.info.name;
}
}  // namespace mubody::testing
