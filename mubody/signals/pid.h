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
  void start(const BlockInput& in, double* x) const {
    x[0] = initial;
    if (filters()) x[1] = in.u;
  }
  int corners() const { return low || high ? 2 : 0; }
  double output(const BlockInput& in, const double* x, Corners corners) const {
    return limited(wanted(in, x), corners);
  }
  void rates(const BlockInput& in, const double* x, Corners corners, double* dx) const {
    const double w = wanted(in, x);
    dx[0] = ki * in.u + gives_way * (limited(w, corners) - w);
    if (filters()) dx[1] = (in.u - x[1]) / filter;
  }

  double sampled(const BlockInput& in, const double* m) const {
    return limited(wanted_at_instant(in, m), Corners());
  }
  void update(const BlockInput& in, double* m) const {
    const double w = wanted_at_instant(in, m);
    const double share = in.T * gives_way;
    m[0] += in.since * ki * in.u + share / (1 + share) * (limited(w, Corners()) - w);
    if (filters()) m[1] += in.since > 0 ? in.since / (filter + in.since) * (in.u - m[1]) : 0;
  }

 private:
  bool filters() const { return kd != 0 && !other.depends_on_state() && !other.depends_on_time(); }
  double wanted(const BlockInput& in, const double* x) const {
    const double rate = filters() ? (in.u - x[1]) / filter : in.v;
    return kp * in.u + x[0] + kd * rate;
  }
  double wanted_at_instant(const BlockInput& in, const double* m) const {
    const double span = filter + in.since;
    const double rate = !filters() ? in.v : in.since > 0 ? (in.u - m[1]) / span : 0;
    return kp * in.u + m[0] + in.since * ki * in.u + kd * rate;
  }
  double limited(double w, Corners corners) const {
    const bool above = high && corners.above(0, w - *high), below = low && corners.above(1, *low - w);
    return above ? *high : below ? *low : w;
  }

  double gives_way = 0;  // [1/s]
};
}  // namespace mubody
