#pragma once
// The lift of a cam: it dwells at 0, rises, dwells at the top, returns, and so on in every period.
//
//   s(x) = lift · y((x − start) / rise)                   while it rises
//   s(x) = lift · (1 − y((x − start − rise − dwell) / fall))   while it returns           docs/theory/cams.md
//
// y is one of the laws in functions/cams/.
#include <cmath>

#include "mubody/functions/cams/cam_law.h"
#include "mubody/functions/function.h"

namespace mubody {
struct Cam {
  static constexpr Info info{"cam", "a lift that rises, dwells and returns in every period"};
  double lift = 0, start = 0, rise = 0, dwell = 0, fall = 0, period = 0;
  Choice law{names_of_cam_laws()};

  void fields(Fields& f) {
    f.required("lift", lift, "", "height of the rise");
    f.required("rise", rise, "argument", "over which it rises");
    f.optional("dwell", dwell, "argument", "over which it stays at the top");
    f.required("fall", fall, "argument", "over which it returns");
    f.required("period", period, "argument", "after which all begins again: 360 deg of a cam");
    f.optional("start", start, "argument", "at which it begins to rise");
    f.optional("law", law, "", "how it rises and returns");
  }
  void check() {
    require(std::isfinite(lift), "lift", "must be finite");
    require(std::isfinite(start), "start", "must be finite");
    require(std::isfinite(rise) && rise > 0, "rise", "must be positive");
    require(std::isfinite(dwell) && dwell >= 0, "dwell", "must not be negative");
    require(std::isfinite(fall) && fall > 0, "fall", "must be positive");
    const double all = rise + dwell + fall;
    require(std::isfinite(period) && period >= all * (1 - 1e-12), "period",
            "must be at least rise + dwell + fall, which is " + std::to_string(all));
  }
  Jet operator()(double x) const {
    const double into = x - start - period * std::floor((x - start) / period);
    const auto& y = cam_laws()[std::size_t(law.index)].at;
    const auto part = [&](double from, double over, double height) {
      const Jet at = y((into - from) / over);
      return Jet{height * at.x, height * at.v / over, height * at.a / (over * over)};
    };
    if (into < rise) return part(0, rise, lift);
    if (into <= rise + dwell) return {lift, 0, 0};
    if (into >= rise + dwell + fall) return {0, 0, 0};
    const Jet down = part(rise + dwell, fall, -lift);
    return {lift + down.x, down.v, down.a};
  }
  Breakpoints breakpoints(double from, double to) const {
    Breakpoints all;
    constexpr double most = 1e6;  // more of them are the business of step control
    const double first = std::floor((from - start) / period), last = std::ceil((to - start) / period);
    if (4 * (last - first) > most) return all;
    for (double k = first; k < last; ++k)
      for (const double at : {0.0, rise, rise + dwell, rise + dwell + fall})
        all.jumps.push_back(start + k * period + at);
    return all;
  }
};
}  // namespace mubody
