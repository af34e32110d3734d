#pragma once
// The Magic Formula, version 5.2: forces and moments of steady slip.
//
//   Pacejka, "Tyre and Vehicle Dynamics" (2002), sec. 4.3; MSC, "Using the PAC2002 tire model"    docs/theory/tyres.md#magic
//
//   F = D sin(C atan(B s − E (B s − atan(B s)))) + S_V,   s = slip + S_H
//
// and the same with a cosine for the trail and for what combined slip leaves of a force.  Turn slip and the pressure of
// inflation are not among its arguments.
#include "mubody/forces/bases/magic_coefficients.h"
#include "mubody/recording/recorded.h"

namespace mubody {
/// Arguments, in the axes W: x along the wheel, y to its left, z up.
template <class R> struct MagicSlip {
  R load;          // F_z [N]
  R kappa, alpha;  // κ = −V_sx/|V_x|, α = atan(V_sy/|V_x|) [rad]
  R camber;        // γ [rad], positive if the top leans to the right
  R speed;         // V_x [m/s]
};
/// What the moments need of the curves of the forces.
template <class R> struct MagicCurves {
  R Kx, Ky;     // slopes at the origin
  R shift, BC;  // of the lateral curve: its slip at rest, B C
  R side;       // the part of F_y by longitudinal slip [N]
};
template <class R> struct MagicForces {
  R Fx, Fy;
  R secant_x, secant_y;  // of the curves over κ and α without their shifts, at combined slip [N]
  R peak_x, peak_y;      // of the curves without a reduction by combined slip [N]
  R slope_x, slope_y;    // of the curves at the origin, positive [N]
  MagicCurves<R> curves;
};
template <class R> struct MagicMoments { R Mx, My, Mz; };

struct MagicFormula : MagicCoefficients {
  /// Of longitudinal slip and of slip angle [N], and the relaxation lengths [m], at the nominal load; lengths that no
  /// coefficient gives are zero.
  struct Slopes {
    double x, y, relaxation_x, relaxation_y;
  };
  Slopes at_nominal_load() const;
  template <class R> MagicForces<R> forces(const MagicSlip<R>&) const;
  /// With the forces that act, which may not be those of steady slip.
  template <class R>
  MagicMoments<R> moments(const MagicSlip<R>&, const MagicCurves<R>&, const R& Fx, const R& Fy) const;

 private:
  template <class R> struct Curve;
  template <class R> R relative_load(const R& load) const;
  template <class R> Curve<R> longitudinal(const MagicSlip<R>&) const;
  template <class R> Curve<R> lateral(const MagicSlip<R>&) const;
  template <class R> R left_of_x(const MagicSlip<R>&) const;
  template <class R> R left_of_y(const MagicSlip<R>&) const;
  template <class R> R side_force(const MagicSlip<R>&, const R& peak) const;
};
}  // namespace mubody
