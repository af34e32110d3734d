// Joint coordinates on random trees, in the plane and in space: kinematics against differences, inertia and forces against
// body coordinates, the recursions against full matrices.

#include "mubody/forces/spring.h"
#include "mubody/joints/revolute.h"
#include "mubody/system/dynamics.h"
#include "tests/formulations/random_tree.h"

namespace mubody::testing {
namespace {
constexpr unsigned seed = 5;
constexpr int trials = 30;

/// A moving mechanism in both coordinates, at a random configuration of its tree.
struct Both {
  Mechanism m;
  std::unique_ptr<System> bodies, joints;
  VecX q, u, body_q, body_u;

  Both(Mechanism mechanism, Random& random)
      : m(std::move(mechanism)), bodies(build_system(m)), joints(build_system(m, Coordinates::joint)) {
    q.setZero(joints->nq), u.setZero(joints->nu);
    joints->start(q, u);
    joints->move(q, random.vector(joints->nu));
    u = random.vector(joints->nu);
    body_q.setZero(bodies->nq), body_u.setZero(bodies->nu);
    joints->to_bodies(q, u, body_q, body_u);
  }
  /// Velocities of bodies per unit of velocities of joints.
  MatX B() {
    MatX all(bodies->nu, joints->nu);
    VecX there(bodies->nq), column(bodies->nu);
    for (int k = 0; k < joints->nu; ++k) {
      joints->to_bodies(q, VecX::Unit(joints->nu, k), there, column);
      all.col(k) = column;
    }
    return all;
  }
  /// Velocities of bodies after a time t at constant rates of the joints.
  VecX velocities_after(double t) {
    VecX there = q, at(bodies->nq), w(bodies->nu);
    joints->move(there, t * u);
    joints->to_bodies(there, u, at, w);
    return w;
  }
  MatX mass() { return bodies->structure.full_mass(bodies->make_terms().M); }
};

/// f'(0) by central differences of fourth order.
template <class F> VecX slope(const F& f, double h = 1e-3) {
  return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
}

class JointCoordinates : public ::testing::TestWithParam<int> {};

TEST_P(JointCoordinates, tell_where_bodies_are) {
  Random random(seed);
  for (int trial = 0; trial < trials; ++trial) {
    Mechanism m = random_tree(random, GetParam(), 7);
    for (RigidBody& b : m.bodies) b.velocity.setZero();
    const auto bodies = build_system(m), joints = build_system(m, Coordinates::joint);
    VecX given(bodies->nq), still(bodies->nu), q(joints->nq), u(joints->nu), back(bodies->nq),
        rates(bodies->nu);
    bodies->start(given, still);
    joints->from_bodies(given, still, q, u);
    joints->to_bodies(q, u, back, rates);
    EXPECT_LT((back - given).lpNorm<Eigen::Infinity>(), 1e-12);
    EXPECT_LT(u.lpNorm<Eigen::Infinity>(), 1e-12);
  }
}

TEST_P(JointCoordinates, go_there_and_back) {
  Random random(seed + 1);
  for (int trial = 0; trial < trials; ++trial) {
    Both x(random_tree(random, GetParam(), 7), random);
    VecX q(x.joints->nq), u(x.joints->nu), again(x.bodies->nq), rates(x.bodies->nu);
    x.joints->from_bodies(x.body_q, x.body_u, q, u);
    EXPECT_LT((u - x.u).lpNorm<Eigen::Infinity>(), 1e-11);
    x.joints->to_bodies(q, u, again, rates);
    EXPECT_LT((again - x.body_q).lpNorm<Eigen::Infinity>(), 1e-11);
    EXPECT_LT((rates - x.body_u).lpNorm<Eigen::Infinity>(), 1e-11);
  }
}

// No joint of the tree opens, whatever the coordinates, and all its equations hold on velocities too.
TEST_P(JointCoordinates, keep_tree_joints_closed) {
  Random random(seed + 2);
  for (int trial = 0; trial < trials; ++trial) {
    Both x(random_tree(random, GetParam(), 7), random);
    Terms terms = x.bodies->make_terms();
    x.bodies->constraints(0, x.body_q, x.body_u, terms);
    if (x.bodies->m == 0) continue;
    EXPECT_LT(terms.phi.lpNorm<Eigen::Infinity>(), 1e-12);
    EXPECT_LT(terms.rate.lpNorm<Eigen::Infinity>(), 1e-12);
  }
}

// Velocities of bodies are the rates of their positions when joints move, and q̇ agrees with move().
TEST_P(JointCoordinates, give_velocities_as_rates) {
  Random random(seed + 3);
  for (int trial = 0; trial < trials; ++trial) {
    Both x(random_tree(random, GetParam(), 6), random);
    const auto position = [&](double t) {
      VecX q = x.q, at(x.bodies->nq), w(x.bodies->nu);
      x.joints->move(q, t * x.u);
      x.joints->to_bodies(q, x.u, at, w);
      return at;
    };
    VecX expected(x.bodies->nq), dq(x.joints->nq);
    x.bodies->rates(x.body_q, x.body_u, expected);
    EXPECT_LT((slope(position) - expected).lpNorm<Eigen::Infinity>(),
              1e-8 * (1 + expected.lpNorm<Eigen::Infinity>()));
    x.joints->rates(x.q, x.u, dq);
    const auto coordinates = [&](double t) {
      VecX q = x.q;
      x.joints->move(q, t * x.u);
      return q;
    };
    EXPECT_LT((slope(coordinates) - dq).lpNorm<Eigen::Infinity>(), 1e-8);
  }
}

// J = Bᵀ M B by composite inertias, and J⁻¹ g by articulated ones.
TEST_P(JointCoordinates, have_the_inertia_of_their_bodies) {
  Random random(seed + 4);
  for (int trial = 0; trial < trials; ++trial) {
    Both x(random_tree(random, GetParam(), 7), random);
    const MatX B = x.B(), J = congruent(B, x.mass());
    Terms terms = x.joints->make_terms();
    x.joints->evaluate(0, x.q, x.u, terms);
    ASSERT_TRUE(x.joints->solves_mass());
    const VecX g = random.vector(x.joints->nu);
    VecX a(x.joints->nu);
    x.joints->solve_mass(g, a);
    EXPECT_LT((J * a - g).lpNorm<Eigen::Infinity>(), 1e-10 * (1 + a.norm()));
    x.joints->fill_mass(terms);
    const MatX composite = x.joints->structure.full_mass(terms.M);
    EXPECT_LT((composite - J).lpNorm<Eigen::Infinity>(), 1e-12 * J.lpNorm<Eigen::Infinity>());
  }
}

// Bᵀ (Q_b − M Ḃ u), with Ḃ u by differences of velocities.
TEST_P(JointCoordinates, have_the_forces_of_their_bodies) {
  Random random(seed + 5);
  for (int trial = 0; trial < trials; ++trial) {
    Mechanism m = random_tree(random, GetParam(), 6);
    Spring spring;
    spring.i = {1, Vec<3>(0.1, 0.2, 0), Quaternion::Identity()},
    spring.j = {6, Vec<3>(0.3, 0, 0), Quaternion::Identity()};
    spring.stiffness = 30, spring.damping = 2;
    m.add_force("spring", spring);
    m.prepare();
    Both x(std::move(m), random);
    Terms terms = x.joints->make_terms(), of_bodies = x.bodies->make_terms();
    x.joints->evaluate(0, x.q, x.u, terms);
    x.bodies->evaluate(0, x.body_q, x.body_u, of_bodies);
    const VecX bias = slope([&](double t) { return x.velocities_after(t); });
    const VecX expected = x.B().transpose() * (of_bodies.Q - x.mass() * bias);
    EXPECT_LT((terms.Q - expected).lpNorm<Eigen::Infinity>(), 1e-8 * (1 + expected.lpNorm<Eigen::Infinity>()));
    const Energy own = x.joints->energy(0, x.q, x.u), other = x.bodies->energy(0, x.body_q, x.body_u);
    EXPECT_NEAR(own.kinetic, other.kinetic, 1e-12 * (1 + other.kinetic));
    EXPECT_NEAR(own.potential, other.potential, 1e-11 * (1 + std::abs(other.potential)));
  }
}

// Accelerations, and the reactions of all joints, are those that body coordinates find with multipliers.
TEST_P(JointCoordinates, know_the_powers_of_forces_at_the_last_state_and_at_any_other) {
  Random random(seed + 7);
  Mechanism m = random_tree(random, GetParam(), 6);
  Spring spring;
  spring.i = {1, Vec<3>(0.1, 0.2, 0), Quaternion::Identity()},
  spring.j = {6, Vec<3>(0.3, 0, 0), Quaternion::Identity()};
  spring.stiffness = 30, spring.damping = 2;
  m.add_force("spring", spring);
  m.prepare();
  Both x(std::move(m), random);
  const auto look = [none = VecX()](System& s, const VecX& q, const VecX& u) {
    Terms terms = s.make_terms();
    std::vector<Energy> last(std::size_t(s.groups)), faster = last, again = last;
    s.evaluate(0, q, u, none, terms);
    s.powers(0, q, u, none, last);
    s.powers(0, q, 2 * u, none, faster);
    s.powers(0, q, u, none, again);
    EXPECT_GT(last[0].dissipated, 0);
    EXPECT_NEAR(last[0].dissipated, again[0].dissipated, 1e-14 * again[0].dissipated);
    EXPECT_NEAR(faster[0].dissipated, 4 * again[0].dissipated, 1e-12 * faster[0].dissipated);
  };
  look(*x.joints, x.q, x.u);
  look(*x.bodies, x.body_q, x.body_u);
}

TEST_P(JointCoordinates, have_the_reactions_of_body_coordinates) {
  Random random(seed + 6);
  for (int trial = 0; trial < trials; ++trial) {
    Both x(random_tree(random, GetParam(), 7), random);
    Dynamics one(*x.joints), two(*x.bodies);
    one.evaluate(0, x.q, x.u);
    one.solve(one.terms.Q, one.terms.gamma);
    two.evaluate(0, x.body_q, x.body_u);
    two.solve(two.terms.Q, two.terms.gamma);
    VecX own(Eigen::Index(x.joints->channels.size())), other = own;
    x.joints->observe(0, x.q, x.u, one.a, one.lambda, own);
    x.bodies->observe(0, x.body_q, x.body_u, two.a, two.lambda, other);
    const double scale = 1 + other.lpNorm<Eigen::Infinity>();
    for (std::size_t k = 0; k < x.joints->channels.size(); ++k) {
      EXPECT_EQ(x.joints->channels[k].name, x.bodies->channels[k].name);
      EXPECT_NEAR(own[Eigen::Index(k)], other[Eigen::Index(k)], 1e-10 * scale) << x.joints->channels[k].name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(plane_and_space, JointCoordinates, ::testing::Values(2, 3),
                         [](const auto& test) { return test.param == 2 ? "plane" : "space"; });

class Chords : public ::testing::TestWithParam<Kind<JointEntry>> {};

// Any joint or driver between two bodies of a tree, closed or not: Φ, Φ̇, D = D_b B and γ = γ_b − D_b Ḃ u.
TEST_P(Chords, give_the_rows_of_body_coordinates) {
  const auto [kind, dim] = GetParam();
  Random random(seed + 7);
  for (int variant = 0; variant < variants(); ++variant)
    for (int trial = 0; trial < 8; ++trial) {
      Mechanism m = random_tree(random, dim, 7);
      auto joint = kind->make();
      randomize(*joint, random, variant, dim);
      const int last = 7, first = trial % 4;  // the ground among them
      joint->i().body = kind->info.name == "coordinate" ? ground : first;
      joint->j().body = last;
      m.joints.push_back({"chord", {}, Box<AnyJoint>(std::move(joint)), true});
      try {
        m.prepare();
      } catch (const ModelError&) {
        continue;  // gears whose distance does not fit their radii
      }
      Both x(std::move(m), random);
      const double t = 0.3;
      Terms terms = x.joints->make_terms(), of_bodies = x.bodies->make_terms();
      x.joints->constraints(t, x.q, x.u, terms);
      x.bodies->constraints(t, x.body_q, x.body_u, of_bodies);
      const int rows = x.joints->m;
      const MatX D_b = x.bodies->structure.full(of_bodies.D).bottomRows(rows),
                 D = x.joints->structure.full(terms.D);
      const VecX bias = slope([&](double s) { return x.velocities_after(s); });
      const VecX gamma = of_bodies.gamma.tail(rows) - D_b * bias;
      EXPECT_LT((terms.phi - of_bodies.phi.tail(rows)).lpNorm<Eigen::Infinity>(), 1e-12);
      EXPECT_LT((terms.rate - of_bodies.rate.tail(rows)).lpNorm<Eigen::Infinity>(), 1e-11);
      EXPECT_LT((D - product(D_b, x.B())).lpNorm<Eigen::Infinity>(), 1e-11 * (1 + D.lpNorm<Eigen::Infinity>()));
      EXPECT_LT((terms.gamma - gamma).lpNorm<Eigen::Infinity>(), 1e-7 * (1 + gamma.lpNorm<Eigen::Infinity>()));
    }
}

INSTANTIATE_TEST_SUITE_P(all, Chords, ::testing::ValuesIn(all_in_both(joint_kinds())),
                         [](const auto& test) { return name_of(test.param); });
}  // namespace
}  // namespace mubody::testing
