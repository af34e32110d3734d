#pragma once
// One side of the play of a coupler: `backlash` of a coupler makes two.
//
//   docs/theory/joint-parts.md#backlash
//
//   F = law(Φ − b/2, Φ̇) against larger Φ at the high side, and likewise at −b/2 on the low side
#include "mubody/forces/bases/tooth_flank.h"
#include "mubody/joints/coupler.h"

namespace mubody {
struct CouplerBacklash : Coupler, OneSided {
  static constexpr Info info{"coupler_backlash", "one side of the play of a coupler"};
  using Joint = Coupler;
  double width = 0;  // b

  void fields(Fields& f) {
    Coupler::fields(f);
    f.required("backlash", width, couples.empty() || is_length() ? "m" : "rad", "play of the coupler");
    side_fields(f);
  }
  void take(const Coupler& joint, const Flank& flank) {
    static_cast<Coupler&>(*this) = joint;
    width = flank.width;
    side.index = flank.high ? 1 : 0;
    law = flank.law;
  }
  void check() const {
    Coupler::check();
    require(std::isfinite(width) && width >= 0, "backlash", "must not be negative");
    check_law();
  }
  /// A coupler, unlike teeth, may be given an offset at which it would begin beyond its play.
  std::string refuse_depth(double depth) const {
    constexpr double little = 1e-9;  // [rad or m] which assembly and round-off may leave
    if (!(depth > little)) return {};
    return "the coupler begins " + std::to_string(depth) + (is_length() ? " m" : " rad") +
           " beyond its play, from where it would be thrown back: change 'offset', leave it out to begin in "
           "the "
           "middle, or give more 'gap'";
  }
  template <class R, class N, class S> void apply(const R& play, const N& now, S& sink) const {
    const double end = outward() * 0.5 * width, along = meet(play, end, now.contact, sink);
    sink.reports("gap", is_length() ? "m" : "rad", outward() * (end - play.x));
    sink.reports(is_length() ? "force" : "moment", is_length() ? "N" : "N m", std::abs(along));
  }
  /// Applies a unit normal force.
  template <class R, class S> void push(const R& play, S& sink) const { sink.along(play, -outward()); }
};
}  // namespace mubody
