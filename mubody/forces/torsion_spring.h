#pragma once
// Rotational spring, damper and actuator between two bodies.
//
//   Nikravesh (1988), secs. 9.2.6-9.2.7                               docs/theory/forces.md#torsion_spring
//
//   θ = φ_j − φ_i,   M = k (θ − θ0) + c θ̇ + m(t)     acts as +M on body i and −M on body j
//
// In space θ is the angle about the axis of a joint, z of the markers, counted over turns.
#include "mubody/forces/elastic.h"

namespace mubody {
struct TorsionSpring : Elastic {
  static constexpr Info info{"torsion_spring", "rotational spring, damper and actuator between two bodies",
                             "rotational_spring torsional_spring rsda"};
  static constexpr Attach attach = Attach::angle;
  static constexpr bool counts_turns = true;
  Marker i, j;
  std::optional<double> free_angle;

  void fields(Fields& f) {
    f.required("i", i, "m", "a frame on the first body; z is the axis, x is where angles start");
    f.required("j", j, "m", "a frame on the second body");
    f.optional("stiffness", stiffness, "N m/rad", "k", Usual::not_negative);
    f.optional("damping", damping, "N m s/rad", "c", Usual::not_negative);
    f.optional("free_angle", free_angle, "rad", "angle without moment", "as at the start");
    f.optional("law", law, "N m", "moment of the deflection, of angle (length) and rate; in place of k");
    f.optional("actuator", actuator, "N m", "moment added, a function of time; positive closes the angle");
  }
  void draw(Sketch& s) const {
    s.ties = {Sketch::Tie::spiral};
    Sketch::Arrow& a = s.moment({"", "", "moment"});
    a.sign = -1, a.axes = Sketch::End::j, a.both = true;
  }
  void start(const Pose& i, const Pose& j) {
    if (!free_angle) free_angle = angle_between(i, j);
  }

  std::optional<ScalarForm> scalars(int) const { return scalar_form({Measure::angle, i, j, 0}, *free_angle); }
  template <class F, class G, class N, class S>
  void apply(const F& i, const G& j, const N& now, S& sink) const {
    const auto angle = angle_between(i, j);
    const auto moment = act(angle, *free_angle, now, sink);
    sink.reports("angle", "rad", angle.x);
    sink.reports("rate", "rad/s", angle.v);
    sink.reports("moment", "N m", moment);
  }
};
}  // namespace mubody
