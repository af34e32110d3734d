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
#include "mubody/math/jet_math.h"

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
  template <class R> JetOf<R> operator()(const R& x) const {
    const R into = x - start - period * floor((x - start) / period);
    const CamLawEntry& y = cam_laws()[std::size_t(law.index)];
    const auto part = [&](double from, double over, double height) {
      const JetOf<R> at = y(R((into - from) / over));
      return JetOf<R>{height * at.x, height * at.v / over, height * at.a / (over * over)};
    };
    const auto up = [&] { return part(0, rise, lift); };
    const auto above = [&] { return JetOf<R>{lift, 0, 0}; };
    const auto below = [&] { return JetOf<R>{0, 0, 0}; };
    const auto down = [&] {
      const JetOf<R> lower = part(rise + dwell, fall, -lift);
      return JetOf<R>{lift + lower.x, lower.v, lower.a};
    };
    const auto after = [&] { return branch(into >= rise + dwell + fall, below, down); };
    return branch(into < rise, up, [&] { return branch(into <= rise + dwell, above, after); });
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
