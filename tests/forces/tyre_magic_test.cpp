// The Magic Formula tyre against the equations as they are published, written out once more.
#include "tests/forces/wheel.h"

namespace mubody::testing {
namespace {
struct Published {
  double Fx, Fy, Mx, My, Mz;
};
double sgn(double x) { return (x > 0) - (x < 0); }

// In the order and the notation of the manual of PAC2002: a for alpha, g for camber, scales of the user left out as they are 1.
Published published(const MagicCoefficients& p, double Fz, double k, double a, double g, double Vx) {
  const double Fz0 = p.FNOMIN, R0 = p.UNLOADED_RADIUS, dfz = (Fz - Fz0) / Fz0, pi = EIGEN_PI;
  const auto sine = [](double B, double C, double D, double E, double x) {
    return D * std::sin(C * std::atan(B * x - E * (B * x - std::atan(B * x))));
  };
  const auto cosine = [](double B, double C, double D, double E, double x) {
    return D * std::cos(C * std::atan(B * x - E * (B * x - std::atan(B * x))));
  };
  // Longitudinal force, pure slip
  const double SHx = p.PHX1 + p.PHX2 * dfz, kx = k + SHx, Cx = p.PCX1;
  const double mux = (p.PDX1 + p.PDX2 * dfz) * (1 - p.PDX3 * g * g), Dx = mux * Fz;
  const double Ex = std::min(1.0, (p.PEX1 + p.PEX2 * dfz + p.PEX3 * dfz * dfz) * (1 - p.PEX4 * sgn(kx)));
  const double Kx = Fz * (p.PKX1 + p.PKX2 * dfz) * std::exp(p.PKX3 * dfz), Bx = Kx / (Cx * Dx);
  const double SVx = Fz * (p.PVX1 + p.PVX2 * dfz), Fx0 = sine(Bx, Cx, Dx, Ex, kx) + SVx;
  // Lateral force, pure slip
  const double SHy = p.PHY1 + p.PHY2 * dfz + p.PHY3 * g, ay = a + SHy, Cy = p.PCY1;
  const double muy = (p.PDY1 + p.PDY2 * dfz) * (1 - p.PDY3 * g * g), Dy = muy * Fz;
  const double Ey = std::min(1.0, (p.PEY1 + p.PEY2 * dfz) * (1 - (p.PEY3 + p.PEY4 * g) * sgn(ay)));
  const double Ky = p.PKY1 * Fz0 * std::sin(2 * std::atan(Fz / (p.PKY2 * Fz0))) * (1 - p.PKY3 * std::abs(g));
  const double By = Ky / (Cy * Dy), SVy = Fz * (p.PVY1 + p.PVY2 * dfz + (p.PVY3 + p.PVY4 * dfz) * g);
  const double Fy0 = sine(By, Cy, Dy, Ey, ay) + SVy;
  // Combined slip
  const double SHxa = p.RHX1, Bxa = p.RBX1 * std::cos(std::atan(p.RBX2 * k)), Exa = p.REX1 + p.REX2 * dfz;
  const double Gxa = cosine(Bxa, p.RCX1, 1, Exa, a + SHxa) / cosine(Bxa, p.RCX1, 1, Exa, SHxa);
  const double SHyk = p.RHY1 + p.RHY2 * dfz, Byk = p.RBY1 * std::cos(std::atan(p.RBY2 * (a - p.RBY3)));
  const double Eyk = p.REY1 + p.REY2 * dfz;
  const double Gyk = cosine(Byk, p.RCY1, 1, Eyk, k + SHyk) / cosine(Byk, p.RCY1, 1, Eyk, SHyk);
  const double DVyk = muy * Fz * (p.RVY1 + p.RVY2 * dfz + p.RVY3 * g) * std::cos(std::atan(p.RVY4 * a));
  const double SVyk = DVyk * std::sin(p.RVY5 * std::atan(p.RVY6 * k));
  Published out{Fx0 * Gxa, Fy0 * Gyk + SVyk, 0, 0, 0};
  // Aligning moment
  const double at = a + p.QHZ1 + p.QHZ2 * dfz + (p.QHZ3 + p.QHZ4 * dfz) * g, ar = a + SHy + SVy / Ky;
  const auto eq = [&](double x) {
    return std::atan(std::sqrt(std::pow(std::tan(x), 2) + std::pow(Kx / Ky * k, 2))) * sgn(x);
  };
  const double Bt = (p.QBZ1 + p.QBZ2 * dfz + p.QBZ3 * dfz * dfz) * (1 + p.QBZ4 * g + p.QBZ5 * std::abs(g));
  const double Dt = Fz * (p.QDZ1 + p.QDZ2 * dfz) * (1 + p.QDZ3 * g + p.QDZ4 * g * g) * R0 / Fz0;
  const double Et = std::min(1.0, (p.QEZ1 + p.QEZ2 * dfz + p.QEZ3 * dfz * dfz) *
                                      (1 + (p.QEZ4 + p.QEZ5 * g) * 2 / pi * std::atan(Bt * p.QCZ1 * at)));
  const double t = cosine(Bt, p.QCZ1, Dt, Et, eq(at)) * std::cos(a);
  const double Br = p.QBZ9 + p.QBZ10 * By * Cy;
  const double Dr = Fz * (p.QDZ6 + p.QDZ7 * dfz + (p.QDZ8 + p.QDZ9 * dfz) * g) * R0;
  const double Mzr = Dr * std::cos(std::atan(Br * eq(ar))) * std::cos(a);
  const double s = (p.SSZ1 + p.SSZ2 * out.Fy / Fz0 + (p.SSZ3 + p.SSZ4 * dfz) * g) * R0;
  out.Mz = -t * (out.Fy - SVyk) + Mzr + s * out.Fx;
  out.Mx = R0 * Fz * (p.QSX1 - p.QSX2 * g + p.QSX3 * out.Fy / Fz0);
  const double v = Vx / p.LONGVL;
  out.My = -R0 * Fz * (p.QSY1 + p.QSY2 * out.Fx / Fz0 + p.QSY3 * std::abs(v) + p.QSY4 * std::pow(v, 4));
  return out;
}

TEST(tyre_magic, forces_and_moments_are_those_of_the_published_equations) {
  const TyreMagic t = magic();
  for (const double N : {1200.0, 4000.0, 6500.0})
    for (const double kappa : {-1.0, -0.1, 0.0, 0.03, 0.8})
      for (const double alpha : {-0.6, -0.03, 0.0, 0.01, 0.2})
        for (const double camber : {-0.06, 0.0, 0.1}) {
          const Footprint<double> at = footprint(N, 18, kappa, std::tan(alpha), camber);
          const Published p = published(t.formula, N, kappa, alpha, camber, 18);
          const Vec<2> F = steady(t, at);
          EXPECT_NEAR(F[0], p.Fx, 1e-12 * N) << kappa << " " << alpha;
          EXPECT_NEAR(F[1], p.Fy, 1e-12 * N) << kappa << " " << alpha;
          const TyreMoments<double> M = t.moments(at, p.Fx, p.Fy);
          EXPECT_NEAR(M.x, p.Mx, 1e-12 * N);
          EXPECT_NEAR(M.y, at.spin > 1 ? p.My : 0, 1e-12 * N);
          EXPECT_NEAR(M.z, p.Mz, 1e-12 * N);
        }
}

// Scales reach the peaks, the stiffnesses and the shifts that they are named after.
TEST(tyre_magic, scales) {
  TyreMagic t = magic();
  MagicFormula& c = t.formula;
  c.PHX1 = c.PHX2 = c.PVX1 = c.PVX2 = c.PEX4 = 0;
  const double F = steady(t, footprint(4000, 18, 0.05, 0))[0];
  c.LMUX = c.LKX = 0.5;  // the whole curve, half as high
  EXPECT_NEAR(steady(t, footprint(4000, 18, 0.05, 0))[0], F / 2, 1e-9);
  c.LMUX = 0.5, c.LKX = 1;  // half the friction at half the slip is half the force
  EXPECT_NEAR(steady(t, footprint(4000, 18, 0.025, 0))[0], F / 2, 1e-9);
}

TEST(tyre_magic, forces_settle_at_those_of_steady_slip) {
  const TyreMagic t = magic();
  WheelMotion m{.vx = 20, .vy = 0.7, .spin = 67};
  Motion motion(wheel_on_road(t, m), {.rtol = 1e-10, .atol = 1e-12});
  motion.to(1);
  const Published p = published(t.formula, 4000, motion("tyre.slip"), motion("tyre.slip_angle"), 0, 20);
  EXPECT_NEAR(motion("tyre.longitudinal"), p.Fx, 1e-6 * 4000);
  EXPECT_NEAR(motion("tyre.lateral"), p.Fy, 1e-6 * 4000);
  EXPECT_NEAR(motion("tyre.aligning"), p.Mz, 1e-6 * 4000);
}

// A locked wheel, and one that spins on the spot, slide by what the formula has for such slip.
TEST(tyre_magic, slides) {
  const TyreMagic t = magic();
  Motion locked(wheel_on_road(t, {.vx = 5}), {.rtol = 1e-10, .atol = 1e-12});
  locked.to(0.5);
  EXPECT_NEAR(locked("tyre.longitudinal"), published(t.formula, 4000, -1, 0, 0, 5).Fx, 1e-5 * 4000);
  Motion spinning(wheel_on_road(t, {.spin = 20}), {.rtol = 1e-10, .atol = 1e-12});
  spinning.to(0.5);
  EXPECT_NEAR(spinning("tyre.longitudinal"), published(t.formula, 4000, 1.5, 0, 0, 0).Fx, 1e-5 * 4000);
}
}  // namespace
}  // namespace mubody::testing
