// The oil film: published closed form, its limits, an integration of the pressure, dissipation, transition to dry.
#include <array>

#include "mubody/contact/laws/lankarani_nikravesh.h"
#include "tests/contact/sample.h"

namespace mubody::testing {
namespace {

// μ L R³/c² = 1 N s, c = 1/2 mm.
const JournalInBearing bearing{{.radius_i = 0.010, .radius_j = 0.0095}};
const double c = bearing.clearance();
const PinkusSternlicht film{.viscosity = c * c / (0.02 * std::pow(0.0095, 3)), .length = 0.02};

/// The state with ε, ε̇ and γ̇ in the direction `angle`.
Eccentricity at(double eps, double eps_rate, double turning, double spin, double angle = 0) {
  const Vec<2> r(std::cos(angle), std::sin(angle));
  return {c * eps * r, c * (eps_rate * r + eps * turning * perp(r)), spin};
}

// contact_oracles, lubrication: ε, ε̇, W, F_r, F_t of the closed form, in units of μ L R³/c².
TEST(film, is_that_of_pinkus_and_sternlicht) {
  const std::array<std::array<double, 5>, 11> rows{{{0.2, 0.1, 1, -2.7072619010372323, 2.221779698698688},
                                                    {0.5, 0.1, 1, -5.5230563154574615, 6.013885084497545},
                                                    {0.8, 0.1, 1, -19.906551307784778, 12.629503629169818},
                                                    {0.95, 0.02, 1, -52.68068380892331, 22.94065061080058},
                                                    {0.5, 1, 0.1, -49.60046341343009, 0.7081188404535086},
                                                    {0.5, -0.1, 1, 0.2811016500920353, 3.659711524751617},
                                                    {0.8, -0.1, 1, -2.453258787841483, 6.4104518471319585},
                                                    {0.95, -0.02, 1, -27.91477948267306, 16.57600551700182},
                                                    {0.5, -1, 0.1, 8.441116242064883, 0.2592408204714076},
                                                    {0.6, 1e-6, 1, -2.8602063072182804, 5.990347438699701},
                                                    {0.6, -1e-6, 1, -2.860132676140462, 5.990302511430866}}};
  for (const auto& [eps, rate, W, Fr, Ft] : rows)
    for (const double turning : {0.0, 0.7}) {  // only ω − 2γ̇ matters
      const FilmForce f = film.full(bearing, at(eps, rate, turning, W + 2 * turning));
      EXPECT_NEAR(f.force.x(), Fr, 1e-11 * std::abs(Fr));
      EXPECT_NEAR(f.force.y(), Ft, 1e-11 * Ft);
      // The same backwards, and in another direction.
      const FilmForce back = film.full(bearing, at(eps, rate, -turning, -W - 2 * turning, pi / 2));
      EXPECT_NEAR(back.force.y(), Fr, 1e-11 * std::abs(Fr));
      EXPECT_NEAR(back.force.x(), Ft, 1e-11 * Ft);
      EXPECT_NEAR(back.moment, -f.moment, 1e-11 * std::abs(f.moment));
    }
}

// Half Sommerfeld: F_r = −12 W ε²/((2 + ε²)(1 − ε²)), F_t = 6π W ε/((2 + ε²)√(1 − ε²)), from both sides.
TEST(film, meets_the_half_sommerfeld_limit_from_both_sides) {
  for (double eps = 0.05; eps < 0.99; eps += 0.05)
    for (const double rate : {1e-10, -1e-10, 0.0}) {
      const FilmForce f = film.full(bearing, at(eps, rate, 0, 1));
      const double Fr = -12 * eps * eps / ((2 + eps * eps) * (1 - eps * eps));
      const double Ft = 6 * pi * eps / ((2 + eps * eps) * std::sqrt(1 - eps * eps));
      EXPECT_NEAR(f.force.x() / Fr, 1, 1e-6);
      EXPECT_NEAR(f.force.y() / Ft, 1, 1e-6);
    }
}

// Sommerfeld's pressure p/6μ(R/c)² of a long bearing, over θ from the thickest film in the sense of W.
double pressure(double eps, double rate, double W, double theta) {
  const double h = 1 + eps * std::cos(theta);
  return W * eps * (2 + eps * std::cos(theta)) * std::sin(theta) / ((2 + eps * eps) * h * h) +
         rate / eps * (1 / (h * h) - 1 / ((1 + eps) * (1 + eps)));
}

// Forces of a pressure by the trapezoidal rule, which is exact for smooth periodic functions, in μ L R³/c².  At the
// angle θ the journal is pushed along (cos θ, sin θ) as seen with r along e.
template <class P> Vec<2> pushed(P p) {
  Vec<2> F = Vec<2>::Zero();
  const int n = 200000;
  for (int k = 0; k < n; ++k) {
    const double theta = 2 * pi * (k + 0.5) / n;
    F += 6 * 2 * pi / n * p(theta) * Vec<2>(std::cos(theta), std::sin(theta));
  }
  return F;
}

// Where the pressure of a motion is positive, that of the reverse motion is negative, so that the difference of
// both forces is that of the whole film, which has no cavities and can be integrated.
TEST(film, and_its_reverse_make_the_whole_film) {
  Random random(31);
  for (int k = 0; k < 20; ++k) {
    const double eps = random(0.05, 0.9), rate = random(), W = random();
    const Vec<2> whole = pushed([&](double theta) { return pressure(eps, rate, W, theta); });
    const Vec<2> there = film.full(bearing, at(eps, rate, 0, W)).force;
    const Vec<2> back = film.full(bearing, at(eps, -rate, 0, -W)).force;
    EXPECT_LT((there - back - whole).norm(), 1e-9 * whole.norm());
  }
}

// Without squeezing the pressure is positive from 0 to π; near that case the closed form is close to the
// integral of the positive part.
TEST(film, is_the_positive_part_of_the_pressure) {
  for (const double eps : {0.1, 0.5, 0.9}) {
    const Vec<2> half = pushed([&](double theta) { return std::max(0.0, pressure(eps, 0, 1, theta)); });
    EXPECT_LT((film.full(bearing, at(eps, 0, 0, 1)).force - half).norm(), 1e-8 * half.norm());
  }
  const Vec<2> part = pushed([&](double theta) { return std::max(0.0, pressure(0.8, 0.1, 1, theta)); });
  EXPECT_NEAR(part.x(), -19.68360964646756, 1e-6);  // contact_oracles
  EXPECT_NEAR(part.y(), 12.919631834346992, 1e-6);
  EXPECT_LT((film.full(bearing, at(0.8, 0.1, 0, 1)).force - part).norm(), 0.03 * part.norm());
}

Eccentricity any_eccentricity(Random& random, double most = 0.999) {
  const double eps = random() < 0.5 ? random(0, most) : 1 - random.decades(1 - most, 1);
  return at(eps, random() * random.decades(1e-3, 1e3), random() * random.decades(1e-3, 1e3),
            random() * random.decades(1e-3, 1e3), random(-pi, pi));
}

// The film absorbs power whether the journal approaches or recedes; it is the power of its force and moment.
TEST(film, dissipates_for_both_signs_of_the_squeeze) {
  Random random(32);
  int nearer = 0;
  for (int k = 0; k < 10000; ++k) {
    const Eccentricity e = any_eccentricity(random);
    const FilmForce f = film.full(bearing, e);
    nearer += e.rate.dot(e.e) > 0;
    ASSERT_TRUE(f.in_range);
    EXPECT_GT(f.dissipated, 0);
    const double given = -(f.force.dot(e.rate) + f.moment * e.spin);
    const double scale = f.force.norm() * e.rate.norm() + std::abs(f.moment * e.spin);
    EXPECT_NEAR(f.dissipated, given, 1e-11 * scale);
    // The power of squeezing and wedge alone, without the shear that any fluid has.
    const double shear = 2 * pi * c * e.spin * e.spin / std::sqrt((1 - e.e.norm() / c) * (1 + e.e.norm() / c));
    EXPECT_GE(f.dissipated - shear, -1e-9 * shear);
    // If the bearing does not turn relative to its journal, the force opposes the motion.
    const FilmForce still = film.full(bearing, {e.e, e.rate, 0});
    EXPECT_LT(still.force.dot(e.rate), 0);
  }
  EXPECT_GT(nearer, 4000);
  EXPECT_LT(nearer, 6000);
}

// The shear stress on the journal is μ R ω/h + (h/2R) dp/dθ: its moment by integration, without squeezing.
TEST(film, moment_is_that_of_the_shear) {
  for (const double eps : {0.0, 0.3, 0.8}) {
    double M = 0;
    const int n = 200000;
    for (int k = 0; k < n; ++k) {
      const double theta = 2 * pi * (k + 0.5) / n, h = 1 + eps * std::cos(theta), d = 1e-5;
      const auto p = [&](double x) { return eps > 0 ? 6 * std::max(0.0, pressure(eps, 0, 1, x)) : 0.0; };
      M -= 2 * pi / n * c * (1 / h + h / 2 * (p(theta + d) - p(theta - d)) / (2 * d));
    }
    EXPECT_NEAR(film.full(bearing, at(eps, 0, 0, 1)).moment / M, 1, 1e-6);
  }
}

// In the centre the film is a damper without preferred direction, 6π μ L R³/c³.
TEST(film, is_regular_in_the_centre) {
  const Vec<2> v(3e-4, -4e-4);
  const FilmForce f = film.full(bearing, {Vec<2>::Zero(), v, 12});
  EXPECT_LT((f.force + 6 * pi / c * v).norm(), 1e-12 * f.force.norm());
  for (double angle = 0; angle < 6; angle += 0.5) {
    const Vec<2> near = 1e-9 * c * Vec<2>(std::cos(angle), std::sin(angle));
    EXPECT_LT((film.full(bearing, {near, v, 12}).force - f.force).norm(), 1e-7 * f.force.norm());
  }
  const FilmForce rest = film.full(bearing, {});
  EXPECT_EQ(rest.force.norm(), 0);
  EXPECT_EQ(rest.moment, 0);
  EXPECT_EQ(film.full(bearing, at(0.5, 0, 0, 0)).force.norm(), 0);
}

TEST(film, says_when_it_is_out_of_range) {
  PinkusSternlicht never_dry = film;
  never_dry.dry_below = 0;
  for (const double eps : {1.0, 1.2}) {
    EXPECT_FALSE(film.full(bearing, at(eps, 1, 0, 1)).in_range);
    EXPECT_FALSE(never_dry(bearing, at(eps, 1, 0, 1)).in_range);
    EXPECT_TRUE(std::isnan(never_dry(bearing, at(eps, 1, 0, 1)).force.x()));
    const FilmForce gone = film(bearing, at(eps, 1, 0, 1));  // contact has taken over
    EXPECT_TRUE(gone.in_range);
    EXPECT_EQ(gone.force.norm(), 0);
  }
}

class Transition : public ::testing::TestWithParam<double> {
 protected:
  PinkusSternlicht blend = film;
  LankaraniNikravesh law;
  Transition() {
    blend.dry_below = 0.1;
    blend.dry_only_below = GetParam();
    blend.check();
    law.stiffness = 66101983978.96845;
  }
  // The radial force and power of film and contact together.
  struct Both {
    double force, heat;
  };
  Both both(double eps, double eps_rate, double spin) const {
    const Eccentricity e = at(eps, eps_rate, 0, spin);
    const FilmForce f = blend(bearing, e);
    const double depth = blend.depth(c - e.e.norm(), c), rate = c * eps_rate;
    const double dry = law.force(depth, rate, 0.1);
    return {f.force.x() - dry, f.dissipated + (dry - law.elastic(depth)) * rate};
  }
};

TEST_P(Transition, is_continuous) {
  for (const double rate : {50.0, 0.0, -50.0}) {
    const auto force = [&](double x) { return both(0.85 + 0.2 * x, rate, 300).force; };
    double scale = 0;
    for (int k = 0; k <= 100; ++k) scale = std::max(scale, std::abs(force(k / 100.0)));
    EXPECT_LE(jump_of(force), 1e-9 * scale);
    EXPECT_LE(jump_of([&](double x) { return both(1 - GetParam() + 0.01 * (x - 0.5), rate, 300).force; }),
              1e-9 * scale);
  }
}

TEST_P(Transition, never_gives_power_away) {
  Random random(33);
  for (int k = 0; k < 10000; ++k)
    EXPECT_GE(both(random(0.85, 1.05), random() * random.decades(1e-3, 1e3), random() * 1e3).heat, 0);
}

TEST_P(Transition, is_all_film_above_and_all_dry_below) {
  EXPECT_EQ(blend.share(0.1 * c, c), 1);
  EXPECT_EQ(blend.share(GetParam() * c, c), 0);
  EXPECT_NEAR(blend.share((0.1 + GetParam()) / 2 * c, c), 0.5, 1e-12);
  EXPECT_NEAR(blend.depth(0.1 * c, c), 0, 1e-18);
  EXPECT_NEAR(blend.depth(-0.1 * c, c), 0.2 * c, 1e-18);
  const Eccentricity above = at(0.89, 1, 0, 1);
  EXPECT_EQ(blend(bearing, above).force, film.full(bearing, above).force);
}

INSTANTIATE_TEST_SUITE_P(bands, Transition, ::testing::Values(0.0, 0.02, 0.08));

TEST(film, refuses) {
  PinkusSternlicht f = film;
  f.viscosity = 0;
  EXPECT_EQ(refusal(f), "viscosity: must be positive");
  f = film;
  f.dry_below = 1;
  EXPECT_EQ(refusal(f), "dry_below: must not be negative and less than 1");
  f = film;
  f.dry_only_below = 0.06;
  EXPECT_EQ(refusal(f), "dry_only_below: must be less than 'dry_below'");
}
}  // namespace
}  // namespace mubody::testing
