// The worked impact of every law: a body of mass m hits a wall at 1 m/s, no gravity.  The law is integrated in time
// until the bodies part, and compared with reference numbers and with the first integral of the motion.
#include <array>

#include "mubody/contact/laws/flores.h"
#include "mubody/contact/laws/gonthier.h"
#include "mubody/contact/laws/herbert_mcwhannell.h"
#include "mubody/contact/laws/hertz.h"
#include "mubody/contact/laws/hunt_crossley.h"
#include "mubody/contact/laws/kelvin_voigt.h"
#include "mubody/contact/laws/lankarani_nikravesh.h"
#include "mubody/contact/laws/lee_wang.h"
#include "mubody/contact/laws/restitution.h"
#include "tests/contact/sample.h"
#include "tests/near.h"

namespace mubody::testing {
namespace {
struct Impact {
  double deepest = 0, exit_speed = 0, duration = 0, peak = 0;
};

// Classical Runge-Kutta steps; the last one before an event is shortened until it ends there.
template <class L> Impact collide(const L& law, double m, double v0, double h) {
  struct Point {
    double d, v;
  };
  const auto force = [&](const Point& p) { return law.force(p.d, p.v, v0); };
  const auto step = [&](const Point& p, double dt) {
    const auto f = [&](double k, const Point& r) {
      return Point{p.v + k * r.v, -force({p.d + k * r.d, p.v + k * r.v}) / m};
    };
    const Point k1 = f(0, {0, 0}), k2 = f(dt / 2, k1), k3 = f(dt / 2, k2), k4 = f(dt, k3);
    return Point{p.d + dt / 6 * (k1.d + 2 * k2.d + 2 * k3.d + k4.d),
                 p.v + dt / 6 * (k1.v + 2 * k2.v + 2 * k3.v + k4.v)};
  };
  // Length of the step from p at whose end `value` is zero: regula falsi on a nearly straight line.
  const auto until = [&](const Point& p, auto value) {
    double a = 0, b = h, fa = value(p), fb = value(step(p, h));
    for (int k = 0; k < 60 && b - a > 1e-16 * h; ++k) {
      const double x = a - fa * (b - a) / (fb - fa), fx = value(step(p, x));
      if (fx == 0) return x;
      if ((fx > 0) == (fa > 0))
        a = x, fa = fx, fb /= 2;
      else
        b = x, fb = fx, fa /= 2;
    }
    return (a + b) / 2;
  };
  Impact result;
  Point p{0, v0};
  double F[3] = {0, 0, force(p)};
  result.peak = F[2];
  for (long k = 0;; ++k) {
    const Point next = step(p, h);
    if (p.v > 0 && next.v <= 0) result.deepest = step(p, until(p, [](const Point& q) { return q.v; })).d;
    if (next.d <= 0) {
      const double last = until(p, [](const Point& q) { return q.d; });
      result.duration = double(k) * h + last;
      result.exit_speed = -step(p, last).v;
      return result;
    }
    F[0] = F[1], F[1] = F[2], F[2] = force(next);
    if (k > 1 && F[1] >= F[0] && F[1] > F[2]) {  // the maximum of the parabola through the three highest points
      const double slope = (F[2] - F[0]) / 2, bend = F[2] - 2 * F[1] + F[0];
      result.peak = F[1] - slope * slope / (2 * bend);
    }
    p = next;
  }
}

// The same impact from the first integral u² w(c u) = K (d^(n+1) − δ^(n+1))/((n + 1) m v0²), u = v/v0 and d the
// greatest depth.
Impact by_first_integral(double c, double K, double n, double m, double v0) {
  const auto w = [](double x) {  // (x − ln(1 + x))/x²
    if (std::abs(x) > 0.02) return (x - std::log1p(x)) / (x * x);
    double sum = 0;
    for (int k = 12; k >= 2; --k) sum = 1.0 / k - sum * x;
    return sum;
  };
  const auto speed = [&](double B, double sign) {  // u of the given sign with u² w(c u) = B, by Newton's method
    double u = sign * std::sqrt(2 * B);
    if (c * u < -0.9) u = -0.9 / c;
    for (int k = 0; k < 200; ++k) {
      double next = u - (u * u * w(c * u) - B) * (1 + c * u) / u;
      if (1 + c * next <= 0) next = (u - 1 / c) / 2;
      if (std::abs(next - u) < 1e-16 * std::abs(u)) break;
      u = next;
    }
    return u;
  };
  Impact r;
  const double unit = (n + 1) * m * v0 * v0 / K;
  r.deepest = std::pow(unit * w(c), 1 / (n + 1));
  r.exit_speed = -v0 * speed(w(c), -1);
  // Time = ∫ dδ/|v| there and back; δ = d (1 − x²) removes the infinite slope at the greatest depth.
  const auto B = [&](double x) { return -w(c) * std::expm1((n + 1) * std::log1p(-x * x)); };
  const auto slowness = [&](double x) { return x / speed(B(x), 1) - x / speed(B(x), -1); };
  const int N = 4000;
  double sum = 0;
  for (int k = 1; k < N; ++k) sum += (k % 2 ? 4 : 2) * slowness(double(k) / N);
  // At x = 0: B = w(c) (n + 1) x² = u²/2, so that x/u = 1/√(2 (n + 1) w(c)) both ways.
  sum += 2 / std::sqrt(2 * (n + 1) * w(c)) + slowness(1);
  r.duration = 2 * r.deepest / v0 * sum / (3 * N);
  // The force as a function of u, whose maximum lies in the compression.
  const auto force = [&](double u) {
    const double d = std::pow(unit * (w(c) - u * u * w(c * u)), 1 / (n + 1));
    return K * std::pow(d, n) * (1 + c * u);
  };
  double a = 0, b = 0.999;
  while (b - a > 1e-9) {
    const double x = a + (b - a) / 3, y = b - (b - a) / 3;
    (force(x) < force(y) ? a : b) = force(x) < force(y) ? x : y;
  }
  r.peak = force(a);
  return r;
}

// A steel sphere of 0.1 m and 1 kg on a half space: contact_oracles.
constexpr double sphere = 47955419461.894104, step = 1e-8;

void expect_same(const Impact& a, const Impact& b, double tolerance, const std::string& what) {
  EXPECT_NEAR(a.deepest / b.deepest, 1, tolerance) << what;
  EXPECT_NEAR(a.exit_speed / b.exit_speed, 1, tolerance) << what;
  EXPECT_NEAR(a.duration / b.duration, 1, tolerance) << what;
  EXPECT_NEAR(a.peak / b.peak, 1, tolerance) << what;
}

template <class L> L with(double e) {
  L law;
  law.stiffness = sphere;
  law.restitution = e;
  return law;
}

TEST(impact, of_the_sphere_is_as_computed_elsewhere) {
  Hertz hertz;
  hertz.stiffness = sphere;
  expect_same(collide(hertz, 1, 1, step), {5.840216239491199e-05, 1.0, 0.000171893635287843, 21403.31708178155},
              1e-9, "Hertz");
  expect_same(collide(with<LankaraniNikravesh>(0.9), 1, 1, step),
              {5.6341689688759494e-05, 0.9131766778055811, 0.00017359319437005002, 20436.353691985914}, 1e-9,
              "LN");
  expect_same(collide(with<HuntCrossley>(0.9), 1, 1, step),
              {5.624124764841905e-05, 0.9090157413492023, 0.00017368602905718205, 20397.60629105067}, 1e-9,
              "HC");
  expect_same(collide(with<Flores>(0.9), 1, 1, step),
              {5.5875486081574035e-05, 0.8939206926633781, 0.0001740325336787111, 20262.95495097492}, 1e-9,
              "Flores");
}

// Hertz: δ = (5 m v²/4K)^0.4, F = K δ^1.5, duration (δ/v) 4√π Γ(2/5)/(5 Γ(9/10)) = 2.9432750 δ/v.
TEST(impact, of_hertz_has_a_closed_form) {
  Hertz hertz;
  hertz.stiffness = sphere;
  const double d = std::pow(1.25 / sphere, 0.4);
  const double ratio = 4 * std::sqrt(EIGEN_PI) * std::tgamma(0.4) / (5 * std::tgamma(0.9));
  expect_same(collide(hertz, 1, 1, step), {d, 1, ratio * d, sphere * std::pow(d, 1.5)}, 1e-9, "Hertz");
}

constexpr std::array given{0.9, 0.7, 0.5, 0.3, 0.1};

// The restitution that the law c(e) really produces: contact_oracles, compliant_impact_effective_restitution.
template <class L>
void expect_produced(const std::array<double, 5>& factors, const std::array<double, 5>& produced) {
  for (std::size_t k = 0; k < given.size(); ++k) {
    const L law = with<L>(given[k]);
    const std::string what = std::string(L::info.name) + ", e = " + std::to_string(given[k]);
    EXPECT_NEAR(law.c(), factors[k], 1e-13 * factors[k]) << what;
    EXPECT_NEAR(produced_restitution(law.c()), produced[k], 1e-13) << what;
    const Impact found = collide(law, 1, 1, step);
    EXPECT_NEAR(found.exit_speed, produced[k], 1e-9) << what;
    expect_same(found, by_first_integral(law.c(), sphere, 1.5, 1, 1), 1e-8, what);
    EXPECT_NEAR(found.deepest / deepest(law.c(), sphere, 1.5, 1, 1), 1, 1e-9) << what;
  }
}

TEST(impact, produces_the_restitution_of_its_law) {
  expect_produced<LankaraniNikravesh>(
      {0.1425, 0.3825, 0.5625, 0.6825, 0.7425},
      {0.9131766778055811, 0.7959725953653285, 0.7252411140101973, 0.6842246057494477, 0.6652654067551503});
  expect_produced<HuntCrossley>(
      {0.15, 0.45, 0.75, 1.05, 1.35},
      {0.9090157413492023, 0.7679997890784757, 0.662962200001546, 0.5812880418085737, 0.5158326164003957});
  expect_produced<HerbertMcwhannell>(
      {0.16483516483516483, 0.569620253164557, 1.0, 1.3291139240506329, 1.4835164835164836},
      {0.9008929856761426, 0.7226826490879225, 0.5936242600400401, 0.5199665549434133, 0.49069765963362844});
  expect_produced<LeeWang>(
      {0.075, 0.225, 0.375, 0.525, 0.675},
      {0.9523701528204057, 0.8693431103470632, 0.7991987821935678, 0.738995319529823, 0.6866634390554718});
  expect_produced<Gonthier>(
      {0.2111111111111111, 0.7285714285714285, 1.5, 3.033333333333333, 9.9},
      {0.8764354238617547, 0.6695813197483054, 0.4877412560153485, 0.3042248639172528, 0.10098977421796945});
  expect_produced<Flores>(
      {0.17777777777777778, 0.6857142857142857, 1.6, 3.7333333333333334, 14.4},
      {0.8939206926633781, 0.6831841997306839, 0.4704447793267395, 0.25620790667982424, 0.0694442251515404});
}

// The produced restitution depends on neither mass, stiffness, speed nor exponent.
TEST(impact, restitution_depends_on_the_factor_alone) {
  Random random(3);
  for (int k = 0; k < 20; ++k) {
    Flores law = with<Flores>(random(0.2, 1));
    law.stiffness = random.decades(1e4, 1e8);
    law.exponent = random(1, 2);
    const double m = random.decades(0.01, 10), v = random.decades(0.1, 10);
    const double depth = deepest(law.c(), *law.stiffness, law.exponent, m, v);
    const Impact found = collide(law, m, v, 1e-4 * depth / v);
    EXPECT_NEAR(found.exit_speed / v, produced_restitution(law.c()), 1e-7);
    EXPECT_NEAR(found.deepest / depth, 1, 1e-7);
  }
}

TEST(impact, produced_restitution_holds_from_end_to_end) {
  EXPECT_EQ(produced_restitution(0), 1);
  for (double c = 1e-12; c < 1e6; c *= 3) {
    const double e = produced_restitution(c);
    EXPECT_GT(e, 0);
    EXPECT_LE(e, 1);
    if (c > 0.1 && c < 10) {
      EXPECT_NEAR(c - std::log1p(c), -c * e - std::log1p(-c * e), 1e-12);
    }
    if (c < 1e-3) {  // by series
      EXPECT_NEAR(e, 1 - 2 * c / 3 + 4 * c * c / 9, 2 * c * c * c + 1e-15);
    }
    if (c > 40) {
      EXPECT_TRUE(same(e * c, 1, 1));
    }
  }
}

// Spring and damper: m δ̈ + D δ̇ + K δ = 0 from δ = 0 until δ is zero again.
TEST(impact, of_kelvin_and_voigt_is_half_a_damped_oscillation) {
  KelvinVoigt law;
  law.stiffness = 4e6;
  law.damping = 800;  // for 1 kg: ω₀ = 2000/s, ζ = 0.2
  const double zeta = 0.2, w = 2000 * std::sqrt(1 - zeta * zeta), half = EIGEN_PI / w;
  // The force jumps at both ends; steps that end there must not be affected.
  struct Unbroken {
    KelvinVoigt law;
    double force(double depth, double rate, double first) const {
      return law.force(std::max(depth, 1e-300), rate, first) + *law.stiffness * std::min(depth, 0.0);
    }
  };
  const Impact found = collide(Unbroken{law}, 1, 1, 1e-7);
  EXPECT_NEAR(found.duration / half, 1, 1e-9);
  EXPECT_NEAR(found.exit_speed, std::exp(-zeta * 2000 * half), 1e-9);
  const double turn = std::acos(zeta) / w;  // where δ̇ = 0: tan ωt = √(1 − ζ²)/ζ
  EXPECT_NEAR(found.deepest * 2000 / std::exp(-zeta * 2000 * turn), 1, 1e-9);
  // Every derivative of δ is ahead of the one before by π − acos ζ: F = −m δ̈ is greatest at ωt = 3 acos ζ − π.
  const double top = (3 * std::acos(zeta) - EIGEN_PI) / w;
  const auto force = [&](double t) {
    const double decay = std::exp(-zeta * 2000 * t) / w, s = std::sin(w * t), c = std::cos(w * t);
    return 4e6 * decay * s + 800 * decay * (w * c - zeta * 2000 * s);
  };
  EXPECT_NEAR(found.peak / force(top), 1, 1e-9);
}
}  // namespace
}  // namespace mubody::testing
