#pragma once
// The largest force or torque that a controlled motor has.
//
//   F = f within −L .. L, else −L or L                                    docs/theory/joint-parts.md#motors
//
// During a motion the force is held on the side of the corners on which it was, so that the integrator sees a smooth
// function; watches/switches.h locates where the side changes.
#include <algorithm>
#include <memory>
#include <optional>

#include "mubody/math/expression.h"
#include "mubody/math/real.h"
#include "mubody/model/errors.h"

namespace mubody {
struct Saturation {
  std::optional<double> limit{};
  std::shared_ptr<Switches> switches{};  // of the motion that follows the corners; null if none does

  void check() const {
    require(!limit || (std::isfinite(*limit) && *limit > 0), "limit",
            "must be positive; without it the motor has any force");
  }
  int corners() const { return limit ? 2 : 0; }
  double operator()(double wanted) const {
    if (!limit) return wanted;
    if (switches) {
      switches->value[0] = wanted - *limit;
      switches->value[1] = wanted + *limit;
      if (switches->held) return switches->side[0] > 0 ? *limit : switches->side[1] < 0 ? -*limit : wanted;
    }
    return std::clamp(wanted, -*limit, *limit);
  }
  /// For numbers that no motion follows.
  template <class R> R operator()(const R& wanted) const {
    return limit ? smaller_of(larger_of(wanted, R(-*limit)), R(*limit)) : wanted;
  }
};
}  // namespace mubody
