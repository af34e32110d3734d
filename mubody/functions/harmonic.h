#pragma once
// f(t) = offset + amplitude sin(ω t + phase)
#include <cmath>
#include <numbers>
#include <optional>

#include "mubody/functions/function.h"

namespace mubody {
struct Harmonic {
  static constexpr Info info{"harmonic", "a sine about an offset"};
  double amplitude = 0;
  std::optional<double> frequency, omega;
  double phase = 0, offset = 0;

  void fields(Fields& f) {
    f.required("amplitude", amplitude, "", "largest distance from the offset");
    f.optional("frequency", frequency, "Hz", "cycles per second", "this, or omega");
    f.optional("omega", omega, "rad/s", "angular frequency", "this, or frequency");
    f.optional("phase", phase, "rad", "angle at t = 0");
    f.optional("offset", offset, "", "mean value");
  }
  void check() {
    require(frequency || omega, "frequency", "either frequency or omega is needed");
    require(!frequency || !omega, "omega", "give frequency or omega, not both");
    require(std::isfinite(rate()), frequency ? "frequency" : "omega", "must be finite");
    require(std::isfinite(amplitude), "amplitude", "must be finite");
    require(std::isfinite(phase), "phase", "must be finite");
    require(std::isfinite(offset), "offset", "must be finite");
  }
  template <class R> JetOf<R> operator()(const R& t) const {
    const double w = rate();
    const R angle = w * t + phase, s = amplitude * sin(angle), c = amplitude * cos(angle);
    return {offset + s, w * c, -w * w * s};
  }

  double rate() const { return omega ? *omega : 2 * std::numbers::pi * frequency.value_or(0); }  // [rad/s]
};
}  // namespace mubody
