// Normal laws: what every law must do in every state, and the closed form of each.
#include <set>

#include "mubody/contact/laws/exact.h"
#include "mubody/contact/laws/flores.h"
#include "mubody/contact/laws/gonthier.h"
#include "mubody/contact/laws/herbert_mcwhannell.h"
#include "mubody/contact/laws/hertz.h"
#include "mubody/contact/laws/hunt_crossley.h"
#include "mubody/contact/laws/kelvin_voigt.h"
#include "mubody/contact/laws/lankarani_nikravesh.h"
#include "mubody/contact/laws/lee_wang.h"
#include "tests/contact/sample.h"

namespace mubody::testing {
namespace {
constexpr int impacts = 10000;

struct State {
  double depth, rate, first;
  State(Random& random)
      : depth(random(-0.2, 1) * random.decades(1e-8, 1e-3)), rate(random() * random.decades(1e-5, 10)),
        first(random.decades(1e-6, 10)) {}
};

TEST(contact_laws, all_are_registered) {
  std::set<std::string_view> names;
  for (const ContactLawEntry& entry : contact_law_kinds()) {
    names.insert(entry.info.name);
    EXPECT_FALSE(entry.info.summary.empty());
    EXPECT_EQ(entry.make()->info().name, entry.info.name);
  }
  EXPECT_EQ(names,
            (std::set<std::string_view>{"hertz", "kelvin_voigt", "hunt_crossley", "herbert_mcwhannell",
                                        "lankarani_nikravesh", "lee_wang", "gonthier", "flores", "exact"}));
}

class EveryLaw : public ::testing::TestWithParam<ContactLawEntry> {
 protected:
  template <class Check> void each(Check&& check) {
    Random random(11);
    for (int k = 0; k < impacts; ++k) {
      const auto law = GetParam().make();
      Draw draw(random);
      law->fields(draw);
      ASSERT_NO_THROW(law->check());
      check(*law, random);
    }
  }
};

TEST_P(EveryLaw, dissipates_and_pushes) {
  each([](const ContactLawKind& law, Random& random) {
    const State s(random);
    const double F = law.force(s.depth, s.rate, s.first);
    EXPECT_TRUE(std::isfinite(F));
    EXPECT_GE(law.dissipated(s.depth, s.rate, s.first), 0);
    if (!law.tensile()) {
      EXPECT_GE(F, 0);
    }
    EXPECT_EQ(law.force(0, s.rate, s.first), 0);
    EXPECT_EQ(law.force(-std::abs(s.depth), s.rate, s.first), 0);
    // At rest only the elastic part remains, up to rounding.
    EXPECT_DOUBLE_EQ(law.force(s.depth, 0, s.first), law.elastic(s.depth));
  });
}

// The force is continuous between any two states, including first touch and the cut at zero.
TEST_P(EveryLaw, is_continuous) {
  each([](const ContactLawKind& law, Random& random) {
    const State a(random), b(random);
    const auto at = [&](double x) {
      const auto mixed = [x](double from, double to) { return from + x * (to - from); };
      return law.force(mixed(a.depth, b.depth), mixed(a.rate, b.rate), mixed(a.first, b.first));
    };
    double scale = law.elastic(std::max(a.depth, b.depth));
    for (int k = 0; k <= 10; ++k) scale = std::max(scale, std::abs(at(k / 10.0)));
    EXPECT_LE(jump_of(at), 1e-9 * scale);
  });
}

TEST_P(EveryLaw, elastic_part_is_the_slope_of_what_is_stored) {
  each([](const ContactLawKind& law, Random& random) {
    const double d = random.decades(1e-8, 1e-3), h = 1e-4 * d;
    EXPECT_NEAR((law.stored(d + h) - law.stored(d - h)) / (2 * h), law.elastic(d), 1e-7 * law.elastic(d));
    EXPECT_EQ(law.stored(0), 0);
    EXPECT_EQ(law.stored(-d), 0);
  });
}

TEST_P(EveryLaw, copies_and_takes_a_stiffness) {
  ContactLaw law(GetParam().make());
  law->elastic_part().exponent = 1.5;
  law->elastic_part().stiffness_from(7e9);
  law->elastic_part().stiffness_from(8e9);  // the first stiffness counts
  const ContactLaw copy = law;
  EXPECT_DOUBLE_EQ(copy->elastic(1e-4), 7e9 * 1e-6);
  EXPECT_DOUBLE_EQ(copy->stored(1e-4), 7e9 * 1e-10 / 2.5);
}

INSTANTIATE_TEST_SUITE_P(all, EveryLaw,
                         ::testing::ValuesIn(contact_law_kinds().begin(), contact_law_kinds().end()),
                         [](const auto& p) { return std::string(p.param.info.name); });

template <class L> L law(double e) {
  L l;
  l.stiffness = 2e9;
  l.restitution = e;
  return l;
}

// The factor of the exact law is the root of the relation that the others approximate.
TEST(contact_laws, exact_law_produces_what_it_is_asked_for) {
  for (const double e : {1e-3, 0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 0.9999, 1 - 1e-9, 1.0})
    EXPECT_NEAR(produced_restitution(law<Exact>(e).c()), e, 1e-14) << e;
}

// K δ^1.5 (1 + c u) with c as published, δ = 1e-4 m, u = 1/2.
TEST(contact_laws, have_the_published_factors) {
  const double e = 0.6, elastic = 2e9 * 1e-6;
  const auto expect = [&](const auto& l, double c) {
    EXPECT_NEAR(l.force(1e-4, 1, 2), elastic * (1 + c / 2), 1e-12 * elastic);
    EXPECT_NEAR(l.force(1e-4, -0.1, 2), elastic * (1 - c / 20), 1e-12 * elastic);
  };
  expect(law<HuntCrossley>(e), 0.6);
  expect(law<HerbertMcwhannell>(e), 2.4 / 3.04);
  expect(law<LankaraniNikravesh>(e), 0.48);
  expect(law<LeeWang>(e), 0.3);
  expect(law<Gonthier>(e), 0.64 / 0.6);
  expect(law<Flores>(e), 3.2 / 3);
  Hertz hertz;
  hertz.stiffness = 2e9;
  EXPECT_NEAR(hertz.force(1e-4, 5, 1), elastic, 1e-12 * elastic);
}

TEST(hysteresis, is_cut_at_zero_when_bodies_are_torn_apart) {
  const Flores l = law<Flores>(0.5);  // c = 1.6
  EXPECT_GT(l.force(1e-4, -0.62, 1), 0);
  EXPECT_EQ(l.force(1e-4, -0.63, 1), 0);
  EXPECT_EQ(l.force(1e-4, -100, 1), 0);
}

// Below the speed `slowest` the damping is constant.
TEST(hysteresis, needs_no_first_speed) {
  const HuntCrossley l = law<HuntCrossley>(0.5);
  EXPECT_EQ(l.force(1e-5, 1e-3, 0), l.force(1e-5, 1e-3, l.slowest));
  EXPECT_EQ(l.force(1e-5, 1e-3, -1), l.force(1e-5, 1e-3, l.slowest));
}

// A ball of 1 kg placed on a plane comes to rest where K δ^1.5 carries its weight, and only loses energy.
TEST(hysteresis, lets_a_ball_come_to_rest) {
  const HuntCrossley l = law<HuntCrossley>(0.5);
  const double rest = std::pow(g / 2e9, 2 / 3.0), h = 5e-6;
  double depth = 0, v = 0, last = 0;
  for (int k = 0; k < 20000; ++k) {
    const auto a = [&](double d, double u) { return g - l.force(d, u, 0); };
    const double k1 = a(depth, v), v2 = v + h / 2 * k1, k2 = a(depth + h / 2 * v, v2), v3 = v + h / 2 * k2,
                 k3 = a(depth + h / 2 * v2, v3), v4 = v + h * k3, k4 = a(depth + h * v3, v4);
    depth += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
    v += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    const double energy = v * v / 2 - g * depth + l.stored(depth);
    EXPECT_LE(energy, last + 1e-12);
    last = energy;
  }
  EXPECT_NEAR(depth, rest, 1e-9 * rest);
  EXPECT_NEAR(v, 0, 1e-12);
}

TEST(kelvin_voigt, says_that_it_jumps_and_pulls) {
  KelvinVoigt l;
  l.stiffness = 1e6;
  l.damping = 50;
  EXPECT_TRUE(l.jumps());
  EXPECT_TRUE(KelvinVoigt::tensile);
  EXPECT_DOUBLE_EQ(l.force(1e-4, 2, 2), 100 + 100);
  EXPECT_DOUBLE_EQ(l.force(1e-4, -4, 2), 100 - 200);
  EXPECT_NEAR(jump_of([&](double x) { return l.force(1e-4 * (x - 0.3), 2, 2); }), 100, 1e-9);
  l.ramp = 2e-4;
  EXPECT_FALSE(l.jumps());
  EXPECT_DOUBLE_EQ(l.force(1e-4, 2, 2), 100 + 50);
  EXPECT_DOUBLE_EQ(l.force(3e-4, 2, 2), 300 + 100);
}

TEST(contact_laws, refuse) {
  EXPECT_EQ(refusal(law<Flores>(0)), "restitution: must lie above 0 and not above 1");
  EXPECT_EQ(refusal(law<Gonthier>(0)), "restitution: must lie above 0 and not above 1");
  EXPECT_EQ(refusal(law<HuntCrossley>(0)), "accepted");
  EXPECT_EQ(refusal(law<LankaraniNikravesh>(1.01)), "restitution: must lie between 0 and 1");
  EXPECT_EQ(refusal(law<LeeWang>(NAN)), "restitution: must lie between 0 and 1");
  Hertz soft;
  soft.stiffness = 0;
  EXPECT_EQ(refusal(soft), "stiffness: must be positive");
  soft.stiffness.reset();
  EXPECT_EQ(refusal(soft), "accepted");
  soft.exponent = 0.5;
  EXPECT_EQ(refusal(soft), "exponent: must be 1 or more");
  EXPECT_THROW(soft.stiffness_from(1e9), FieldError);
}

// contact_oracles: a steel journal of 9.5 mm in a bearing of 10 mm; a steel sphere of 0.1 m on a plane.
TEST(stiffness, follows_from_radii_and_materials) {
  const Material steel;
  const JournalInBearing joint{{.radius_i = 10e-3, .radius_j = 9.5e-3}};
  EXPECT_NEAR(joint.relative_radius(), 0.19, 1e-12);
  EXPECT_NEAR(hertz_stiffness(joint.relative_radius(), steel, steel) / 66101983978.96845, 1, 1e-12);
  const SphereOnPlane ball{{.radius = 0.1}};
  EXPECT_NEAR(hertz_stiffness(ball.relative_radius(), steel, steel) / 47955419461.894104, 1, 1e-14);
  // A plane is a sphere without curvature.
  EXPECT_DOUBLE_EQ(relative_radius(0.1, INFINITY), 0.1);
  // Two equal spheres have half the radius.  With a rigid partner one compliance remains: twice the stiffness.
  const SphereOnSphere two{{.radius_i = 0.1, .radius_j = 0.1}};
  EXPECT_DOUBLE_EQ(two.relative_radius(), 0.05);
  EXPECT_NEAR(hertz_stiffness(0.1, steel, {.young = 1e300}) / 47955419461.894104, 2, 1e-12);
  EXPECT_EQ(refusal(Material{.young = 0}), "young: must be positive");
  EXPECT_EQ(refusal(Material{.poisson = 0.6}), "poisson: must lie above -1 and not above 0.5");
}
}  // namespace
}  // namespace mubody::testing
