// Properties that every force must have, at random states.
#include "tests/properties/sample.h"

namespace mubody::testing {
namespace {
constexpr int trials = 20;
constexpr unsigned seed = 7;
constexpr double h = 1e-6;

struct Case {
  std::unique_ptr<System> system;
  double t;
  VecX q, u;
  bool internal;  // acts between the two bodies and on nothing else

  Case(const ForceEntry& kind, Random& random, int variant) {
    Mechanism m = two_bodies(random);
    auto force = kind.make();
    randomize(*force, random, variant);
    internal = force->i().body != ground;
    m.forces.push_back({"force", {}, Box<AnyForce>(std::move(force))});
    m.prepare();
    system = build_system(m);
    t = random(0, 2);
    q = 2 * random.vector(system->nq);
    u = random.vector(system->nu);
  }
  VecX load() const {
    Terms terms = system->make_terms();
    system->evaluate(t, q, u, terms);
    return terms.Q;
  }
};

class Forces : public ::testing::TestWithParam<const ForceEntry*> {
 protected:
  template <class Check> void each(Check&& check) {
    Random random(seed);
    for (int variant = 0; variant < variants(); ++variant)
      for (int k = 0; k < trials; ++k) check(Case(*GetParam(), random, variant), random);
  }
};

// What a force does is stored, dissipated or supplied: Q·u = supplied − dissipated − dV/dt.
TEST_P(Forces, power_is_accounted_for) {
  each([](const Case& c, Random&) {
    const Energy now = c.system->energy(c.t, c.q, c.u);
    VecX ahead = c.q, behind = c.q;
    c.system->move(ahead, h * c.u);
    c.system->move(behind, -h * c.u);
    const double stored =
        (c.system->energy(c.t, ahead, c.u).potential - c.system->energy(c.t, behind, c.u).potential) / (2 * h);
    EXPECT_NEAR(c.load().dot(c.u), now.supplied - now.dissipated - stored, 1e-7);
  });
}

TEST_P(Forces, dissipation_is_never_negative) {
  each([](const Case& c, Random&) { EXPECT_GE(c.system->energy(c.t, c.q, c.u).dissipated, 0); });
}

// A motion of both bodies as one changes nothing between them, so a force between them does no work on it.
TEST_P(Forces, action_equals_reaction) {
  each([](const Case& c, Random& random) {
    if (!c.internal) return;
    const double vx = random(), vy = random(), w = random();
    VecX together(6);
    for (int b = 0; b < 2; ++b) together.segment<3>(3 * b) << vx - w * c.q[3 * b + 1], vy + w * c.q[3 * b], w;
    EXPECT_NEAR(c.load().dot(together), 0, 1e-11);
  });
}

TEST_P(Forces, reports_are_finite_and_named) {
  each([](const Case& c, Random&) {
    VecX values(Eigen::Index(c.system->channels.size()));
    c.system->observe(c.t, c.q, c.u, VecX::Zero(6), VecX::Zero(0), values);
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

std::vector<const ForceEntry*> kinds() {
  std::vector<const ForceEntry*> all;
  for (const ForceEntry& e : force_kinds()) all.push_back(&e);
  return all;
}
INSTANTIATE_TEST_SUITE_P(All, Forces, ::testing::ValuesIn(kinds()),
                         [](const auto& info) { return std::string(info.param->info.name); });
}  // namespace
}  // namespace mubody::testing
