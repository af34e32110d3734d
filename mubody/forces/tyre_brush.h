#pragma once
// The brush tyre: elastic bristles that enter the contact patch straight and bend until friction lets them slide.
//
//   Pacejka (2006), sec. 3.2                                                          docs/theory/tyres.md#brush
//
//   σ = −V_s/V_r                    theoretical slip, along and across; V_r = Ω R_e is the speed of rolling
//   h = θ |σ|,  θ = 2 c a²/(3 μ N)         the pressure is a parabola over the length 2a, the bristles have the stiffness c
//   F = μ N (3h − 3h² + h³)         against V_s;  from h = 1 on the whole patch slides and F = μ N
//   M_z = −t F_y,   t = a (1 − h)³/(3 − 3h + h²)
//
// A locked wheel has no speed of rolling: it slides.  Camber has no effect.
#include "mubody/forces/bases/tyre_element.h"

namespace mubody {
struct TyreBrush : TyreElement<TyreBrush> {
  static constexpr Info info{"tyre_brush",
                             "a tyre that drives, brakes and steers, by bristles that bend and slide", "tire"};
  double tread_stiffness = 0, half_length = 0, mu = 0;

  void fields(Fields& f) {
    first_fields(f);
    shape_fields(f);
    f.required("tread_stiffness", tread_stiffness, "N/m2",
               "c, of the bristles on a length of the circumference");
    f.required("half_length", half_length, "m", "a, of the contact patch");
    f.required("mu", mu, "", "coefficient of friction");
    way_fields(f);
    more_fields(f);
  }
  void check() const {
    check_shape();
    require(tread_stiffness > 0, "tread_stiffness", "must be positive");
    require(half_length > 0, "half_length", "must be positive");
    require(mu > 0, "mu", "must be positive");
  }

  Carcass carcass() const { return carcass_of(slope(), slope()); }
  template <class R> Sliding<R> slide(const Footprint<R>& at) const {
    const R one =
        ease::of_cubic(speed_of(at.slip[0], at.slip[1]), abs(rolling(at)), R(slope()), R(mu * at.load));
    return {{one, one}, {-at.slip[0], -at.slip[1]}, {R(mu * at.load), R(mu * at.load)}};
  }
  template <class R> TyreMoments<R> moments(const Footprint<R>& at, const R&, const R& Fy) const {
    const R speed = speed_of(at.slip[0], at.slip[1]), v = rolling(at);
    const R t = half_length * ease::trail(speed, abs(v), R(slope()), R(mu * at.load));
    return {0, rolling_moment(at), -t * Fy * tyres::sign_of(v)};
  }

 private:
  double slope() const { return 2 * tread_stiffness * half_length * half_length; }
  template <class R> static R rolling(const Footprint<R>& at) { return at.spin * at.rolling_radius; }
};
}  // namespace mubody
