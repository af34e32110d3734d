#pragma once
// Where a wheel meets its road, how it slips there, and how its contact patch bends and slides: shared by the tyres.
//
//   docs/theory/tyres.md
//
// All vectors are in the axes of the road, x forward, z up.  The axle e points to the left of a wheel that goes forward, so
// that it rolls with a positive spin Ω = ω·e.
//
//   n              normal of the road at the contact point P, n·e = sin γ
//   r = (n − sin γ e)/cos γ        up within the wheel
//   P = c − ρ r                    on the surface; ρ is the loaded radius, δ = R − ρ the compression
//   x = e × r,  y = n × x          along and across the wheel, in the tangent plane (axes W of ISO 8855)
//   V = v + (ω − Ω e) × (P − c)    of the contact point, as if the wheel did not spin
//   V_sx = V·x − Ω R_e,  V_sy = V·y        velocities of slip; R_e is the effective rolling radius
#include <array>

#include "mubody/forces/bases/road.h"
#include "mubody/math/space.h"

namespace mubody {
/// Zero where two velocities are, and with slopes there.
template <class R> R speed_of(const R& x, const R& y) { return sqrt(x * x + y * y + 1e-80); }

namespace tyres {
inline constexpr double tiny = 1e-30;  // [m/s] what speeds are divided by at least
inline constexpr double slow = 0.1;    // [m/s] below which what follows the sign of a speed fades
/// The sign of a speed, which passes through zero between −slow and slow.
template <class R> R sign_of(const R& v) { return v / larger_of(abs(v), R(slow)); }
}  // namespace tyres

/// A wheel as its road sees it.
template <class R> struct Wheel {
  Vec<3, R> centre, axle, v, w;  // its centre, the direction of its axle, and its motion
};

template <class R> struct Footprint {
  Vec<3, R> point, normal, x, y;
  R compression;  // δ [m]
  R approach;     // speed at which the contact point goes into the road [m/s]
  R elastic;      // k δ along the radius [N]; no tyre is pressed by more than its radius
  R push, load;   // of the spring alone and with the damper, along the normal [N]; never negative
  R camber;       // γ [rad]
  R loaded_radius, rolling_radius, spin, turn;  // ρ, R_e [m], Ω, ω·n [rad/s]
  R vx;                                         // of the contact point along the wheel [m/s]
  std::array<R, 2> slip;                        // V_sx, V_sy [m/s]
};

/// A wheel that is a spring along its radius and a damper along the normal.
struct TyreShape {
  double radius = 0, stiffness = 0, damping = 0;
  /// R_e = R − δ0 (d atan(b δ/δ0) + f δ/δ0), as PAC2002 has it, there of the load over the stiffness.
  struct {
    double b = 0, d = 0, f = 1.0 / 3, delta0 = 1;
  } rolling;

  template <class R> Footprint<R> meet(const Wheel<R>&, const Road&) const;
};

/// How the contact patch gives way along x and y: ψ_k F is the velocity at which it slides under a force F, drift_k = ψ_k F_k with the
/// force F_k of steady slip, which is −V_sk unless the tyre pulls to a side by itself, and limit_k what it can hold.
template <class R> struct Sliding { std::array<R, 2> ease, drift, limit; };

/// The carcass between rim and contact patch, along x and y.
struct Carcass {
  std::array<double, 2> stiffness{};  // c [N/m]
  double time = 0, still = 0;         // τ = time + still/(1 + V_x²) [s], V_x in m/s; its damping is c τ

  /// The bends z, states of the tyre, and what follows from them.
  ///
  ///   ż + ψ F = drift      the contact patch slides on the road at V_s + ż
  ///   F = c z + c τ ż      the carcass carries what the road gives
  ///
  /// so ż = (drift − ψ c z)/(1 + ψ c τ).  In the air z goes back to zero, and beyond the ellipse of the limits it gives way: where a
  /// standing wheel loses its load.
  template <class R> struct Bend {
    std::array<R, 2> rate, force;
    R stored, lost,
        pulled;  // energy, power that sliding and damping take, power that the tyre's own drift brings in
  };
  template <class R> Bend<R> bend(const Footprint<R>&, const Sliding<R>&, const R* z) const;
};

/// |V_s| over the force of a curve of slip S = |V_s|/v.  The curve begins with the slope C and ends with the limit L.
namespace ease {
/// L (1 − (1 − h)³), h = C S/(3 L), which is L from h = 1 on: bristles under a parabola of pressure.
template <class R> R of_cubic(const R& speed, const R& v, const R& C, const R& L) {
  const R h = C * speed / larger_of(R(3 * L * v), R(tyres::tiny));
  return choose(h < R(1), v / (C * (1 - h + h * h / 3)), speed / larger_of(L, R(1e-9)));
}
/// C S up to half the limit, then L − L²/(4 C S).
template <class R> R of_parabola(const R& speed, const R& v, const R& C, const R& L) {
  const R p = C * speed / larger_of(R(L * v), R(tyres::tiny));
  return choose(p < R(0.5), v / C, speed / larger_of(R(L * (1 - 0.25 / larger_of(p, R(0.5)))), R(1e-9)));
}
/// The arm of the lateral force over half the length of the patch, of such bristles.
template <class R> R trail(const R& speed, const R& v, const R& C, const R& L) {
  const R h = smaller_of(R(C * speed / larger_of(R(3 * L * v), R(tyres::tiny))), R(1));
  return (1 - h) * (1 - h) * (1 - h) / (3 - 3 * h + h * h);
}
}  // namespace ease
}  // namespace mubody
