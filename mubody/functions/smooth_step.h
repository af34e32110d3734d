#pragma once
// From one value to another without a jerk at either end: 3s² − 2s³ has continuous slope,
// 10s³ − 15s⁴ + 6s⁵ continuous curvature as well.
#include <cmath>

#include "mubody/functions/function.h"
#include "mubody/math/jet_math.h"

namespace mubody {
struct SmoothStep {
  static constexpr Info info{"step", "a smooth change from one value to another"};
  double from = 0, to = 0;
  double start = 0, end = 0;
  Choice order{{"cubic", "quintic"}, 1};

  void fields(Fields& f) {
    f.optional("from", from, "", "value up to the start");
    f.required("to", to, "", "value from the end on");
    f.optional("start", start, "s", "time at which the change begins");
    f.required("end", end, "s", "time at which it is done");
    f.optional("order", order, "", "cubic: continuous velocity; quintic: continuous acceleration too");
  }
  void check() {
    require(std::isfinite(from), "from", "must be finite");
    require(std::isfinite(to), "to", "must be finite");
    require(std::isfinite(start), "start", "must be finite");
    require(std::isfinite(end) && end > start, "end", "must be later than start");
  }
  Breakpoints breakpoints(double, double) const { return {{start, end}, {}}; }
  template <class R> JetOf<R> operator()(const R& t) const {
    const auto before = [&] { return JetOf<R>{from, 0, 0}; };
    const auto after = [&] { return JetOf<R>{to, 0, 0}; };
    return branch(t <= start, before, [&] { return branch(t >= end, after, [&] { return between(t); }); });
  }

 private:
  template <class R> JetOf<R> between(const R& t) const {
    const double rate = 1 / (end - start), rise = to - from;
    const R s = (t - start) * rate, left = 1 - s;
    if (order.index == 0)
      return {from + rise * s * s * (3 - 2 * s), rise * rate * 6 * s * left,
              rise * rate * rate * 6 * (1 - 2 * s)};
    return {from + rise * s * s * s * (10 + s * (6 * s - 15)), rise * rate * 30 * s * s * left * left,
            rise * rate * rate * 60 * s * left * (1 - 2 * s)};
  }
};
}  // namespace mubody
