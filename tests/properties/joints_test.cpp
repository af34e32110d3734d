// Properties that every joint and driver must have, at random places off the constraints.
#include <Eigen/QR>

#include "mubody/analyses/assembly.h"
#include "tests/properties/sample.h"

namespace mubody::testing {
namespace {
constexpr int trials = 20;
constexpr unsigned seed = 20240501;  // fixed: a failure can be replayed
constexpr double h = 1e-6;           // central differences err by about h², round-off by 1e-16 / h
constexpr double near = 2e-8;

struct Case {
  std::unique_ptr<System> system;
  Mechanism mechanism;
  double t;
  VecX q, u;

  Case(const JointEntry& kind, Random& random, int variant, bool first_is_ground = false)
      : mechanism(two_bodies(random)) {
    auto joint = kind.make();
    const double apart = randomize(*joint, random, variant);
    if (first_is_ground) joint->i().body = ground;
    if (apart > 0) {
      const Vec<3> from = mechanism.start_of(joint->i()).at, to = mechanism.start_of(joint->j()).at;
      mechanism.bodies[1].start.at += from + apart * (to - from).normalized() - to;
    }
    mechanism.joints.push_back({"joint", {}, Box<AnyJoint>(std::move(joint))});
    mechanism.prepare();
    system = build_system(mechanism);
    t = random(0, 2);
    q = 2 * random.vector(system->nq);
    u = random.vector(system->nu);
  }
  Terms at(double time, const VecX& where, const VecX& velocity) const {
    Terms terms = system->make_terms();
    system->constraints(time, where, velocity, terms);
    return terms;
  }
  Terms now() const { return at(t, q, u); }
  /// Moves to the constraints, where reactions act at one point.
  void assemble() {
    Assembly moved;
    VecX still = VecX::Zero(system->nu);
    ASSERT_LT((mubody::assemble(*system, {}, t, q, still, moved), moved.violation_after), 1e-11);
  }
  VecX moved(const VecX& du) const {
    VecX x = q;
    system->move(x, du);
    return x;
  }
};

class Joints : public ::testing::TestWithParam<const JointEntry*> {
 protected:
  template <class Check> void each(Check&& check, bool first_is_ground = false) {
    Random random(seed);
    for (int variant = 0; variant < variants(); ++variant)
      for (int k = 0; k < trials; ++k) check(Case(*GetParam(), random, variant, first_is_ground), random);
  }
};

TEST_P(Joints, jacobian_is_the_derivative_of_the_equations) {
  each([](const Case& c, Random&) {
    const MatX D = c.system->structure.full(c.now().D);
    for (int k = 0; k < c.system->nu; ++k) {
      const VecX d = h * VecX::Unit(c.system->nu, k);
      const VecX slope = (c.at(c.t, c.moved(d), c.u).phi - c.at(c.t, c.moved(-d), c.u).phi) / (2 * h);
      EXPECT_LT((slope - D.col(k)).lpNorm<Eigen::Infinity>(), near) << "column " << k;
    }
  });
}

TEST_P(Joints, rate_is_the_jacobian_times_velocity_plus_the_change_with_time) {
  each([](const Case& c, Random&) {
    const Terms now = c.now();
    const VecX with_time = (c.at(c.t + h, c.q, c.u).phi - c.at(c.t - h, c.q, c.u).phi) / (2 * h);
    const VecX rate = c.system->structure.full(now.D) * c.u + with_time;
    EXPECT_LT((rate - now.rate).lpNorm<Eigen::Infinity>(), near);
  });
}

TEST_P(Joints, gamma_is_minus_the_change_of_the_rate_at_constant_velocity) {
  each([](const Case& c, Random&) {
    const VecX change =
        (c.at(c.t + h, c.moved(h * c.u), c.u).rate - c.at(c.t - h, c.moved(-h * c.u), c.u).rate) / (2 * h);
    EXPECT_LT((change + c.now().gamma).lpNorm<Eigen::Infinity>(), 5 * near);
  });
}

TEST_P(Joints, forbidden_and_allowed_make_three) {
  each(
      [this](const Case& c, Random&) {
        const MatX D = c.system->structure.full(c.now().D).rightCols(3);  // body b against the ground
        Eigen::ColPivHouseholderQR<MatX> qr(D);
        qr.setThreshold(1e-9);
        EXPECT_EQ(qr.rank(), GetParam()->forbids);
        EXPECT_EQ(qr.rank() + GetParam()->allows, 3);
      },
      true);
}

// The reaction columns of the results: force on the two bodies, moment about the joint's markers.
struct Reaction {
  Vec<2> force;
  double moment;
  Vec<2> point;
};
std::array<Reaction, 2> reactions(const Case& c, const VecX& lambda) {
  VecX values(Eigen::Index(c.system->channels.size()));
  c.system->observe(c.t, c.q, c.u, VecX::Zero(c.system->nu), lambda, values);
  std::array<Reaction, 2> all;
  const AnyJoint& joint = *c.mechanism.joints[0].what;
  for (int side = 0; side < 2; ++side) {
    const Marker& m = side == 0 ? joint.i() : joint.j();
    const std::string name = "joint.on_" + c.mechanism.body_name(m.body);
    Reaction& r = all[std::size_t(side)];
    for (std::size_t k = 0; k < c.system->channels.size(); ++k) {
      const std::string& channel = c.system->channels[k].name;
      const double value = values[Eigen::Index(k)];
      if (channel == name + ".fx") r.force.x() = value;
      if (channel == name + ".fy") r.force.y() = value;
      if (channel == name + ".m") r.moment = value;
    }
    r.point = m.at.head<2>();
    if (m.body != ground) {
      const VecX q = c.q.segment(3 * (m.body - 1), 3);
      r.point = q.head<2>() + Eigen::Rotation2Dd(q[2]) * r.point;
    }
  }
  return all;
}

TEST_P(Joints, action_equals_reaction) {
  each([](Case c, Random& random) {
    c.assemble();
    const auto [a, b] = reactions(c, random.vector(c.system->m));
    EXPECT_LT((a.force + b.force).norm(), 1e-12);
    const auto about_origin = [](const Reaction& r) {
      return r.moment + r.point.x() * r.force.y() - r.point.y() * r.force.x();
    };
    EXPECT_NEAR(about_origin(a) + about_origin(b), 0, 1e-10);
  });
}

TEST_P(Joints, reactions_do_no_work_on_motions_that_the_joint_allows) {
  each([](Case c, Random& random) {
    c.assemble();
    const MatX D = c.system->structure.full(c.now().D);
    c.u -= D.completeOrthogonalDecomposition().solve(D * c.u);  // D u = 0
    const auto both = reactions(c, random.vector(c.system->m));
    double power = 0;
    for (int side = 0; side < 2; ++side) {
      const Marker& m = side == 0 ? c.mechanism.joints[0].what->i() : c.mechanism.joints[0].what->j();
      if (m.body == ground) continue;
      const VecX q = c.q.segment(3 * (m.body - 1), 3), u = c.u.segment(3 * (m.body - 1), 3);
      const Reaction& r = both[std::size_t(side)];
      power += r.force.dot(u.head<2>() + u[2] * perp(r.point - q.head<2>())) + r.moment * u[2];
    }
    EXPECT_NEAR(power, 0, 1e-11);
  });
}

std::vector<const JointEntry*> kinds() {
  std::vector<const JointEntry*> all;
  for (const JointEntry& e : joint_kinds()) all.push_back(&e);
  return all;
}
INSTANTIATE_TEST_SUITE_P(All, Joints, ::testing::ValuesIn(kinds()),
                         [](const auto& info) { return std::string(info.param->info.name); });
}  // namespace
}  // namespace mubody::testing
