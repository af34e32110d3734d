#pragma once
// A spring and a damper along a turn or a slide of a joint: `stiffness`, `damping` and `free` of a joint.
//
//   docs/theory/joint-parts.md#springs
//
//   F = −k (s − s0) − c ṡ
#include "mubody/forces/bases/on_coordinate.h"
#include "mubody/forces/elastic.h"

namespace mubody {
struct JointSpring : OnCoordinate, Elastic {
  static constexpr Info info{"joint_spring", "spring and damper along a turn or slide"};
  std::optional<double> free;

  void fields(Fields& f) {
    OnCoordinate::fields(f);
    f.optional("stiffness", stiffness, unit_of_stiffness(), "k", Usual::not_negative);
    f.optional("damping", damping, unit_of_damping(), "c", Usual::not_negative);
    f.optional("free", free, unit(), "where the spring is at rest", "as at the start");
  }
  void check(int D) const { OnCoordinate::check(D); }
  void start(const Pose& from, const Pose& to) {
    if (!free) free = value(from, to);
  }

  std::optional<ScalarForm> scalars(int) const {
    const auto s = scalar();
    return s ? std::optional(scalar_form(*s, *free)) : std::nullopt;
  }
  template <class F, class G, class N, class S>
  void apply(const F& i, const G& j, const N& now, S& sink) const {
    const auto pull = act(mubody::coordinate(coordinate(), i, j), *free, now, sink);
    sink.reports(effort_name(), unit_of_effort(), -pull);
  }
};
}  // namespace mubody
