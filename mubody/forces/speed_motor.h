#pragma once
// A motor that holds a speed at a joint: `motor = {speed = ..., gain = ...}` of a joint.
//
//   docs/theory/joint-parts.md#motors
//
//   F = g (v(t) − ṡ), within its limit; its power F ṡ is supplied
#include "mubody/forces/bases/controlled.h"

namespace mubody {
struct SpeedMotor : Controlled {
  static constexpr Info info{"speed_motor", "a motor that holds the speed of a turn or slide"};
  Function speed;
  double gain = 0;

  void fields(Fields& f) {
    OnCoordinate::fields(f);
    f.required("speed", speed, unit_of_rate(), "that it holds, a function of time");
    f.required("gain", gain, unit_of_damping(), "torque or force for what is missing of the speed");
    limit_field(f);
  }
  void check(int D) const {
    OnCoordinate::check(D);
    saturation.check();
    require(std::isfinite(gain) && gain > 0, "gain", "must be positive");
  }

  std::optional<ScalarForm> scalars(int) const {
    return scalar_form(
        [v = speed, g = gain](const auto&, const auto& rate, const auto& t) { return g * (v(t).x - rate); });
  }
  template <class F, class G, class N, class S>
  void apply(const F& i, const G& j, const N& now, S& sink) const {
    const auto s = mubody::coordinate(coordinate(), i, j);
    const auto missing = speed(now.t).x - s.v;
    drive(s, gain * missing, sink);
    sink.reports("error", unit_of_rate(), missing);
  }
};
}  // namespace mubody
