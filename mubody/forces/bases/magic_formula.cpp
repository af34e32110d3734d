#include "mubody/forces/bases/magic_formula.h"

#include "mubody/math/real.h"

namespace mubody {
namespace {
constexpr double two_over_pi = 0.63661977236758134308;
/// B s − E (B s − atan(B s))
template <class R> R bent(const R& Bs, const R& E) { return Bs - E * (Bs - atan(Bs)); }
/// cos(atan x)
template <class R> R cosine_of(const R& tangent) { return 1 / sqrt(1 + tangent * tangent); }
/// sin(2 atan x)
template <class R> R sine_of_twice(const R& tangent) { return 2 * tangent / (1 + tangent * tangent); }
}  // namespace

/// One curve of slip: its slope K at the origin and its shifts; s is the slip with the shift.
template <class R> struct MagicFormula::Curve {
  R B, C, D, E, K, SH, SV, s;
  /// Without S_V.
  R force() const { return D * sin(C * atan(bent(R(B * s), E))); }
  R secant(const R& force) const {
    const auto is_away = abs(s) > R(1e-9);
    return choose(is_away, force / choose(is_away, s, R(1)), K);
  }
};

template <class R> R MagicFormula::relative_load(const R& load) const {
  return (load - FNOMIN * LFZO) / (FNOMIN * LFZO);
}

template <class R> auto MagicFormula::longitudinal(const MagicSlip<R>& at) const -> Curve<R> {
  const R df = relative_load(at.load), gamma = at.camber * LGAX;
  Curve<R> x;
  x.SH = (PHX1 + PHX2 * df) * LHX;
  x.SV = at.load * (PVX1 + PVX2 * df) * LVX * LMUX;
  x.s = at.kappa + x.SH;
  x.C = PCX1 * LCX;
  x.D = (PDX1 + PDX2 * df) * (1 - PDX3 * gamma * gamma) * LMUX * at.load;
  x.K = at.load * (PKX1 + PKX2 * df) * exp(PKX3 * df) * LKX;
  x.B = x.K / (x.C * x.D);
  x.E = smaller_of(R((PEX1 + PEX2 * df + PEX3 * df * df) * (1 - PEX4 * sign(x.s)) * LEX), R(1));
  return x;
}

template <class R> auto MagicFormula::lateral(const MagicSlip<R>& at) const -> Curve<R> {
  const R df = relative_load(at.load), gamma = at.camber * LGAY;
  Curve<R> y;
  y.SH = (PHY1 + PHY2 * df) * LHY + PHY3 * gamma;
  y.SV = at.load * ((PVY1 + PVY2 * df) * LVY + (PVY3 + PVY4 * df) * gamma) * LMUY;
  y.s = at.alpha + y.SH;
  y.C = PCY1 * LCY;
  y.D = (PDY1 + PDY2 * df) * (1 - PDY3 * gamma * gamma) * LMUY * at.load;
  y.K =
      PKY1 * FNOMIN * sine_of_twice(R(at.load / (PKY2 * FNOMIN * LFZO))) * (1 - PKY3 * abs(gamma)) * LFZO * LKY;
  y.B = y.K / (y.C * y.D);
  y.E = smaller_of(R((PEY1 + PEY2 * df) * (1 - (PEY3 + PEY4 * gamma) * sign(y.s)) * LEY), R(1));
  return y;
}

/// What the slip angle leaves of F_x.
template <class R> R MagicFormula::left_of_x(const MagicSlip<R>& at) const {
  const R B = RBX1 * cosine_of(R(RBX2 * at.kappa)) * LXAL,
          E = smaller_of(R(REX1 + REX2 * relative_load(at.load)), R(1));
  const auto cosine = [&](const R& s) { return R(cos(RCX1 * atan(bent(R(B * s), E)))); };
  return RHX1 == 0 ? cosine(at.alpha) : R(cosine(at.alpha + RHX1) / cosine(R(RHX1)));
}
/// What the longitudinal slip leaves of F_y.
template <class R> R MagicFormula::left_of_y(const MagicSlip<R>& at) const {
  const R df = relative_load(at.load), SH = RHY1 + RHY2 * df;
  const R B = RBY1 * cosine_of(R(RBY2 * (at.alpha - RBY3))) * LYKA, E = smaller_of(R(REY1 + REY2 * df), R(1));
  const auto cosine = [&](const R& s) { return R(cos(RCY1 * atan(bent(R(B * s), E)))); };
  return RHY1 == 0 && RHY2 == 0 ? cosine(at.kappa) : R(cosine(at.kappa + SH) / cosine(SH));
}
/// S_Vyκ, which longitudinal slip adds to F_y; `peak` is μ_y F_z.
template <class R> R MagicFormula::side_force(const MagicSlip<R>& at, const R& peak) const {
  const R df = relative_load(at.load);
  const R D = peak * (RVY1 + RVY2 * df + RVY3 * at.camber) * cosine_of(R(RVY4 * at.alpha));
  return D * sin(RVY5 * atan(RVY6 * at.kappa)) * LVYKA;
}

template <class R> MagicForces<R> MagicFormula::forces(const MagicSlip<R>& at) const {
  const Curve<R> x = longitudinal(at), y = lateral(at);
  const R Gx = left_of_x(at), Gy = left_of_y(at);
  const R side = side_force(at, y.D), Fx = x.force(), Fy = y.force();
  return {(Fx + x.SV) * Gx,
          (Fy + y.SV) * Gy + side,
          x.secant(Fx) * Gx,
          y.secant(Fy) * Gy,
          abs(x.D) + abs(x.SV),
          abs(y.D) + abs(y.SV) + abs(side),
          abs(x.K),
          abs(y.K),
          {x.K, y.K, y.SH + y.SV / y.K, y.B * y.C, side}};
}

template <class R>
MagicMoments<R> MagicFormula::moments(const MagicSlip<R>& at, const MagicCurves<R>& curves, const R& Fx,
                                      const R& Fy) const {
  const double R0 = UNLOADED_RADIUS, F0 = FNOMIN * LFZO;
  const R df = relative_load(at.load), gamma = at.camber * LGAZ, cosine = cos(at.alpha);
  // Slip angles that stand for the combined slip.
  const auto equivalent = [&](const R& a) {
    const R t = tan(a), k = curves.Kx / curves.Ky * at.kappa;
    return R(atan(sqrt(t * t + k * k + 1e-80)) * sign(a));
  };
  const R at_trail = at.alpha + QHZ1 + QHZ2 * df + (QHZ3 + QHZ4 * df) * gamma;
  const R B = (QBZ1 + QBZ2 * df + QBZ3 * df * df) * (1 + QBZ4 * gamma + QBZ5 * abs(gamma)) * LKY / LMUY;
  const R E = (QEZ1 + QEZ2 * df + QEZ3 * df * df) *
              (1 + (QEZ4 + QEZ5 * gamma) * two_over_pi * atan(B * QCZ1 * at_trail));
  const R D = at.load * (QDZ1 + QDZ2 * df) * (1 + QDZ3 * gamma + QDZ4 * gamma * gamma) * (R0 / F0) * LTR;
  const R trail = D * cos(QCZ1 * atan(bent(R(B * equivalent(at_trail)), smaller_of(E, R(1))))) * cosine;

  const R at_rest = at.alpha + curves.shift;
  const R Br = QBZ9 * LKY / LMUY + QBZ10 * curves.BC;
  const R Dr = at.load * ((QDZ6 + QDZ7 * df) * LRES + (QDZ8 + QDZ9 * df) * gamma) * R0 * LMUY;
  const R residual = Dr * cosine_of(R(Br * equivalent(at_rest))) * cosine;

  const R arm = (SSZ1 + SSZ2 * Fy / F0 + (SSZ3 + SSZ4 * df) * at.camber) * R0 * LS;
  const R v = abs(at.speed) / LONGVL;
  return {R0 * at.load * (QSX1 * LVMX + (QSX3 * Fy / F0 - QSX2 * at.camber) * LMX),
          -R0 * at.load * (QSY1 + QSY2 * Fx / F0 + QSY3 * v + QSY4 * v * v * v * v) * LMY,
          -trail * (Fy - curves.side) + residual + arm * Fx};
}

MagicFormula::Slopes MagicFormula::at_nominal_load() const {
  const MagicSlip<double> at{FNOMIN * LFZO, 0, 0, 0, LONGVL};
  return {longitudinal(at).K, lateral(at).K, PTX1 * UNLOADED_RADIUS * LSGKP,
          PTY1 * sin(2 * atan(1 / PTY2)) * UNLOADED_RADIUS * LFZO * LSGAL};
}

template MagicForces<double> MagicFormula::forces(const MagicSlip<double>&) const;
template MagicForces<Recorded> MagicFormula::forces(const MagicSlip<Recorded>&) const;
template MagicMoments<double> MagicFormula::moments(const MagicSlip<double>&, const MagicCurves<double>&,
                                                    const double&, const double&) const;
template MagicMoments<Recorded> MagicFormula::moments(const MagicSlip<Recorded>&, const MagicCurves<Recorded>&,
                                                      const Recorded&, const Recorded&) const;
}  // namespace mubody
