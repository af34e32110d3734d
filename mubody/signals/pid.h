#pragma once
// PID controller with limits and anti-windup by back-calculation.
//
//   w = kp e + x + kd ė_f,   ẋ = ki e + g (y − w),   y = w within the limits
//   ė_f = (e − x_f)/T_f,  ẋ_f = ė_f                 or the rate of e, where it is given
//   Åström & Hägglund (2006), sec. 3.5, eqs. 3.19-3.23                     docs/theory/signals.md#pid
//
// Sampled it is the same by the implicit Euler method: x_k = x_{k−1} + T ki e_k, ė_f = (e_k − x_{f,k−1})/(T_f + T).
#include <cmath>

#include "mubody/signals/block.h"

namespace mubody {
struct Pid {
  static constexpr Info info{"pid", "PID controller with limits, anti-windup and a filtered derivative",
                             "pi pd"};
  Signal input, other;
  double kp = 0, ki = 0, kd = 0, filter = 0, initial = 0;
  std::optional<double> low, high, tracking;

  void fields(Fields& f) {
    f.required("input", input, "", "the error, what is wanted less what is there");
    f.optional("kp", kp, "", "gain of the error");
    f.optional("ki", ki, "", "gain of its integral");
    f.optional("kd", kd, "", "gain of its rate");
    f.optional("filter", filter, "s",
               "time constant of the filter of the rate; continuous controllers with kd need it, or rate");
    f.optional("rate", other, "", "the rate of the error, in place of its filtered derivative", "none");
    f.optional("initial", initial, "", "the integral's part of the output at the start");
    f.optional("low", low, "", "the least output", "none");
    f.optional("high", high, "", "the greatest output", "none");
    f.optional("tracking", tracking, "1/s", "how fast the integral gives way while the output is at a limit",
               "sqrt(ki/kd), without kd ki/kp");
  }
  void check() {
    const auto finite = [](double x, const char* name) { require(std::isfinite(x), name, "must be finite"); };
    finite(kp, "kp"), finite(ki, "ki"), finite(kd, "kd"), finite(initial, "initial");
    require(kp != 0 || ki != 0 || kd != 0, "kp", "one of kp, ki and kd must not be zero");
    require(std::isfinite(filter) && filter >= 0, "filter", "must not be negative");
    require(!low || !high || *low < *high, "high", "must be greater than low");
    require(!tracking || (std::isfinite(*tracking) && *tracking >= 0), "tracking", "must not be negative");
    gives_way = tracking.value_or(kd != 0 && ki / kd > 0 ? std::sqrt(ki / kd)
                                  : kp != 0              ? std::abs(ki / kp)
                                                         : 0);
    require(!(low || high) || ki == 0 || tracking || gives_way > 0, "tracking",
            "is needed for an integral with limits where kp is zero");
  }
  void check_sampling(std::optional<double> T) const {
    require(
        T || !filters() || filter > 0, "filter",
        "is needed for kd: a controller that is not sampled has no differences; or give the rate of the error");
  }

  int states() const { return filters() ? 2 : 1; }
  bool direct(bool) const { return true; }
  template <class R> void start(const BlockInputOf<R>& in, R* x) const {
    x[0] = initial;
    if (filters()) x[1] = in.u;
  }
  int corners() const { return low || high ? 2 : 0; }
  template <class R> R output(const BlockInputOf<R>& in, const R* x, CornersOf<R> corners) const {
    return limited(wanted(in, x), corners);
  }
  template <class R> void rates(const BlockInputOf<R>& in, const R* x, CornersOf<R> corners, R* dx) const {
    const R w = wanted(in, x);
    dx[0] = ki * in.u + gives_way * (limited(w, corners) - w);
    if (filters()) dx[1] = (in.u - x[1]) / filter;
  }

  template <class R> R sampled(const BlockInputOf<R>& in, const R* m) const {
    return limited(wanted_at_instant(in, m), CornersOf<R>());
  }
  template <class R> void update(const BlockInputOf<R>& in, R* m) const {
    const R w = wanted_at_instant(in, m);
    const double share = in.T * gives_way;
    m[0] += in.since * ki * in.u + share / (1 + share) * (limited(w, CornersOf<R>()) - w);
    if (!filters()) return;
    m[1] += branch(
        in.since > 0, [&] { return R(in.since / (filter + in.since) * (in.u - m[1])); }, [] { return R(0); });
  }

 private:
  bool filters() const { return kd != 0 && !other.depends_on_state() && !other.depends_on_time(); }
  template <class R> R wanted(const BlockInputOf<R>& in, const R* x) const {
    const R rate = filters() ? (in.u - x[1]) / filter : in.v;
    return kp * in.u + x[0] + kd * rate;
  }
  template <class R> R wanted_at_instant(const BlockInputOf<R>& in, const R* m) const {
    const auto difference = [&] { return R((in.u - m[1]) / (filter + in.since)); };
    const R rate = filters() ? branch(in.since > 0, difference, [] { return R(0); }) : in.v;
    return kp * in.u + m[0] + in.since * ki * in.u + kd * rate;
  }
  template <class R> R limited(const R& w, CornersOf<R> corners) const {
    using Side = decltype(corners.above(0, w));
    const Side above = high ? corners.above(0, w - *high) : Side{},
               below = low ? corners.above(1, *low - w) : Side{};
    return choose(above, R(high.value_or(0)), choose(below, R(low.value_or(0)), w));
  }

  double gives_way = 0;  // [1/s]
};
}  // namespace mubody
