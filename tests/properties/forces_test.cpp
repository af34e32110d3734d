// Properties that every force must have, at random states.
#include "tests/properties/recording.h"
#include "tests/properties/sample.h"

namespace mubody::testing {
namespace {
constexpr unsigned force_seed = 7;

struct ForceCase {
  std::unique_ptr<System> system, free;  // with the force and without
  double t;
  VecX q, u;
  Mechanism m;
  bool internal;  // acts between the two bodies and on nothing else

  ForceCase(const Kind<ForceEntry>& kind, Random& random, int variant) : m(two_bodies(random, kind.dim)) {
    free = build_system(m);
    auto force = kind.kind->make();
    const double apart = randomize(*force, random, variant, kind.dim);
    if (force->attach() == Attach::pin) mesh(m, *force, apart);
    internal = force->i().body != ground;
    m.forces.push_back({"force", {}, Box<AnyForce>(std::move(force))});
    m.prepare();
    system = build_system(m);
    for (std::size_t k = 0; k < system->contacts().sites.size(); ++k) system->contacts().set(int(k), true, 0.7);
    t = random(0, 2);
    q = somewhere(*system, random);
    u = random.vector(system->nu);
  }
  // The generalized force of the element alone, without the gyroscopic terms of the bodies.
  VecX load() const {
    Terms with = system->make_terms(), without = with;
    system->evaluate(t, q, u, with);
    free->evaluate(t, q, u, without);
    return with.Q - without.Q;
  }
};

class Forces : public ::testing::TestWithParam<Kind<ForceEntry>> {
 protected:
  template <class Check> void each(Check&& check) {
    Random random(force_seed);
    for (int variant = 0; variant < variants(); ++variant)
      for (int k = 0; k < trials; ++k) check(ForceCase(GetParam(), random, variant), random);
  }
};

// The work of a force is stored, dissipated or supplied: Q·u = supplied − dissipated − dV/dt.
TEST_P(Forces, power_is_accounted_for) {
  each([](const ForceCase& c, Random&) {
    const Energy now = c.system->energy(c.t, c.q, c.u);
    VecX ahead = c.q, behind = c.q;
    c.system->move(ahead, h * c.u);
    c.system->move(behind, -h * c.u);
    const double stored =
        (c.system->energy(c.t + h, ahead, c.u).potential - c.system->energy(c.t - h, behind, c.u).potential) /
        (2 * h);
    const double power = c.load().dot(c.u);
    // Where what is stored is lost again, as by a law that must not pull, the quotient of differences keeps its own error.
    const double error = 1e-7 * std::max(1.0, std::abs(power)) + 1e-9 * std::abs(stored);
    EXPECT_NEAR(power, now.supplied - now.lost() - stored, error);
  });
}

TEST_P(Forces, dissipation_is_never_negative) {
  each([](const ForceCase& c, Random&) { EXPECT_GE(c.system->energy(c.t, c.q, c.u).lost(), 0); });
}

// A motion of both bodies as one changes nothing between them, so a force between them does no work on it.
TEST_P(Forces, action_equals_reaction) {
  each([](const ForceCase& c, Random& random) {
    if (!c.internal) return;
    const Vec<3> v(random(), random(), random()), w(random(), random(), random());
    EXPECT_NEAR(c.load().dot(together(*c.system, c.q, v, w)), 0, 1e-10);
  });
}

TEST_P(Forces, reports_are_finite_and_named) {
  each([](const ForceCase& c, Random&) {
    VecX values(Eigen::Index(c.system->channels.size()));
    c.system->observe(c.t, c.q, c.u, VecX::Zero(c.system->nu), VecX::Zero(0), values);
    int reported = 0;
    for (std::size_t k = 0; k < c.system->channels.size(); ++k)
      if (c.system->channels[k].group == Channel::forces) {
        ++reported;
        EXPECT_TRUE(std::isfinite(values[Eigen::Index(k)])) << c.system->channels[k].name;
        EXPECT_FALSE(c.system->channels[k].unit.empty());
      }
    EXPECT_GT(reported, 0);
  });
}

// The same file of a force, run with recorded numbers.
TEST_P(Forces, recorded_is_that_of_doubles) {
  const std::string_view why_not = GetParam().kind->recorders().why_not;
  if (!why_not.empty()) {
    EXPECT_NE(why_not.find("that touch"), why_not.npos) << why_not;
    return;
  }
  each([](const ForceCase& c, Random& random) {
    RecordedAt recorded(c.m, c.t, c.q, c.u);
    const RecordedModel& m = recorded.model;
    const auto Q = [&](double t, const VecX& q, const VecX& u) {
      Terms terms = c.system->make_terms();
      c.system->evaluate(t, q, u, terms);
      return terms.Q;
    };
    const VecX load = Q(c.t, c.q, c.u);
    EXPECT_LT(apart(recorded(m.Q), load), 1e-12);
    const Energy energy = c.system->energy(c.t, c.q, c.u);
    const double size = 1e-11 * std::max(1.0, load.lpNorm<Eigen::Infinity>());
    EXPECT_NEAR(recorded("energy.potential"), energy.potential, size);
    EXPECT_NEAR(recorded("power.supplied"), energy.supplied, size);
    EXPECT_NEAR(recorded("power.lost"), energy.lost(), size);
    // Exact derivatives against differences.
    const VecX along = random.vector(c.system->nu), faster = random.vector(c.system->nu);
    VecX dq(c.system->nq), ahead = c.q, behind = c.q;
    c.system->rates(c.q, along, dq);
    c.system->move(ahead, h * along);
    c.system->move(behind, -h * along);
    const VecX change = (Q(c.t + h, ahead, c.u + h * faster) - Q(c.t - h, behind, c.u - h * faster)) / (2 * h);
    EXPECT_LT(apart(recorded.change(m.Q, 1, dq, faster), change), 1e-6);
  });
}

INSTANTIATE_TEST_SUITE_P(all, Forces, ::testing::ValuesIn(all_in_both(force_kinds())),
                         [](const auto& of) { return name_of(of.param); });
}  // namespace
}  // namespace mubody::testing
