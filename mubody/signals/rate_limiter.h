#pragma once
// Rate limiter: follows its input, but no faster than it may.
//
//   ẏ = (u − y)/time, within −fall and rise                           docs/theory/signals.md#rate-limiter
//   sampled: y_k = u_k within y_{k−1} − T fall and y_{k−1} + T rise
//
// The time constant takes the place of a derivative of the input, which a signal does not have.
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
  template <class R> void start(const BlockInputOf<R>& in, R* x) const { x[0] = initial ? R(*initial) : in.u; }
  int corners() const { return 2; }
  template <class R> R output(const BlockInputOf<R>&, const R* x, CornersOf<R>) const { return x[0]; }
  template <class R> void rates(const BlockInputOf<R>& in, const R* x, CornersOf<R> corners, R* dx) const {
    const R wanted = (in.u - x[0]) / time, down = fall.value_or(rise);
    const auto up = corners.above(0, R(wanted - rise)), low = corners.above(1, R(-wanted - down));
    dx[0] = choose(up, R(rise), choose(low, -down, wanted));
  }
  template <class R> R sampled(const BlockInputOf<R>& in, const R* m) const {
    const R low = m[0] - in.since * fall.value_or(rise), high = m[0] + in.since * rise;
    return smaller_of(larger_of(in.u, low), high);
  }
  template <class R> void update(const BlockInputOf<R>& in, R* m) const { m[0] = sampled(in, m); }
};
}  // namespace mubody
