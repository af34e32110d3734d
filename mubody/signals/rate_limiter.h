#pragma once
// Rate limiter: follows its input, but no faster than it may.
//
//   ẏ = (u − y)/time, within −fall and rise                           docs/theory/signals.md#rate-limiter
//   sampled: y_k = u_k within y_{k−1} − T fall and y_{k−1} + T rise
//
// The time constant takes the place of a derivative of the input, which a signal does not have.
#include <algorithm>

#include "mubody/signals/block.h"

namespace mubody {
struct RateLimiter {
  static constexpr Info info{"rate_limiter", "follows its input, but not faster than it may", "slew_rate"};
  Signal input;
  double rise = 0, time = 1e-3;
  std::optional<double> fall, initial;

  void fields(Fields& f) {
    f.required("input", input, "", "what it follows");
    f.required("rise", rise, "", "the greatest rate upwards, per second");
    f.optional("fall", fall, "", "the greatest rate downwards, per second", "as rise");
    f.optional("time", time, "s",
               "time constant with which it follows where it is not limited; a sampled one has none");
    f.optional("initial", initial, "", "output at the start", "the input at the start");
  }
  void check() const {
    require(std::isfinite(rise) && rise > 0, "rise", "must be positive");
    require(!fall || (std::isfinite(*fall) && *fall > 0), "fall", "must be positive");
    require(std::isfinite(time) && time > 0, "time", "must be positive");
  }

  int states() const { return 1; }
  bool direct(bool is_sampled) const { return is_sampled; }
  void start(const BlockInput& in, double* x) const { x[0] = initial.value_or(in.u); }
  int corners() const { return 2; }
  double output(const BlockInput&, const double* x, Corners) const { return x[0]; }
  void rates(const BlockInput& in, const double* x, Corners corners, double* dx) const {
    const double wanted = (in.u - x[0]) / time, down = fall.value_or(rise);
    const bool up = corners.above(0, wanted - rise), low = corners.above(1, -wanted - down);
    dx[0] = up ? rise : low ? -down : wanted;
  }
  double sampled(const BlockInput& in, const double* m) const {
    return std::clamp(in.u, m[0] - in.since * fall.value_or(rise), m[0] + in.since * rise);
  }
  void update(const BlockInput& in, double* m) const { m[0] = sampled(in, m); }
};
}  // namespace mubody
