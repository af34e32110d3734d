#pragma once
// A straight line from one point to another; it goes on beyond both.
#include "mubody/joints/curves/body_curve.h"

namespace mubody {
struct StraightLine {
  static constexpr Info info{"line", "a straight line, which goes on beyond its ends"};
  Vec<3> from = Vec<3>::Zero(), to = Vec<3>::UnitX();

  void fields(Fields& f) {
    f.required("from", from, "m", "its first point, in the axes of the marker");
    f.required("to", to, "m", "its last point");
  }
  void check() {
    require(from.allFinite(), "from", "must be finite");
    require(to.allFinite() && (to - from).norm() > 0, "to", "must differ from 'from'");
  }
  double end() const { return (to - from).norm(); }
  bool is_closed() const { return false; }
  int pieces() const { return 1; }
  template <class R> CurveAtOf<R> operator()(const R& s) const {
    const Vec<3, R> along = (to - from).normalized().cast<R>();
    return {from.cast<R>() + s * along, along};
  }
};
}  // namespace mubody
