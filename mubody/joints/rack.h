#pragma once
// Rack and pinion: a round body rolls without slip on a line of another.  The distance of its centre from the
// line is held by other joints (a pin on a guide, a slot parallel to the rack).
//
//   docs/theory/joints.md#rack
//
//   Φ = x_i · (o_j − o_i) + r θ_ij − c       pinion above the rack (r > 0) goes to +x as it turns clockwise
//
// Where angles do not count turns themselves, Φ = r · [(x_i · (o_j − o_i) − c) / r + θ_ij] brought to (−π, π] is
// the same near zero.
#include "mubody/joints/joint.h"

namespace mubody {
struct Rack {
  static constexpr Info info{"rack", "a round body rolls without slip on a line of another",
                             "rack_and_pinion rack_pinion"};
  static constexpr Use use = Use::joint;
  static constexpr Attach attach = Attach::guide;
  static constexpr int forbids(int) { return 1; }
  static constexpr int allows(int D) { return D == 2 ? 2 : 5; }
  static std::vector<Elementary> moves(int) { return {slide_x, turn_z}; }
  static constexpr std::string_view backlash = "rack_backlash";
  Marker i, j;
  double radius = 0;
  double phase = 0;  // c, set by start()

  void fields(Fields& f) {
    f.required("i", i, "m", "a point of the rack; its x axis is the pitch line, y points to the pinion");
    f.required("j", j, "m", "centre of the pinion; z is its axis");
    f.required("radius", radius, "m",
               "of the pitch circle; negative if the pinion is on the -y side of the rack");
  }
  void draw(Sketch& s) const {
    s.point(Sketch::End::i), s.flat();
    s.disc(Sketch::End::j, std::abs(radius));
  }
  void check() const { require(radius != 0, "radius", "must not be zero"); }
  void start(const Pose& i, const Pose& j) {
    phase = (i.turn.conjugate() * (j.at - i.at)).x() + radius * angle_between(i, j);
  }

  template <class F, class G, class E> void forbid(const F& i, const G& j, E& eq) const {
    const auto travel = dot(i.x(), j.o() - i.o());
    if constexpr (has_angle<F>)
      eq.zero(travel + radius * angle_between(i, j) - phase);
    else
      eq.zero(radius * wrapped((1 / radius) * (travel - phase) + angle_between(i, j)));
  }
  template <class F, class G, class R> void measure(const F& i, const G& j, R& report) const {
    report("slide", "m", dot(i.x(), j.o() - i.o()));
    report("angle", "rad", angle_between(i, j));
  }
};
}  // namespace mubody
