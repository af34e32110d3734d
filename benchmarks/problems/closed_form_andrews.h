#pragma once
// Andrews' squeezing mechanism in its seven relative angles with six loop equations, as in Hairer & Wanner (1996), sec.
// VII.7: a reduction by hand of the 21 coordinates and 20 equations of the general program.
//
//   q = (β, Θ, γ, Φ, δ, Ω, ε),   M(q) q̈ + Gᵀ(q) λ = f(q, q̇),   G q̈ = −Ġ q̇
//
// K1 stands at β, K2 at β + Θ, K3 at γ, K4 at Φ + δ, K5 at δ, K6 at Ω + ε, K7 at ε.
#include <array>
#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/Core>

namespace mubody::closed_form {
struct Andrews {
  static constexpr double m1 = .04325, m2 = .00365, m3 = .02373, m4 = .00706, m5 = .07050, m6 = .00706,
                          m7 = .05498;
  static constexpr double I1 = 2.194e-6, I2 = 4.410e-7, I3 = 5.255e-6, I4 = 5.667e-7, I5 = 1.169e-5,
                          I6 = 5.667e-7, I7 = 1.912e-5;
  static constexpr double xb = -.03635, yb = .03273, xc = .014, yc = .072, c0 = 4530, l0 = .07785,
                          moment = .033;
  static constexpr double d = .028, da = .0115, e = .02, ea = .01421, rr = .007, ra = .00092, ss = .035,
                          sa = .01874, sb = .01043, sc = .018, sd = .02, ta = .02308, tb = .00916, u = .04,
                          ua = .01228, ub = .00449, zf = .02, zt = .04, fa = .01421;
  using Angles = Eigen::Matrix<double, 7, 1>;

  /// q̈ as a function of q and q̇.
  Angles operator()(const Angles& q, const Angles& v) const {
    const double be = q[0], th = q[1], ga = q[2], ph = q[3], de = q[4], om = q[5], ep = q[6];
    const double sibe = std::sin(be), cobe = std::cos(be), sith = std::sin(th), coth = std::cos(th);
    const double siga = std::sin(ga), coga = std::cos(ga), siph = std::sin(ph), coph = std::cos(ph);
    const double side = std::sin(de), code = std::cos(de), siom = std::sin(om), coom = std::cos(om);
    const double siep = std::sin(ep), coep = std::cos(ep);
    // Sines and cosines of sums, by the addition theorem.
    const double sibeth = sibe * coth + cobe * sith, cobeth = cobe * coth - sibe * sith;
    const double siphde = siph * code + coph * side, cophde = coph * code - siph * side;
    const double siomep = siom * coep + coom * siep, coomep = coom * coep - siom * siep;

    Eigen::Matrix<double, 7, 7> M = Eigen::Matrix<double, 7, 7>::Zero();
    M(0, 0) = m1 * ra * ra + m2 * (rr * rr - 2 * da * rr * coth + da * da) + I1 + I2;
    M(1, 0) = M(0, 1) = m2 * (da * da - da * rr * coth) + I2;
    M(1, 1) = m2 * da * da + I2;
    M(2, 2) = m3 * (sa * sa + sb * sb) + I3;
    M(3, 3) = m4 * (e - ea) * (e - ea) + I4;
    M(4, 3) = M(3, 4) = m4 * ((e - ea) * (e - ea) + zt * (e - ea) * siph) + I4;
    M(4, 4) =
        m4 * (zt * zt + 2 * zt * (e - ea) * siph + (e - ea) * (e - ea)) + m5 * (ta * ta + tb * tb) + I4 + I5;
    M(5, 5) = m6 * (zf - fa) * (zf - fa) + I6;
    M(6, 5) = M(5, 6) = m6 * ((zf - fa) * (zf - fa) - u * (zf - fa) * siom) + I6;
    M(6, 6) =
        m6 * ((zf - fa) * (zf - fa) - 2 * u * (zf - fa) * siom + u * u) + m7 * (ua * ua + ub * ub) + I6 + I7;

    const double xd = sd * coga + sc * siga + xb, yd = sd * siga - sc * coga + yb;  // the spring's end
    const double dx = xd - xc, dy = yd - yc, length = std::sqrt(dx * dx + dy * dy);
    const double force = -c0 * (length - l0) / length, fx = force * dx, fy = force * dy;
    Angles f;
    f << moment - m2 * da * rr * v[1] * (v[1] + 2 * v[0]) * sith, m2 * da * rr * v[0] * v[0] * sith,
        fx * (sc * coga - sd * siga) + fy * (sd * coga + sc * siga), m4 * zt * (e - ea) * v[4] * v[4] * coph,
        -m4 * zt * (e - ea) * v[3] * (v[3] + 2 * v[4]) * coph, -m6 * u * (zf - fa) * v[6] * v[6] * coom,
        m6 * u * (zf - fa) * v[5] * (v[5] + 2 * v[6]) * coom;

    // Loops: E as a point of K2, minus E as a point of K3, K4 or K6.
    Eigen::Matrix<double, 6, 7> G = Eigen::Matrix<double, 6, 7>::Zero();
    const double x2 = -rr * sibe + d * sibeth, y2 = rr * cobe - d * cobeth;  // d/dβ of the first part
    for (int k = 0; k < 6; k += 2) {
      G(k, 0) = x2, G(k, 1) = d * sibeth;
      G(k + 1, 0) = y2, G(k + 1, 1) = -d * cobeth;
    }
    G(0, 2) = -ss * coga, G(1, 2) = -ss * siga;
    G(2, 3) = -e * cophde, G(2, 4) = -e * cophde + zt * side;
    G(3, 3) = -e * siphde, G(3, 4) = -e * siphde - zt * code;
    G(4, 5) = zf * siomep, G(4, 6) = zf * siomep - u * coep;
    G(5, 5) = -zf * coomep, G(5, 6) = -zf * coomep - u * siep;

    const double w2 = (v[0] + v[1]) * (v[0] + v[1]), w4 = (v[3] + v[4]) * (v[3] + v[4]);
    const double w6 = (v[5] + v[6]) * (v[5] + v[6]);
    const double ax = -rr * cobe * v[0] * v[0] + d * cobeth * w2,
                 ay = -rr * sibe * v[0] * v[0] + d * sibeth * w2;
    Eigen::Matrix<double, 6, 1> bias;  // Ġ q̇
    bias << ax + ss * siga * v[2] * v[2], ay - ss * coga * v[2] * v[2],
        ax + e * siphde * w4 + zt * code * v[4] * v[4], ay - e * cophde * w4 + zt * side * v[4] * v[4],
        ax + zf * coomep * w6 + u * siep * v[6] * v[6], ay + zf * siomep * w6 - u * coep * v[6] * v[6];

    const Eigen::LLT<Eigen::Matrix<double, 7, 7>> factors(M);
    const Eigen::Matrix<double, 7, 6> W = factors.solve(G.transpose());
    const Angles free = factors.solve(f);
    const Eigen::Matrix<double, 6, 6> S = G * W;
    const Eigen::Matrix<double, 6, 1> lambda =
        Eigen::LLT<Eigen::Matrix<double, 6, 6>>(S).solve(G * free + bias);
    return free - W * lambda;
  }
};
}  // namespace mubody::closed_form
