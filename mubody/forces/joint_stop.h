#pragma once
// A stop that ends a turn or a slide of a joint, on one side.  `limits` of a joint makes one for each end.
//
//   docs/theory/joint-parts.md#limits
//
//   F = law(s − l, ṡ) against larger s at the high end l, and likewise at the low end
#include <numbers>
#include <sstream>

#include "mubody/forces/bases/on_coordinate.h"
#include "mubody/forces/bases/one_sided.h"

namespace mubody {
struct JointStop : OnCoordinate, OneSided {
  static constexpr Info info{"joint_stop", "a stop at one end of a turn or slide", "end_stop bump_stop"};
  double limit = 0;

  void fields(Fields& f) {
    OnCoordinate::fields(f);
    f.required("limit", limit, unit(), "where the stop is met");
    side_fields(f);
  }
  void check(int D) const {
    OnCoordinate::check(D);
    require(std::isfinite(limit), "limit", "must be finite");
    check_law();
  }
  std::string refuse_depth(double depth) const {
    constexpr double little = 1e-9;  // [rad or m] which assembly and round-off may leave
    if (!(depth > little)) return {};
    return "the joint is at " + in_words(limit + outward() * depth) + " at the start, " +
           (outward() > 0 ? "above" : "below") + " its limit of " + in_words(limit) +
           ": move the start or the limit";
  }

  template <class F, class G, class N, class S>
  void apply(const F& i, const G& j, const N& now, S& sink) const {
    const auto s = mubody::coordinate(coordinate(), i, j);
    const double along = meet(s, limit, now.contact, sink);
    sink.reports("gap", unit(), outward() * (limit - s.x));
    sink.reports(effort_name(), unit_of_effort(), along);
  }
  /// Applies a unit normal force.
  template <class F, class G, class S> void push(const F& i, const G& j, double, S& sink) const {
    sink.along(mubody::coordinate(coordinate(), i, j), -outward());
  }
  /// How deep two frames at rest are in the stop.
  double depth(const Pose& from, const Pose& to) const { return outward() * (value(from, to) - limit); }

 private:
  std::string in_words(double x) const {
    return turns() ? number_in_words(x * 180 / std::numbers::pi) + " deg" : number_in_words(x) + " m";
  }
  static std::string number_in_words(double x) {
    std::ostringstream text;
    text << x;
    return text.str();
  }
};
}  // namespace mubody
