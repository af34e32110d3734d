#pragma once
// A motor that holds a position at a joint, a servo: `motor = {position = ..., stiffness = ...}` of a joint.
//
//   docs/theory/joint-parts.md#motors
//
//   F = k (p(t) − s) + c (ṗ(t) − ṡ), within its limit; its power F ṡ is supplied
#include "mubody/forces/bases/controlled.h"

namespace mubody {
struct PositionMotor : Controlled {
  static constexpr Info info{"position_motor", "a motor that holds the position of a turn or slide"};
  Function position;
  double stiffness = 0, damping = 0;

  void fields(Fields& f) {
    OnCoordinate::fields(f);
    f.required("position", position, unit(), "that it holds, a function of time; angles count turns");
    f.required("stiffness", stiffness, unit_of_stiffness(), "torque or force for what is missing of the way");
    f.optional("damping", damping, unit_of_damping(), "torque or force for what is missing of the speed");
    limit_field(f);
  }
  void check(int D) const {
    OnCoordinate::check(D);
    saturation.check();
    require(std::isfinite(stiffness) && stiffness > 0, "stiffness", "must be positive");
    require(std::isfinite(damping) && damping >= 0, "damping", "must not be negative");
  }

  std::optional<ScalarForm> scalars(int) const {
    return scalar_form([own = *this](const auto& x, const auto& v, const auto& t) {
      return own.wanted(own.position(t), x, v);
    });
  }
  template <class F, class G, class N, class S>
  void apply(const F& i, const G& j, const N& now, S& sink) const {
    const auto s = mubody::coordinate(coordinate(), i, j);
    const auto p = position(now.t);
    drive(s, wanted(p, s.x, s.v), sink);
    sink.reports("error", unit(), p.x - s.x);
  }

 private:
  template <class R> R wanted(const JetOf<R>& p, const R& x, const R& v) const {
    return stiffness * (p.x - x) + damping * (p.v - v);
  }
};
}  // namespace mubody
