// Properties that every joint and driver must have, at random places off the constraints.

#include "mubody/solvers/assembly.h"
#include "tests/properties/recording.h"
#include "tests/properties/sample.h"

namespace mubody::testing {
namespace {
constexpr unsigned joint_seed = 20240501;  // fixed: a failure can be replayed

struct JointCase {
  std::unique_ptr<System> system;
  Mechanism mechanism;
  double t;
  VecX q, u;

  JointCase(const Kind<JointEntry>& kind, Random& random, int variant, bool first_is_ground = false)
      : mechanism(two_bodies(random, kind.dim)) {
    auto joint = kind.kind->make();
    const double apart = randomize(*joint, random, variant, kind.dim);
    if (first_is_ground) joint->i().body = ground;
    mesh(mechanism, *joint, apart);
    mechanism.joints.push_back({"joint", {}, Box<AnyJoint>(std::move(joint))});
    mechanism.prepare();
    system = build_system(mechanism);
    t = random(0, 2);
    q = somewhere(*system, random);
    u = random.vector(system->nu);
  }
  Terms at(double time, const VecX& where, const VecX& velocity) const {
    Terms terms = system->make_terms();
    system->constraints(time, where, velocity, terms);
    return terms;
  }
  Terms now() const { return at(t, q, u); }
  /// Moves to the constraints, where reactions act at one point.
  void assemble() { ASSERT_LT(violation_assembled(), 1e-11); }
  double violation_assembled() {
    AssemblyRecord moved;
    VecX still = VecX::Zero(system->nu);
    mubody::assemble(*system, {}, {}, t, q, still, moved);
    return moved.violation_after;
  }
  /// Lets the model start where it is, so that turns are counted from there.
  void start_here() {
    for (std::size_t k = 0; k < 2; ++k) {
      Pose& pose = mechanism.bodies[k].start;
      const VecX x = q.segment(Eigen::Index(k) * system->nq / 2, system->nq / 2);
      if (mechanism.dim == 2)
        pose = {Vec<3>(x[0], x[1], 0), turn_about_z(x[2]), x[2]};
      else
        pose = {Vec<3>(x.head<3>()), Quaternion(x[3], x[4], x[5], x[6]), 0};
    }
    system = build_system(mechanism);
  }
  VecX moved(const VecX& du) const {
    VecX x = q;
    system->move(x, du);
    return x;
  }
};

class Joints : public ::testing::TestWithParam<Kind<JointEntry>> {
 protected:
  template <class Check> void each(Check&& check, bool first_is_ground = false) {
    Random random(joint_seed);
    for (int variant = 0; variant < variants(); ++variant)
      for (int k = 0; k < trials; ++k) check(JointCase(GetParam(), random, variant, first_is_ground), random);
  }
};

// The error of central differences grows with the third derivative, which is the cube of the first near a
// position where an angle has no meaning.
TEST_P(Joints, jacobian_is_the_derivative_of_the_equations) {
  each([](const JointCase& c, Random&) {
    const MatX D = c.system->structure.full(c.now().D);
    for (int k = 0; k < c.system->nu; ++k) {
      const VecX d = h * VecX::Unit(c.system->nu, k);
      const VecX slope = (c.at(c.t, c.moved(d), c.u).phi - c.at(c.t, c.moved(-d), c.u).phi) / (2 * h);
      const int positions = c.system->m - c.system->joints[0].rolls;  // the rest forbids velocities only
      EXPECT_LT((slope - D.col(k)).head(positions).lpNorm<Eigen::Infinity>(), near * uncertain(D))
          << "column " << k;
      EXPECT_EQ(slope.tail(c.system->m - positions).norm(), 0);
    }
  });
}

TEST_P(Joints, rate_is_the_jacobian_times_velocity_plus_the_change_with_time) {
  each([](const JointCase& c, Random&) {
    const Terms now = c.now();
    const VecX with_time = (c.at(c.t + h, c.q, c.u).phi - c.at(c.t - h, c.q, c.u).phi) / (2 * h);
    const VecX rate = c.system->structure.full(now.D) * c.u + with_time;
    EXPECT_LT((rate - now.rate).lpNorm<Eigen::Infinity>(), near);
  });
}

TEST_P(Joints, gamma_is_minus_the_change_of_the_rate_at_constant_velocity) {
  each([](const JointCase& c, Random&) {
    const VecX change =
        (c.at(c.t + h, c.moved(h * c.u), c.u).rate - c.at(c.t - h, c.moved(-h * c.u), c.u).rate) / (2 * h);
    const Terms now = c.now();
    EXPECT_LT((change + now.gamma).lpNorm<Eigen::Infinity>(),
              5 * near * uncertain(c.system->structure.full(now.D)));
  });
}

TEST_P(Joints, forbidden_and_allowed_make_three_or_six) {
  each(
      [this](const JointCase& c, Random&) {
        const auto [kind, dim] = GetParam();
        const int all = dim == 2 ? 3 : 6;
        const MatX D = c.system->structure.full(c.now().D).rightCols(all);  // body b against the ground
        const PivotedQr qr(D, 1e-9);
        EXPECT_EQ(qr.rank(), kind->forbids(dim));
        EXPECT_EQ(qr.rank() + kind->allows(dim), all);
      },
      true);
}

// The reaction columns of the results: force on the two bodies, moment about the joint's markers.
struct Reaction {
  int body;
  Vec<3> force, moment, point;
};
std::array<Reaction, 2> reactions(const JointCase& c, const VecX& lambda) {
  VecX values(Eigen::Index(c.system->channels.size()));
  c.system->observe(c.t, c.q, c.u, VecX::Zero(c.system->nu), lambda, values);
  const auto value = [&](const std::string& name) {
    for (std::size_t k = 0; k < c.system->channels.size(); ++k)
      if (c.system->channels[k].name == name) {
        EXPECT_TRUE(c.system->channels[k].reaction);
        return values[Eigen::Index(k)];
      }
    return 0.0;  // the plane has no such component
  };
  const bool plane = c.mechanism.dim == 2;
  std::array<Reaction, 2> all;
  const AnyJoint& joint = *c.mechanism.joints[0].what;
  for (int side = 0; side < 2; ++side) {
    const Marker& m = side == 0 ? joint.i() : joint.j();
    const std::string name = "joint.on_" + c.mechanism.body_name(m.body);
    Vec<3> point = m.at;
    if (m.body != ground && plane) {
      const VecX q = c.q.segment(3 * (m.body - 1), 3);
      point = Vec<3>(q[0], q[1], 0) + turn_about_z(q[2]) * point;
    } else if (m.body != ground) {
      const VecX q = c.q.segment(7 * (m.body - 1), 7);
      point = Vec<3>(q.head<3>()) + Quaternion(q[3], q[4], q[5], q[6]) * point;
    }
    all[std::size_t(side)] = {m.body,
                              {value(name + ".fx"), value(name + ".fy"), value(name + ".fz")},
                              {value(name + ".mx"), value(name + ".my"), value(name + (plane ? ".m" : ".mz"))},
                              point};
  }
  return all;
}

TEST_P(Joints, action_equals_reaction) {
  each([](JointCase c, Random& random) {
    c.assemble();
    const auto [a, b] = reactions(c, random.vector(c.system->m));
    EXPECT_LT((a.force + b.force).norm(), 1e-11);
    const auto about_origin = [](const Reaction& r) { return Vec<3>(r.moment + r.point.cross(r.force)); };
    EXPECT_LT((about_origin(a) + about_origin(b)).norm(), 1e-10);
  });
}

// Velocity of a marker of a body and angular velocity of the body, global axes.
std::pair<Vec<3>, Vec<3>> motion_of(const JointCase& c, const Reaction& r) {
  if (r.body == ground) return {Vec<3>::Zero(), Vec<3>::Zero()};
  Vec<3> at, v, w;
  if (c.mechanism.dim == 2) {
    const auto q = c.q.segment<3>(3 * (r.body - 1)), u = c.u.segment<3>(3 * (r.body - 1));
    at << q[0], q[1], 0;
    v << u[0], u[1], 0;
    w << 0, 0, u[2];
  } else {
    const auto q = c.q.segment<7>(7 * (r.body - 1));
    const auto u = c.u.segment<6>(6 * (r.body - 1));
    at = q.head<3>();
    v = u.head<3>();
    w = Quaternion(q[3], q[4], q[5], q[6]) * Vec<3>(u.tail<3>());
  }
  return {v + w.cross(r.point - at), w};
}

TEST_P(Joints, reactions_do_no_work_on_motions_that_the_joint_allows) {
  each([](JointCase c, Random& random) {
    c.assemble();
    const MatX D = c.system->structure.full(c.now().D);
    c.u -= LeastSquares(D, 1e-12).solve(D * c.u);  // D u = 0
    double power = 0;
    for (const Reaction& r : reactions(c, random.vector(c.system->m))) {
      const auto [v, w] = motion_of(c, r);
      power += r.force.dot(v) + r.moment.dot(w);
    }
    EXPECT_NEAR(power, 0, 1e-10);
  });
}

// The same file of a joint, run with recorded numbers.
TEST_P(Joints, recorded_equations_are_those_of_doubles) {
  EXPECT_EQ(GetParam().kind->recorders().why_not, "");
  int compared = 0;
  each([&](JointCase c, Random& random) {
    if (!(c.violation_assembled() < 1e-11)) return;  // gears may be too far from where they mesh
    ++compared;
    c.start_here();
    const Terms now = c.now();
    RecordedAt recorded(c.mechanism, c.t, c.q, c.u);
    const RecordedModel& m = recorded.model;
    EXPECT_LT(apart(recorded(m.phi), now.phi), 1e-13);
    EXPECT_LT(apart(recorded(m.rate), now.rate), 1e-12);
    EXPECT_LT(apart(recorded(m.gamma), now.gamma), 1e-11);
    // Exact derivatives: those of Φ are D, those of γ are compared with differences.
    const VecX along = random.vector(c.system->nu), faster = random.vector(c.system->nu);
    VecX dq(c.system->nq);
    c.system->rates(c.q, along, dq);
    const MatX D = c.system->structure.full(now.D);
    const int positions = c.system->m - c.system->joints[0].rolls;
    EXPECT_LT(apart(recorded.change(m.phi, 0, dq, faster).head(positions), (D * along).head(positions)), 1e-12);
    const VecX change = (c.at(c.t + h, c.moved(h * along), c.u + h * faster).gamma -
                         c.at(c.t - h, c.moved(-h * along), c.u - h * faster).gamma) /
                        (2 * h);
    EXPECT_LT(apart(recorded.change(m.gamma, 1, dq, faster), change), 20 * near * uncertain(D));
  });
  EXPECT_GT(compared, 0.9 * trials * variants());
}

INSTANTIATE_TEST_SUITE_P(all, Joints, ::testing::ValuesIn(all_in_both(joint_kinds())),
                         [](const auto& of) { return name_of(of.param); });
}  // namespace
}  // namespace mubody::testing
