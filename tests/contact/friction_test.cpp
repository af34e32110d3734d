// Friction laws: what every law must do in every state, and the closed forms of each.
#include <set>

#include <fmt/format.h>

#include "mubody/analyses/run.h"
#include "mubody/contact/friction/bengisu_akay.h"
#include "mubody/contact/friction/coulomb.h"
#include "mubody/contact/friction/lugre.h"
#include "mubody/contact/friction/modified_coulomb.h"
#include "mubody/contact/friction/threlfall.h"
#include "mubody/forces/point_force.h"
#include "mubody/functions/harmonic.h"
#include "mubody/reading/read_model.h"
#include "tests/contact/sample.h"

namespace mubody::testing {
namespace {
constexpr int speeds = 10000;

TEST(friction, all_are_registered) {
  std::set<std::string_view> names;
  for (const FrictionEntry& entry : friction_kinds()) {
    names.insert(entry.info.name);
    EXPECT_EQ(entry.make()->states(), entry.info.name == "lugre" || entry.info.name == "coulomb" ? 1 : 0);
  }
  EXPECT_EQ(names,
            (std::set<std::string_view>{"modified_coulomb", "threlfall", "bengisu_akay", "lugre", "coulomb"}));
}

class EveryFriction : public ::testing::TestWithParam<FrictionEntry> {
 protected:
  template <class Check> void each(Check&& check) {
    Random random(12);
    for (int k = 0; k < speeds; ++k) {
      const auto law = GetParam().make();
      Draw draw(random);
      law->fields(draw);
      ASSERT_NO_THROW(law->check());
      check(*law, random);
    }
  }
  // Bristles bent up to ten times further than they can hold.
  static double bent(const FrictionKind& law, Random& random) { return law.states() * random(-1e-2, 1e-2); }
  static double slipping(Random& random) { return random() * random.decades(1e-5, 10); }
};

TEST_P(EveryFriction, dissipates) {
  each([](const FrictionKind& law, Random& random) {
    const double N = random.decades(1e-3, 1e5), v = slipping(random);
    const double z = bent(law, random) * (random() > 0 ? 1 : 1e-3);
    const double heat = law.dissipated(N, v, z);
    EXPECT_TRUE(std::isfinite(heat));
    EXPECT_GE(heat, -1e-12 * std::abs(law.force(N, v, z) * v));
    EXPECT_GE(law.stored(N, z), 0);
  });
}

// The heat of both directions together is positive; each depends on the speed of the whole slip.
TEST_P(EveryFriction, dissipates_on_a_surface) {
  each([](const FrictionKind& law, Random& random) {
    const double N = random.decades(1e-3, 1e5), size = random.decades(1e-5, 10),
                 bend = random.decades(1e-7, 1e-2);
    const Vec<2> v = size * random.vector<2>(), z = law.states() * bend * random.vector<2>();
    double heat = 0, scale = 0;
    for (int k = 0; k < 2; ++k) {
      const Bristle bristle(z[k], z.norm(), z.dot(v) / std::max(z.norm(), 1e-300));
      heat += law.dissipated(N, {v[k], v.norm()}, bristle);
      scale += std::abs(law.force(N, {v[k], v.norm()}, bristle) * v[k]);
    }
    EXPECT_GE(heat, -1e-12 * scale);
    if (law.states() == 0) {  // along the slip, and as strong as in the plane
      const Vec<2> F(law.force(N, {v[0], v.norm()}), law.force(N, {v[1], v.norm()}));
      EXPECT_NEAR(F.x() * v.y() - F.y() * v.x(), 0, 1e-12 * N * v.norm());
      EXPECT_NEAR(F.norm(), law.force(N, v.norm()), 1e-12 * N);
    }
  });
}

TEST_P(EveryFriction, is_continuous_and_odd) {
  each([](const FrictionKind& law, Random& random) {
    const double N = random.decades(1e-3, 1e5), a = slipping(random), b = slipping(random),
                 z = bent(law, random);
    const auto at = [&](double x) { return law.force(N, a + x * (b - a), z); };
    const double scale = std::max({std::abs(at(0)), std::abs(at(1)), N});
    if (!law.changes()) {
      EXPECT_LE(jump_of(at), 1e-9 * scale);
    }
    EXPECT_LE(jump_of([&](double x) { return law.force((x - 0.5) * N, a, z); }), 1e-9 * scale);
    EXPECT_DOUBLE_EQ(law.force(N, -a, -z), -law.force(N, a, z));
    EXPECT_EQ(law.force(N, 0.0, 0), 0);
    EXPECT_EQ(law.force(-N, a, z), 0);
    EXPECT_EQ(law.rate(-N, a, z), 0);
  });
}

INSTANTIATE_TEST_SUITE_P(all, EveryFriction,
                         ::testing::ValuesIn(friction_kinds().begin(), friction_kinds().end()),
                         [](const auto& p) { return std::string(p.param.info.name); });

TEST(modified_coulomb, has_a_ramp) {
  const Friction law(ModifiedCoulomb{.mu = 0.3, .none = 0.01, .full = 0.03});
  EXPECT_EQ(law->force(100, 0.01), 0);
  EXPECT_NEAR(law->force(100, 0.02), 15, 1e-12);
  EXPECT_DOUBLE_EQ(law->force(100, 0.03), 30);
  EXPECT_DOUBLE_EQ(law->force(100, -5), -30);
  EXPECT_EQ(refusal(ModifiedCoulomb{.none = 1, .full = 1}), "full: must be greater than 'none'");
  EXPECT_EQ(refusal(ModifiedCoulomb{.mu = -1}), "mu: must not be negative");
}

// A disc that cannot turn slides 2 m/s fast: after 0.68 s and v²/(2 μ g) it lies still.
TEST(modified_coulomb, lets_a_body_come_to_rest) {
  const Results r = run(io::read_study_text(R"toml(gravity = [0, -9.81]
[bodies]
s = {mass = 2, inertia = 0.1, position = [0, 0.1], velocity = [2, 0]}
[joints]
no = {type = "coordinate", body = "s", coordinate = "angle", value = 0}
[forces]
c = {type = "line_contact", bodies = ["ground", "s"], i = {at = [0, 0], axis = [1, 0]}, j = [0, 0], radius = 0.1, law = {type = "hunt_crossley", stiffness = 1e6, restitution = 0.1}, friction = 0.3}
[analysis]
end = 1
[output]
step = 0.1)toml",
                                            "test.toml"));
  ASSERT_TRUE(r.trusted) << r.verdict;
  EXPECT_NEAR(r.column("s.vx").back(), 0, 1e-9);
  EXPECT_NEAR(r.column("s.x").back(), 4 / (2 * 0.3 * 9.81), 1e-3);
}

TEST(threlfall, reaches_95_percent) {
  const Friction law(Threlfall{.mu = 0.3, .full = 0.03});
  EXPECT_NEAR(law->force(100, 0.03), 30 * (1 - std::exp(-3)), 1e-12);
  EXPECT_NEAR(law->force(100, 1), 28.506387948964083, 1e-12);
  EXPECT_NEAR(law->force(100, 0.01), 30 * (1 - std::exp(-1)), 1e-12);
  EXPECT_EQ(refusal(Threlfall{.full = 0}), "full: must be positive");
}

TEST(bengisu_akay, has_its_peak_at_the_static_coefficient) {
  const Friction law(BengisuAkay{.mu = 0.2, .mu_static = 0.3, .peak = 0.01, .drop = 50});
  EXPECT_NEAR(law->force(100, 0.005), 30 * 0.75, 1e-12);
  EXPECT_NEAR(law->force(100, 0.01), 30, 1e-12);
  EXPECT_NEAR(law->force(100, 0.03), 20 + 10 * std::exp(-1), 1e-12);
  EXPECT_NEAR(law->force(100, 10), 20, 1e-12);
  EXPECT_EQ(refusal(BengisuAkay{.mu = 0.2, .mu_static = 0.1}), "mu_static: must not be less than 'mu'");
}

Lugre bristles() { return {.mu = 0.2, .mu_static = 0.3, .stribeck = 1e-3, .viscous = 0.5}; }

// Integrates z by the classical Runge-Kutta method for a slip velocity that depends on time.
template <class V> double bend(const FrictionKind& law, double z, double end, int steps, V v) {
  const double h = end / steps;
  for (int k = 0; k < steps; ++k) {
    const double t = end * k / steps, k1 = law.rate(1, v(t), z), k2 = law.rate(1, v(t + h / 2), z + h / 2 * k1),
                 k3 = law.rate(1, v(t + h / 2), z + h / 2 * k2), k4 = law.rate(1, v(t + h), z + h * k3);
    z += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return z;
}

// Steady sliding: σ₀ z = g(v) sgn v, the Stribeck curve.  On the way z grows as 1 − exp(−σ₀ v t/g).
TEST(lugre, slides_on_the_stribeck_curve) {
  const Friction law(bristles());
  for (const double v : {1e-4, -1e-3, 0.5}) {
    const double g = 0.2 + 0.1 * std::exp(-v * v * 1e6), time = g / (1e5 * std::abs(v));
    const double once = bend(*law, 0, time, 100, [v](double) { return v; });
    EXPECT_NEAR(once * 1e5 / g, std::copysign(1 - std::exp(-1), v), 1e-9);
    const double z = bend(*law, 0, 40 * time, 4000, [v](double) { return v; });
    EXPECT_NEAR(law->force(50, v, z), 50 * (std::copysign(g, v) + 0.5 * v), 1e-9);
  }
}

// In small motions the bristles are a spring: force and energy are returned.
TEST(lugre, sticks_like_a_spring) {
  const Friction law(bristles());
  const double bent = bend(*law, 0, 1, 1000, [](double t) { return 2e-10 * (1 - t); });  // over 1e-10 m
  EXPECT_NEAR(bent, 1e-10, 1e-14);
  EXPECT_NEAR(law->force(50, 0.0, bent), 50 * 1e5 * 1e-10, 1e-7);
  EXPECT_NEAR(law->stored(50, bent), 50 * 1e5 * 1e-20 / 2, 1e-17);
}

// The bend never exceeds μ_s/σ₀, whatever the motion.
TEST(lugre, bristles_bend_no_further_than_they_hold) {
  const Friction law(bristles());
  Random random(5);
  for (int k = 0; k < 20; ++k) {
    const double a = random.decades(1e-4, 1e-1), b = random.decades(1, 100);
    double z = 0, most = 0;
    for (int n = 0; n < 50; ++n) {
      z = bend(*law, z, 0.02, 1000, [&](double t) { return a * std::sin(b * (t + 0.02 * n)); });
      most = std::max(most, std::abs(z));
    }
    EXPECT_LE(most, 0.3 / 1e5 * (1 + 1e-9));
  }
}

// The work that is not stored in the bristles is heat, and over any motion from rest none of that returns.  At
// these speeds a constant σ₁ would give energy away: |v| > 4 μ_s/σ₁ = 3.8 mm/s.
TEST(lugre, balances_its_energy) {
  const Friction law(bristles());
  const auto v = [](double t) { return 0.3 * std::sin(40 * t) * std::sin(900 * t); };
  double z = 0, work = 0, heat = 0;
  const int n = 200000;
  const double h = 0.1 / n;
  for (int k = 0; k < n; ++k) {
    const double t = h * k, mid = bend(*law, z, h / 2, 1, [&](double s) { return v(t + s); });
    const double next = bend(*law, z, h, 1, [&](double s) { return v(t + s); });
    const auto simpson = [&](auto f) { return h / 6 * (f(t, z) + 4 * f(t + h / 2, mid) + f(t + h, next)); };
    work += simpson([&](double s, double y) { return law->force(1, v(s), y) * v(s); });
    heat += simpson([&](double s, double y) { return law->dissipated(1, v(s), y); });
    z = next;
    ASSERT_GE(work, 0);
  }
  EXPECT_NEAR(work, heat + law->stored(1, z), 1e-8 * work);
}

TEST(lugre, is_as_published_at_low_speed_and_limited_beyond) {
  const Lugre law = bristles();
  const double v = 2e-3, z = 1e-6, rate = v - 1e5 * v * z / law.steady(v);  // σ₁ v = 0.632 < 4 g
  EXPECT_DOUBLE_EQ(law.force(v, z), 1e5 * z + 316 * rate + 0.5 * v);
  const double fast = 1;
  EXPECT_DOUBLE_EQ(law.force(fast, z), 1e5 * z + 4 * 0.2 * (1 - 1e5 * z / 0.2) + 0.5);
  EXPECT_EQ(refusal(Lugre{.mu = 0}), "mu: must be positive");
  EXPECT_EQ(refusal(Lugre{.stiffness = 0}), "stiffness: must be positive");
}

// A disc that cannot turn rests on a slope of a given tangent, as deep as its weight presses it.
Study on_slope(double tangent, double end, const std::string& friction) {
  const double angle = std::atan(tangent), c = std::cos(angle), s = std::sin(angle);
  const std::string text =
      fmt::format(R"toml(gravity = [{0}, {1}]
[bodies]
s = {{mass = 2, inertia = 0.1, position = [0, {5}]}}
[joints]
no = {{type = "coordinate", body = "s", coordinate = "angle", value = 0}}
[forces]
c = {{type = "line_contact", bodies = ["ground", "s"], i = {{at = [0, 0], axis = [1, 0]}}, j = [0, 0], radius = 0.1, law = {{type = "hunt_crossley", stiffness = 1e6, restitution = 0.1}}, friction = {2}}}
[analysis]
end = {3}
estimate = false
rtol = 1e-10
[output]
step = {4})toml",
                  9.81 * s, -9.81 * c, friction, end, end / 10, 0.1 - std::pow(2 * 9.81 * c / 1e6, 2.0 / 3));
  return io::read_study_text(text, "slope.toml");
}

// Below the angle of friction nothing creeps, at the law's own coefficient and at the larger one of rest.
TEST(coulomb, holds_below_the_angle_of_friction) {
  for (const auto& [tangent, friction] :
       {std::pair(0.29, R"({type = "coulomb", mu = 0.3})"),
        std::pair(0.38, R"({type = "coulomb", mu = 0.3, mu_static = 0.4})")}) {
    const Results r = run(on_slope(tangent, 20, friction));
    ASSERT_TRUE(r.trusted) << r.verdict;
    const auto x = r.column("s.x");
    EXPECT_NEAR(x.back(), x[1], 1e-9) << friction;
    EXPECT_NEAR(x.back(), tangent / 1e5, 1e-8) << friction;
    EXPECT_NEAR(r.column("c.friction").back(), 2 * 9.81 * std::sin(std::atan(tangent)), 1e-6);
  }
}
// Above it the body slides as Coulomb has it.
TEST(coulomb, slides_above_the_angle_of_friction) {
  const double tangent = 0.35, angle = std::atan(tangent);
  const Results r = run(on_slope(tangent, 2, R"({type = "coulomb", mu = 0.3})"));
  ASSERT_TRUE(r.trusted) << r.verdict;
  const double a = 9.81 * (std::sin(angle) - 0.3 * std::cos(angle));
  const auto v = r.column("s.vx");
  EXPECT_NEAR(r.column("s.ax").back(), a, 1e-8);
  EXPECT_NEAR(v.back() - v[v.size() - 3], a * 0.4, 1e-8);
}

// Shaken below the limit, a body on a slope stays where it is.
TEST(coulomb, does_not_creep_when_shaken) {
  Study study = on_slope(0.2, 5, R"({type = "coulomb", mu = 0.3})");
  PointForce shake;
  shake.i.body = ground, shake.j.body = 1;
  shake.force = {Signal(Function(Harmonic{.amplitude = 1.5, .frequency = 3, .omega = {}})), Signal(0.0)};
  study.mechanism.add_force("shake", shake);
  study.mechanism.prepare(study.mechanism.forces.back());
  const Results r = run(study);
  ASSERT_TRUE(r.trusted) << r.verdict;
  // Rows are whole periods of the force: 0.5 s and 1.5 of them, so every second row is.
  const auto x = r.column("s.x");
  EXPECT_NEAR(x[10], x[2], 1e-9);
}

// A disc that cannot turn slides on a floor; more of the model follows.
Results on_floor(const std::string& start, const std::string& more, const std::string& analysis) {
  return run(io::read_study_text("gravity = [0, -9.81]\n[bodies]\ns = {mass = 2, inertia = 0.1, " + start +
                                     R"toml(}
[joints]
no = {type = "coordinate", body = "s", coordinate = "angle", value = 0}
[forces]
c = {type = "line_contact", bodies = ["ground", "s"], i = {at = [0, 0], axis = [1, 0]}, j = [0, 0], radius = 0.1, law = {type = "hunt_crossley", stiffness = 1e6, restitution = 0.1}, friction = {type = "coulomb", mu = 0.3}}
)toml" + more + "[analysis]\nestimate = false\n" +
                                     analysis + "\n[output]\nstep = 0.05",
                                 "floor.toml"));
}

// Slides to rest after v²/(2 μ g), also with steps of one size, and stays there.
TEST(coulomb, comes_to_rest) {
  for (const char* analysis : {"end = 1", "end = 1\nintegrator = \"rk4\"\nstep = 1e-4"}) {
    const Results r = on_floor("position = [0, 0.09927243], velocity = [1, 0]", "", analysis);
    ASSERT_TRUE(r.trusted) << r.verdict;
    EXPECT_NEAR(r.column("s.x").back(), 1 / (2 * 0.3 * 9.81), 1e-5) << analysis;
    EXPECT_NEAR(r.column("s.vx").back(), 0, 1e-9) << analysis;
  }
}
// A wall throws it back, and a force pulls to and fro by less than the limit: neither changes back and forth without end.
TEST(coulomb, does_not_chatter) {
  const Results wall = on_floor(
      "position = [0, 0.09927243], velocity = [2, 0]",
      R"(w = {type = "line_contact", bodies = ["ground", "s"], i = {at = [0.4, 0], axis = [0, 1]}, j = [0, 0], radius = 0.1, law = {type = "hunt_crossley", stiffness = 1e6, restitution = 0.8}}
)",
      "end = 1");
  EXPECT_TRUE(wall.trusted) << wall.verdict;
  EXPECT_NEAR(wall.column("s.vx").back(), 0, 1e-6);
  const Results pulled =
      on_floor("position = [0, 0.09927243]",
               R"toml(p = {type = "force", body = "s", at = [0, 0], force = ["= 5 * sign(sin(2*pi*t+0.1))", 0]}
)toml",
               "end = 2");
  EXPECT_TRUE(pulled.trusted) << pulled.verdict;
  for (const double x : pulled.column("s.x")) EXPECT_LT(std::abs(x), 3e-6);
  // Dropped from a height, with speed along the floor.
  const Results dropped = on_floor("position = [0, 0.15], velocity = [0.5, 0]", "", "end = 1");
  EXPECT_TRUE(dropped.trusted) << dropped.verdict;
  EXPECT_NEAR(dropped.column("s.vx").back(), 0, 1e-6);
}

// A spring holds a block on a belt: it sticks up to the limit of rest, then swings about the place where sliding friction
// bears the spring, with the speed of the belt at the start.
TEST(coulomb, sticks_and_slips_on_a_belt) {
  const Results r = run(io::read_study_text(R"toml(gravity = [0, -9.81]
[bodies]
belt = {mass = 1, inertia = 1}
s = {mass = 2, inertia = 0.1, position = [0, 0.09927243], velocity = [0.1, 0]}
[joints]
no = {type = "coordinate", body = "s", coordinate = "angle", value = 0}
level = {type = "coordinate", body = "belt", coordinate = "angle", value = 0}
low = {type = "coordinate", body = "belt", coordinate = "y", value = 0}
moves = {type = "coordinate", body = "belt", coordinate = "x", value = {type = "polynomial", coefficients = [0, 0.1]}}
[forces]
holds = {type = "spring", bodies = ["ground", "s"], i = [-1, 0.09927243], j = [0, 0], stiffness = 100, free_length = 1}

[forces.c]
type = "line_contact"
bodies = ["belt", "s"]
i = {at = [0, 0], axis = [1, 0]}
j = [0, 0]
radius = 0.1
law = {type = "hunt_crossley", stiffness = 1e6, restitution = 0.1}
friction = {type = "coulomb", mu = 0.2, mu_static = 0.4, stribeck = 1e-5}

[analysis]
end = 1.5
estimate = false
rtol = 1e-9
[output]
step = 1e-3)toml",
                                            "belt.toml"));
  ASSERT_TRUE(r.trusted) << r.verdict;
  const auto x = r.column("s.x");
  const double normal = 2 * 9.81, omega = std::sqrt(100.0 / 2);
  EXPECT_NEAR(*std::max_element(x.begin(), x.end()),
              0.2 * normal / 100 + std::hypot(0.2 * normal / 100, 0.1 / omega), 2e-5);
}

// On a surface the force is full and against the slip, in whatever direction that turns.
TEST(coulomb, turns_with_the_slip_on_a_surface) {
  const Friction law(Coulomb{.mu = 0.3});
  Vec<2> z(0.3 / 1e5, 0);
  const auto bristle = [&](const Vec<2>& v, int k) {
    Bristle b(z[k], z.norm(), z.dot(v) / z.norm());
    b.slips = true;
    return b;
  };
  for (int n = 0; n < 4000; ++n) {
    const double h = 1e-4, angle = 2 * h * n;
    const Vec<2> v(0.5 * std::cos(angle), 0.5 * std::sin(angle));
    Vec<2> rate;
    for (int k = 0; k < 2; ++k) rate[k] = law->rate(1, {v[k], v.norm()}, bristle(v, k));
    z += h * rate;
    for (int k = 0; k < 2; ++k)
      EXPECT_NEAR(law->force(1, {v[k], v.norm()}, bristle(v, k)), 0.3 * v[k] / v.norm(), 1e-6);
  }
  EXPECT_NEAR(z.norm(), 0.3 / 1e5, 1e-8);
  EXPECT_EQ(refusal(Coulomb{.mu = 0}), "mu: must be positive");
  EXPECT_EQ(refusal(Coulomb{.mu = 0.3, .mu_static = 0.2}), "mu_static: must not be less than 'mu'");
}

}  // namespace
}  // namespace mubody::testing
