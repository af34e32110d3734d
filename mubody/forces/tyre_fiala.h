#pragma once
// Fiala's tyre: two stiffnesses and a coefficient of friction that falls with slip.
//
//   Fiala (1954); in the form of MSC's "Adams/Tire: Fiala handling force model"        docs/theory/tyres.md#fiala
//
//   S = √(κ² + tan²α)                     comprehensive slip, κ = −V_sx/|V_x|, tan α = V_sy/|V_x|
//   μ = μ_max − (μ_max − μ_min) S         not below μ_min
//   f_x(S) = C_x S                        up to S = μ N/(2 C_x);  then μ N − (μ N)²/(4 C_x S)
//   f_y(S) = μ N (1 − (1 − h)³)           h = C_y S/(3 μ N);  from h = 1 on μ N
//   F_x = f_x κ/S,  F_y = −f_y tan α/S
//   M_z = −t F_y,   t = a (1 − h)³/(3 − 3h + h²)
//
// At pure slip these are Fiala's curves.  At combined slip each force is taken of the comprehensive slip and acts by its share
// in it, so that a wheel that slides is held by μ N against its motion and not by more.  Camber has no effect.
#include "mubody/forces/bases/tyre_element.h"

namespace mubody {
struct TyreFiala : TyreElement<TyreFiala> {
  static constexpr Info info{"tyre_fiala", "a tyre that drives, brakes and steers, by Fiala's curves of slip",
                             "tire"};
  double slip_stiffness = 0, cornering_stiffness = 0, mu = 0, half_length = 0;
  std::optional<double> mu_sliding;

  void fields(Fields& f) {
    first_fields(f);
    shape_fields(f);
    f.required("slip_stiffness", slip_stiffness, "N", "C_x, force over longitudinal slip");
    f.required("cornering_stiffness", cornering_stiffness, "N/rad", "C_y, force over slip angle");
    f.required("mu", mu, "", "coefficient of friction without slip");
    f.optional("mu_sliding", mu_sliding, "", "coefficient of friction of a locked wheel", "mu");
    f.optional("half_length", half_length, "m", "a, of the contact patch, for the aligning moment",
               Usual::not_negative);
    way_fields(f);
    more_fields(f);
  }
  void check() const {
    check_shape();
    require(slip_stiffness > 0, "slip_stiffness", "must be positive");
    require(cornering_stiffness > 0, "cornering_stiffness", "must be positive");
    require(mu > 0, "mu", "must be positive");
    require(!mu_sliding || (*mu_sliding > 0 && *mu_sliding <= mu), "mu_sliding",
            "must be positive, and not above 'mu'");
    require(half_length >= 0, "half_length", "must not be negative");
  }

  Carcass carcass() const { return carcass_of(slip_stiffness, cornering_stiffness); }
  template <class R> Sliding<R> slide(const Footprint<R>& at) const {
    const R speed = speed_of(at.slip[0], at.slip[1]), v = abs(at.vx), L = limit(at);
    return {{ease::of_parabola(speed, v, R(slip_stiffness), L),
             ease::of_cubic(speed, v, R(cornering_stiffness), L)},
            {-at.slip[0], -at.slip[1]},
            {L, L}};
  }
  template <class R> TyreMoments<R> moments(const Footprint<R>& at, const R&, const R& Fy) const {
    const R speed = speed_of(at.slip[0], at.slip[1]);
    const R t = half_length * ease::trail(speed, abs(at.vx), R(cornering_stiffness), limit(at));
    return {0, rolling_moment(at), -t * Fy * tyres::sign_of(at.vx)};
  }

 private:
  /// μ N
  template <class R> R limit(const Footprint<R>& at) const {
    const R S = speed_of(at.slip[0], at.slip[1]) / larger_of(abs(at.vx), R(tyres::tiny));
    return (mu - (mu - mu_sliding.value_or(mu)) * smaller_of(S, R(1))) * at.load;
  }
};
}  // namespace mubody
