// Joints as chains of elementary motions, joints in the plane as joints in space, and joints made of simpler ones.

#include "mubody/joints/cylindrical.h"
#include "mubody/joints/planar.h"
#include "mubody/joints/revolute.h"
#include "mubody/joints/spherical.h"
#include "mubody/joints/translational.h"
#include "mubody/joints/universal.h"
#include "mubody/solvers/assembly.h"
#include "tests/properties/sample.h"
#include "tests/turns.h"

namespace mubody::testing {
namespace {
constexpr unsigned chain_seed = 11;

double value_of(System& s, double t, const VecX& q, const std::string& channel) {
  VecX values(Eigen::Index(s.channels.size()));
  s.observe(t, q, VecX::Zero(s.nu), VecX::Zero(s.nu), VecX::Zero(s.m), values);
  for (std::size_t k = 0; k < s.channels.size(); ++k)
    if (s.channels[k].name == channel) return values[Eigen::Index(k)];
  ADD_FAILURE() << "no channel " << channel;
  return NAN;
}

class Chains : public ::testing::TestWithParam<Kind<JointEntry>> {};

// The motions that a joint allows are free and reported: a body moved by a product of them breaks no equation,
// and the joint reports the amounts.
TEST_P(Chains, allowed_motions_break_nothing_and_are_reported) {
  const auto [kind, dim] = GetParam();
  Random random(chain_seed);
  for (int trial = 0; trial < trials; ++trial) {
    Mechanism m = two_bodies(random, dim);
    auto joint = kind->make();
    randomize(*joint, random, 0, dim);
    Pose moved = m.start_of(joint->i());
    std::vector<double> amounts;
    for (const Elementary motion : joint->allow()) {
      amounts.push_back(random(-1.3, 1.3));
      moved = moved * moved_by(motion, amounts.back());
    }
    m.bodies[1].start = moved * inverse(pose(joint->j()));
    if (dim == 3) m.bodies[1].start.angle = 0;
    const std::vector<Elementary> motions(joint->allow().begin(), joint->allow().end());
    m.joints.push_back({"joint", {}, Box<AnyJoint>(std::move(joint))});
    m.prepare();
    const auto system = build_system(m);
    VecX q(system->nq), u(system->nu);
    system->start(q, u);
    Terms terms = system->make_terms();
    system->constraints(0, q, u, terms);
    EXPECT_LT(terms.phi.lpNorm<Eigen::Infinity>(), 1e-13);

    const auto turns = std::count_if(motions.begin(), motions.end(), is_turn);
    for (std::size_t k = 0; k < motions.size(); ++k) {
      const auto like = is_turn(motions[k]) ? turns : std::ptrdiff_t(motions.size()) - turns;
      const std::string name = like > 1              ? std::string(name_of(motions[k]))
                               : is_turn(motions[k]) ? "angle"
                                                     : "slide";
      EXPECT_NEAR(value_of(*system, 0, q, "joint." + name), amounts[k], 1e-12) << name;
    }
  }
}

std::vector<Kind<JointEntry>> chains() {
  std::vector<Kind<JointEntry>> all;
  for (const auto& x : all_in_both(joint_kinds()))
    if (!x.kind->make()->allow().empty()) all.push_back(x);
  return all;
}
INSTANTIATE_TEST_SUITE_P(all, Chains, ::testing::ValuesIn(chains()),
                         [](const auto& of) { return name_of(of.param); });

class PlaneInSpace : public ::testing::TestWithParam<const JointEntry*> {};

// The same mechanism in the x-y plane of space: every planar row is found there, on the velocities that exist
// in the plane.
TEST_P(PlaneInSpace, planar_rows_are_found_among_spatial_rows) {
  Random random(chain_seed);
  for (int variant = 0; variant < variants(); ++variant)
    for (int trial = 0; trial < trials; ++trial) {
      Mechanism flat = two_bodies(random, 2);
      auto joint = GetParam()->make();
      const double apart = randomize(*joint, random, variant, 2);
      mesh(flat, *joint, apart);
      auto in_space = joint->clone();
      flat.joints.push_back({"joint", {}, Box<AnyJoint>(std::move(joint))});
      flat.prepare();
      const auto plane = build_system(flat);
      const double t = 0.7;
      VecX q(plane->nq), u = VecX::Zero(plane->nu);
      plane->start(q, u);
      AssemblyRecord moved;
      ASSERT_TRUE(assemble(*plane, {}, {}, t, q, u, moved)) << moved.violation_after;
      Terms terms = plane->make_terms();
      plane->constraints(t, q, u, terms);
      const MatX rows = plane->structure.full(terms.D);

      Mechanism deep = flat;
      deep.dim = 3;
      deep.joints.clear();
      if (!GetParam()->in(3) || (GetParam()->info.name == "coordinate" && variant == 2)) continue;  // an angle
      deep.joints.push_back({"joint", {}, Box<AnyJoint>(std::move(in_space))});
      for (auto& b : deep.bodies) b.start.angle = 0;
      deep.prepare();
      const auto space = build_system(deep);
      VecX Q(space->nq);
      for (int b = 0; b < 2; ++b) {
        const Quaternion p = turn_about_z(q[3 * b + 2]);
        Q.segment<7>(7 * b) << q[3 * b], q[3 * b + 1], 0, p.w(), p.x(), p.y(), p.z();
      }
      Terms deep_terms = space->make_terms();
      space->constraints(t, Q, VecX::Zero(12), deep_terms);
      const MatX D = space->structure.full(deep_terms.D);
      MatX seen(D.rows(), 6);
      seen << D.col(0), D.col(1), D.col(5), D.col(6), D.col(7), D.col(11);
      for (Eigen::Index r = 0; r < rows.rows(); ++r) {
        double nearest = INFINITY;
        for (Eigen::Index k = 0; k < seen.rows(); ++k)
          nearest = std::min({nearest, (seen.row(k) - rows.row(r)).norm(), (seen.row(k) + rows.row(r)).norm()});
        EXPECT_LT(nearest, 1e-10) << "row " << r;
      }
    }
}

std::vector<const JointEntry*> both() {
  std::vector<const JointEntry*> all;
  for (const JointEntry& e : joint_kinds())
    if (e.in(2) && e.in(3)) all.push_back(&e);
  return all;
}
INSTANTIATE_TEST_SUITE_P(all, PlaneInSpace, ::testing::ValuesIn(both()),
                         [](const auto& of) { return std::string(of.param->info.name); });

// Compositions ----------------------------------------------------------------------------------------------

RigidBody placed(const std::string& name, const Pose& at) {
  RigidBody b;
  b.name = name;
  b.mass = 1;
  b.inertia = Eigen::Matrix3d::Identity();
  b.start = at;
  return b;
}

// A basis of the velocities that the last body of a mechanism can have.
MatX freedoms_of_last(Mechanism m) {
  m.dim = 3;
  m.prepare();
  const auto system = build_system(m);
  VecX q(system->nq), u(system->nu);
  system->start(q, u);
  Terms terms = system->make_terms();
  system->constraints(0, q, u, terms);
  EXPECT_LT(terms.phi.lpNorm<Eigen::Infinity>(), 1e-13);
  const MatX D = system->structure.full(terms.D);
  return null_space(D, 1e-9).bottomRows(6);
}

void expect_same_space(const MatX& A, const MatX& B, int dimension) {
  const auto rank = [](const MatX& M) { return int(PivotedQr(M, 1e-9).rank()); };
  MatX together(6, A.cols() + B.cols());
  together << A, B;
  EXPECT_EQ(rank(A), dimension);
  EXPECT_EQ(rank(B), dimension);
  EXPECT_EQ(rank(together), dimension);
}

// The simple joint that leaves one elementary motion, between markers at the origins of two bodies.
void add_simple(Mechanism& m, const std::string& name, Elementary motion, Marker i, Marker j) {
  const Vec<3> from = is_turn(motion) ? Vec<3>::UnitZ() : Vec<3>::UnitX();  // the axis of a pin, of a guide
  const Quaternion turn = turn_between(from, Vec<3>::Unit(int(motion) % 3));
  i.turn = i.turn * turn;
  j.turn = j.turn * turn;
  const auto add = [&](auto joint) {
    joint.i = i, joint.j = j;
    m.add_joint(name, joint);
  };
  is_turn(motion) ? add(Revolute{}) : add(Translational{});
}

// A joint leaves the same freedoms as a series of simple joints, one for each of its allowed motions.
template <class Whole> void expect_composition() {
  Random random(chain_seed);
  for (int trial = 0; trial < trials; ++trial) {
    const Pose base{Vec<3>(random(), random(), random()), random_turn(random, 3), 0};
    const Marker foot{ground, base.at, base.turn};
    Mechanism whole, parts;
    Pose at = base;
    Marker before = foot;
    for (const Elementary motion : Whole::allow) {
      at = at * moved_by(motion, random());
      const int body = int(parts.bodies.size()) + 1;
      parts.bodies.push_back(placed("part" + std::to_string(body), at));
      const Marker here{body, Vec<3>::Zero(), Quaternion::Identity()};
      add_simple(parts, "joint" + std::to_string(body), motion, before, here);
      before = here;
    }
    whole.bodies = {placed("end", at)};
    Whole joint;
    joint.i = foot, joint.j = {1, Vec<3>::Zero(), Quaternion::Identity()};
    whole.add_joint("whole", joint);
    expect_same_space(freedoms_of_last(whole), freedoms_of_last(parts), int(Whole::allow.size()));
  }
}

TEST(compositions, a_cylindrical_joint_is_a_turn_and_a_slide) { expect_composition<Cylindrical>(); }
TEST(compositions, a_universal_joint_is_two_turns) { expect_composition<Universal>(); }
TEST(compositions, a_ball_is_a_gimbal_of_three_pins) { expect_composition<Spherical>(); }
TEST(compositions, a_planar_joint_is_two_slides_and_a_turn) { expect_composition<Planar>(); }
}  // namespace
}  // namespace mubody::testing
