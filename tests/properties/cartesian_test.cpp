// Fully Cartesian coordinates against differences, and against body coordinates, for every kind of joint and force.
#include "mubody/joints/revolute.h"
#include "mubody/solvers/assembly.h"
#include "mubody/system/dynamics.h"
#include "tests/properties/sample.h"

namespace mubody::testing {
namespace {
constexpr int configurations = 10;
constexpr unsigned cartesian_seed = 20190715;

/// One element between two bodies in both kinds of coordinates, at the same instant.
struct Pair {
  Mechanism mechanism;
  std::unique_ptr<System> body, cartesian;
  double t = 0;
  VecX q, u;  // state of the bodies
  VecX Q, U;  // Cartesian

  void build(Mechanism m, Random& random) {
    mechanism = std::move(m);
    mechanism.gravity << 0.3, -1.2, mechanism.dim == 3 ? 0.7 : 0;
    mechanism.prepare();
    body = build_system(mechanism);
    cartesian = build_system(mechanism, Coordinates::cartesian);
    t = random(0, 2);
    q = somewhere(*body, random);
    u = random.vector(body->nu);
    follow();
  }
  /// The Cartesian state is that of the bodies.
  void follow() {
    Q.setZero(cartesian->nq);
    U.setZero(cartesian->nu);
    cartesian->from_bodies(q, u, Q, U);
  }
  /// U = T u
  MatX turning() const {
    MatX T(cartesian->nu, body->nu);
    VecX nowhere = VecX::Zero(cartesian->nq), column = VecX::Zero(cartesian->nu);
    for (int k = 0; k < body->nu; ++k) {
      cartesian->from_bodies(q, VecX::Unit(body->nu, k), nowhere, column);
      T.col(k) = column;
    }
    return T;
  }
  Terms rows(double time, const VecX& where, const VecX& velocity) const {
    Terms terms = cartesian->make_terms();
    cartesian->constraints(time, where, velocity, terms);
    return terms;
  }
};

Pair joint_pair(const Kind<JointEntry>& kind, Random& random, int variant, bool first_is_ground) {
  Mechanism m = two_bodies(random, kind.dim);
  auto joint = kind.kind->make();
  const double apart = randomize(*joint, random, variant, kind.dim);
  if (first_is_ground) joint->i().body = ground;
  mesh(m, *joint, apart);
  m.joints.push_back({"joint", {}, Box<AnyJoint>(std::move(joint))});
  Pair pair;
  pair.build(std::move(m), random);
  return pair;
}

class CartesianJoints : public ::testing::TestWithParam<Kind<JointEntry>> {
 protected:
  template <class Check> void each(Check&& check) {
    Random random(cartesian_seed);
    for (const bool first_is_ground : {false, true})
      for (int variant = 0; variant < variants(); ++variant)
        for (int k = 0; k < configurations; ++k) {
          Pair pair = joint_pair(GetParam(), random, variant, first_is_ground);
          check(pair, random);
        }
  }
};

// The state violates all constraints, including the bodies' own.
TEST_P(CartesianJoints, rows_are_derivatives_of_the_equations) {
  each([](Pair& c, Random& random) {
    System& s = *c.cartesian;
    c.Q += 0.1 * random.vector(s.nq);
    c.U = random.vector(s.nu);
    const Terms now = c.rows(c.t, c.Q, c.U);
    const MatX D = s.structure.full(now.D);
    const JointRows& joint = s.joints[0];
    for (int k = 0; k < s.nu; ++k) {
      const VecX d = h * VecX::Unit(s.nu, k);
      VecX slope = (c.rows(c.t, c.Q + d, c.U).phi - c.rows(c.t, c.Q - d, c.U).phi) / (2 * h) - D.col(k);
      slope.segment(joint.first + joint.count - joint.rolls, joint.rolls).setZero();  // forbid velocities only
      EXPECT_LT(slope.lpNorm<Eigen::Infinity>(), near * uncertain(D)) << "column " << k;
    }
    const VecX with_time = (c.rows(c.t + h, c.Q, c.U).phi - c.rows(c.t - h, c.Q, c.U).phi) / (2 * h);
    EXPECT_LT((D * c.U + with_time - now.rate).lpNorm<Eigen::Infinity>(), near * uncertain(D));
    const VecX change =
        (c.rows(c.t + h, c.Q + h * c.U, c.U).rate - c.rows(c.t - h, c.Q - h * c.U, c.U).rate) / (2 * h);
    EXPECT_LT((change + now.gamma).lpNorm<Eigen::Infinity>(), 5 * near * uncertain(D));
  });
}

// Rows declared constant are so to the last bit; rows declared linear have no second difference.
TEST_P(CartesianJoints, kinds_of_rows_are_what_they_are_said_to_be) {
  each([](Pair& c, Random& random) {
    System& s = *c.cartesian;
    const auto rows = [&](const VecX& where) { return s.structure.full(c.rows(c.t, where, c.U).D); };
    const VecX step = 0.05 * random.vector(s.nq);
    const MatX a = rows(c.Q), b = rows(c.Q + step), d = rows(c.Q + 2 * step);
    const MatX later = s.structure.full(c.rows(c.t + 0.3, c.Q, c.U).D);
    RowKinds found;
    for (int r = 0; r < s.m; ++r) {
      const double second = (a.row(r) - 2 * b.row(r) + d.row(r)).norm();
      if (a.row(r) == b.row(r) && a.row(r) == d.row(r) && a.row(r) == later.row(r))
        ++found.constant;
      else
        ++(second < 1e-12 ? found.linear : found.other);
    }
    EXPECT_EQ(found.constant, s.row_kinds.constant);
    EXPECT_EQ(found.linear, s.row_kinds.linear);
    EXPECT_EQ(found.other, s.row_kinds.other);
    EXPECT_EQ(s.row_kinds.all(), s.m);
  });
}

// On motions of rigid bodies the rows of a joint forbid what they forbid in body coordinates, and those of the bodies
// themselves forbid nothing: they transmit no force.
TEST_P(CartesianJoints, rows_forbid_what_they_forbid_in_body_coordinates) {
  each([](Pair& c, Random&) {
    AssemblyRecord moved;
    VecX still = VecX::Zero(c.body->nu);
    ASSERT_LT((assemble(*c.body, {}, {}, c.t, c.q, still, moved), moved.violation_after), 1e-11);
    c.follow();
    Terms terms = c.body->make_terms();
    c.body->constraints(c.t, c.q, c.u, terms);
    const MatX of_bodies = c.body->structure.full(terms.D);
    const Terms own = c.rows(c.t, c.Q, c.U);
    EXPECT_LT(own.phi.lpNorm<Eigen::Infinity>(), 1e-11 * uncertain(of_bodies));
    const MatX seen = product(c.cartesian->structure.full(own.D), c.turning());
    const int m = c.body->m;
    EXPECT_LT(seen.bottomRows(c.cartesian->m - m).norm(), 1e-14);
    for (int r = 0; r < m; ++r) {
      const double size = of_bodies.row(r).norm(), product = of_bodies.row(r).dot(seen.row(r)) / size;
      EXPECT_NEAR(std::abs(product), seen.row(r).norm(), 1e-9 * uncertain(of_bodies)) << "row " << r;
    }
  });
}

// False if the random start is assembled with axes that point against each other, which is refused.
bool has_same_channels(Pair& c) {
  AssemblyRecord moved;
  const Outcome assembled = assemble(*c.body, {}, {}, c.t, c.q, c.u, moved);
  EXPECT_LT(moved.violation_after, 1e-11);
  if (!assembled) return false;
  c.follow();
  c.cartesian->remember(c.t, c.Q, c.U);
  c.body->remember(c.t, c.q, c.u);
  const auto channels = [&](System& s, const VecX& q, const VecX& u, Energy& energy) {
    Dynamics d(s);
    d.evaluate(c.t, q, u);
    d.solve(d.terms.Q, d.terms.gamma);
    VecX values(Eigen::Index(s.channels.size()));
    s.observe(c.t, q, u, d.a, d.lambda, values);
    energy = s.energy(c.t, q, u);
    return values;
  };
  Energy a, b;
  const VecX one = channels(*c.body, c.q, c.u, a), two = channels(*c.cartesian, c.Q, c.U, b);
  EXPECT_EQ(one.size(), two.size());
  if (one.size() != two.size()) return true;
  const double size = std::max(1.0, one.lpNorm<Eigen::Infinity>());
  for (std::size_t k = 0; k < c.body->channels.size(); ++k) {
    const auto at = Eigen::Index(k);
    EXPECT_EQ(c.body->channels[k].name, c.cartesian->channels[k].name);
    EXPECT_NEAR(one[at], two[at], 1e-10 * size) << c.body->channels[k].name;
  }
  EXPECT_NEAR(a.kinetic, b.kinetic, 1e-12 * std::max(1.0, a.kinetic));
  EXPECT_NEAR(a.potential, b.potential, 1e-12 * size);
  EXPECT_NEAR(a.supplied, b.supplied, 1e-11 * size);
  EXPECT_NEAR(a.lost(), b.lost(), 1e-11 * size);
  return true;
}

// Accelerations, relative coordinates and reactions: everything that results report.
TEST_P(CartesianJoints, results_are_those_of_body_coordinates) {
  int compared = 0;
  each([&](Pair& c, Random&) { compared += has_same_channels(c); });
  EXPECT_GT(compared, configurations);
}

INSTANTIATE_TEST_SUITE_P(all, CartesianJoints, ::testing::ValuesIn(all_in_both(joint_kinds())),
                         [](const auto& test) { return name_of(test.param); });

class CartesianForces : public ::testing::TestWithParam<Kind<ForceEntry>> {
 protected:
  template <class Check> void each(Check&& check) {
    Random random(cartesian_seed);
    for (int variant = 0; variant < variants(); ++variant)
      for (int k = 0; k < configurations; ++k) {
        Mechanism m = two_bodies(random, GetParam().dim);
        auto force = GetParam().kind->make();
        const double apart = randomize(*force, random, variant, GetParam().dim);
        if (force->attach() == Attach::pin) mesh(m, *force, apart);
        m.forces.push_back({"force", {}, Box<AnyForce>(std::move(force))});
        Pair pair;
        pair.build(std::move(m), random);
        for (System* s : {pair.body.get(), pair.cartesian.get()})
          for (std::size_t contact = 0; contact < s->contacts().sites.size(); ++contact)
            s->contacts().set(int(contact), true, 0.7);
        check(pair, random);
      }
  }
};

TEST_P(CartesianForces, results_are_those_of_body_coordinates) {
  each([](Pair& c, Random&) { EXPECT_TRUE(has_same_channels(c)); });
}

INSTANTIATE_TEST_SUITE_P(all, CartesianForces, ::testing::ValuesIn(all_in_both(force_kinds())),
                         [](const auto& test) { return name_of(test.param); });

// Bodies whose second moments vanish in a direction leave unit vectors without mass; their motion follows from
// the bodies' own constraints, and from joints if it is determined at all.
RigidBody with_moments(const std::string& name, double mass, const Vec<3>& second_moments, Random& random) {
  RigidBody b;
  b.name = name;
  b.mass = mass;
  b.start = {Vec<3>(random(), random(), random()), random_turn(random, 3), 0};
  const Vec<3> P = second_moments;
  const Vec<3> J(P.y() + P.z(), P.z() + P.x(), P.x() + P.y());
  const Eigen::Matrix3d R = random_turn(random, 3).toRotationMatrix();
  b.inertia = R * J.asDiagonal() * R.transpose();
  b.velocity = Vec<3>(random(), random(), random());
  b.omega = Vec<3>(random(), random(), random());
  return b;
}

// Thin rods carry no spin of their own: a pin to a heavy body holds it.
TEST(cartesian_bodies, rods_plates_and_point_masses_in_space) {
  const std::vector<Vec<3>> second_moments{{0, 0, 0.3}, {0.1, 0.3, 0}, {0, 0, 0}, {0.2, 0.3, 0.1}};
  for (const Vec<3>& P : second_moments) {
    int compared = 0;
    for (int trial = 0; trial < 4 * configurations; ++trial) {
      Random random(cartesian_seed + unsigned(trial));
      Mechanism m;
      m.dim = 3;
      m.bodies = {with_moments("arm", 1.5, Vec<3>(0.2, 0.3, 0.1), random),
                  with_moments("light", 0.5, P, random)};
      Revolute shoulder;
      shoulder.i = {ground, Vec<3>(random(), random(), random()), random_turn(random, 3)};
      shoulder.j = {1, Vec<3>(random(), random(), random()), random_turn(random, 3)};
      Revolute elbow;
      elbow.i = {1, Vec<3>(random(), random(), random()), random_turn(random, 3)};
      elbow.j = {2, Vec<3>(random(), random(), random()), random_turn(random, 3)};
      m.add_joint("shoulder", shoulder);
      m.add_joint("elbow", elbow);
      Pair c;
      c.build(std::move(m), random);
      compared += has_same_channels(c);
    }
    EXPECT_GT(compared, configurations / 2);
  }
}

TEST(cartesian_bodies, point_masses_in_the_plane) {
  for (int trial = 0; trial < configurations; ++trial) {
    Random random(cartesian_seed + unsigned(trial));
    Mechanism m = two_bodies(random, 2);
    for (RigidBody& b : m.bodies) b.inertia.setZero();
    Revolute first, second;
    first.i = {ground, Vec<3>::Zero(), Quaternion::Identity()};
    first.j = {1, Vec<3>(random(), random(), 0), Quaternion::Identity()};
    second.i = {1, Vec<3>::Zero(), Quaternion::Identity()};
    second.j = {2, Vec<3>(random(), random(), 0), Quaternion::Identity()};
    m.add_joint("first", first);
    m.add_joint("second", second);
    Pair c;
    c.build(std::move(m), random);
    EXPECT_TRUE(has_same_channels(c));
  }
}

// Angles go on counting from the turns of the start, and the four Euler parameters do not jump.
TEST(cartesian_bodies, angles_are_counted_over_turns) {
  Mechanism m;
  m.bodies = {{.name = "wheel", .mass = 1, .inertia = Eigen::Matrix3d::Identity()}};
  m.bodies[0].start.angle = 9;
  m.bodies[0].start.turn = turn_about_z(9);
  m.prepare();
  const auto body = build_system(m), cartesian = build_system(m, Coordinates::cartesian);
  VecX q(3), u(3), Q(4), U(4), back = VecX::Zero(3), rate = VecX::Zero(3);
  body->start(q, u);
  cartesian->start(Q, U);
  cartesian->to_bodies(Q, U, back, rate);
  EXPECT_NEAR(back[2], 9, 1e-15 * 9);
  for (int step = 0; step < 40; ++step) {
    const double angle = 9 - 1.1 * step;
    Q.tail<2>() << std::cos(angle), std::sin(angle);
    cartesian->to_bodies(Q, U, back, rate);
    EXPECT_NEAR(back[2], angle, 1e-13);
    cartesian->remember(step, Q, U);
  }
}

TEST(cartesian_bodies, euler_parameters_keep_their_sign) {
  Mechanism m;
  m.dim = 3;
  m.bodies = {{.name = "top", .mass = 1, .inertia = Eigen::Matrix3d::Identity()}};
  m.prepare();
  const auto cartesian = build_system(m, Coordinates::cartesian);
  VecX Q = VecX::Zero(12), U = Q, back = VecX::Zero(7), rate = VecX::Zero(6);
  const Vec<3> axis = Vec<3>(1, 2, -2) / 3;
  for (int step = 0; step < 40; ++step) {
    const double half = 0.4 * step;
    VecX q(7);
    q << 0, 0, 0, std::cos(half), std::sin(half) * axis;
    const Eigen::Matrix3d A = Quaternion(q[3], q[4], q[5], q[6]).toRotationMatrix();
    Q.tail<9>() = A.reshaped();
    cartesian->to_bodies(Q, U, back, rate);
    EXPECT_LT((back - q).norm(), 1e-14);
    cartesian->remember(step, Q, U);
  }
}
}  // namespace
}  // namespace mubody::testing
