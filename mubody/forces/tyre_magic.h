#pragma once
// The tyre of the Magic Formula: measured curves of slip, combined slip, camber and aligning moment.
//
//   Pacejka, "Tyre and Vehicle Dynamics" (2002), sec. 4.3                             docs/theory/tyres.md#magic
//
// The equations are in bases/magic_formula.h.  Here they become a contact patch that bends: at every slip the force over the
// slip, without the shifts, says how easily the patch slides.  What shifts and camber pull fades with the speed.
//
// Near standstill the directions of slip change within no time, and the weights of combined slip with them: a wheel that
// trembles would be held, let loose and held again.  Below 0.1 m/s the patch therefore goes over to the bristles of a brush
// with the same slopes and peaks, whose force is against its slip.
#include "mubody/forces/bases/magic_formula.h"
#include "mubody/forces/bases/tyre_element.h"

namespace mubody {
struct TyreMagic : TyreElement<TyreMagic> {
  static constexpr Info info{"tyre_magic", "a tyre that drives, brakes and steers, by Pacejka's Magic Formula",
                             "tire pacejka"};
  MagicFormula formula;
  bool mirrored = false;

  void fields(Fields& f) {
    first_fields(f);
    f.table("coefficients", formula,
            "by their usual names, or the name of a property file (.tir) that has them");
    f.optional("mirrored", mirrored, "", "for the other side of a vehicle: left and right change places");
    f.optional("relaxation_x", relaxation_x, "m", "way after which the longitudinal force follows",
               "by PTX1, or half the radius");
    f.optional("relaxation_y", relaxation_y, "m", "way after which the lateral force follows",
               "by PTY1, or the radius");
    more_fields(f);
  }
  void check() const {
    require(formula.UNLOADED_RADIUS > 0, "coefficients",
            "is missing: a table, or the name of a property file (.tir)");
    formula.check();
    check_ways();
  }
  void prepare() {
    shape = shape_of(formula);
    const MagicFormula::Slopes s = formula.at_nominal_load();
    const auto or_else = [](double length, double usual) { return length > 0 ? length : usual; };
    carcass_ = {{std::abs(s.x) / relaxation_x.value_or(or_else(s.relaxation_x, shape.radius / 2)),
                 std::abs(s.y) / relaxation_y.value_or(or_else(s.relaxation_y, shape.radius))},
                bend_time,
                still_time};
  }

  const Carcass& carcass() const { return carcass_; }
  /// The formula at a footprint, which forces and moments share.
  template <class R> struct Steady {
    R v;
    MagicSlip<R> slip;
    MagicForces<R> forces;
  };
  template <class R> Steady<R> steady(const Footprint<R>& at) const {
    const R v = speed(at);
    const MagicSlip<R> slip = slip_at(at, v);
    return {v, slip, formula.forces(slip)};
  }
  template <class R> Sliding<R> slide(const Footprint<R>& at) const { return slide(at, steady(at)); }
  template <class R> Sliding<R> slide(const Footprint<R>& at, const Steady<R>& now) const {
    const auto& [v, slip, F] = now;
    const R Fy = side() * F.Fy, little = 1e-3 * slip.load;
    // Both forces may be near their peaks, and a weight of combined slip a little above one.
    constexpr double above = 1.5;
    // The slip velocity over the slip: v along the wheel, more across it as an angle has a tangent.
    const R across = choose(abs(slip.alpha) > R(1e-6), at.slip[1] / (side() * slip.alpha), v);
    const R x = v / larger_of(abs(F.secant_x), little), y = across / larger_of(abs(F.secant_y), little);
    const R slides = speed_of(at.slip[0], at.slip[1]), moves = larger_of(slides, R(abs(at.vx))) / tyres::slow;
    const R m = smaller_of(moves, R(1)), formula_part = m * m * (3 - 2 * m), rest = 1 - formula_part;
    const auto bristles = [&](const R& slope, const R& peak) {
      return ease::of_cubic(slides, larger_of(R(abs(at.vx)), R(tyres::tiny)), slope, larger_of(peak, little));
    };
    return {{formula_part * x + rest * bristles(F.slope_x, F.peak_x),
             formula_part * y + rest * bristles(F.slope_y, F.peak_y)},
            {formula_part * x * F.Fx - rest * at.slip[0], formula_part * y * Fy - rest * at.slip[1]},
            {above * F.peak_x, above * F.peak_y}};
  }
  template <class R> TyreMoments<R> moments(const Footprint<R>& at, const R& Fx, const R& Fy) const {
    return moments(at, steady(at), Fx, Fy);
  }
  template <class R>
  TyreMoments<R> moments(const Footprint<R>& at, const Steady<R>& now, const R& Fx, const R& Fy) const {
    const MagicMoments<R> M = formula.moments(now.slip, now.forces.curves, Fx, R(side() * Fy));
    const auto touches = at.load > R(0);
    const R forward = tyres::sign_of(at.vx);
    return {choose(touches, side() * M.Mx, R(0)),
            choose(touches, M.My * tyres::sign_of(R(at.spin * shape.radius)), R(0)),
            choose(touches, side() * M.Mz * forward, R(0))};
  }

 private:
  Carcass carcass_;

  static TyreShape shape_of(const MagicFormula& c) {
    return {c.UNLOADED_RADIUS,
            c.VERTICAL_STIFFNESS,
            c.VERTICAL_DAMPING,
            {c.BREFF, c.DREFF, c.FREFF, c.FNOMIN / c.VERTICAL_STIFFNESS}};
  }
  double side() const { return mirrored ? -1 : 1; }
  /// |V_x|, and not less than the largest slip for which the formula is asked makes it.
  template <class R> R speed(const Footprint<R>& at) const {
    return larger_of(larger_of(abs(at.vx), R(abs(at.slip[0]) / formula.KPUMAX)), R(tyres::tiny));
  }
  template <class R> MagicSlip<R> slip_at(const Footprint<R>& at, const R& v) const {
    const double most = formula.FZMAX > 0 ? formula.FZMAX : 3 * formula.FNOMIN, lean = formula.CAMMAX;
    return {smaller_of(larger_of(at.load, R(1e-6 * formula.FNOMIN)), R(most)), -at.slip[0] / v,
            side() * atan2(at.slip[1], v), side() * smaller_of(larger_of(at.camber, R(-lean)), R(lean)), at.vx};
  }
};
}  // namespace mubody
