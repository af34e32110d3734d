#pragma once
// An arc of a circle in the plane of x and y, counter-clockwise, or the whole circle.
#include <cmath>
#include <numbers>

#include "mubody/joints/curves/body_curve.h"

namespace mubody {
struct CircularArc {
  static constexpr Info info{"arc", "an arc of a circle in the plane of x and y, or the whole circle"};
  Vec<3> centre = Vec<3>::Zero();
  double radius = 0;
  double from = 0;
  std::optional<double> to;

  void fields(Fields& f) {
    f.optional("centre", centre, "m", "of the circle, in the axes of the marker");
    f.required("radius", radius, "m", "of the circle");
    f.optional("from", from, "rad", "angle from x at which the arc begins");
    f.optional("to", to, "rad", "angle at which it ends, counter-clockwise from its beginning",
               "a whole circle");
  }
  void check() {
    require(centre.allFinite(), "centre", "must be finite");
    require(std::isfinite(radius) && radius > 0, "radius", "must be positive");
    require(std::isfinite(from), "from", "must be finite");
    require(!to || (std::isfinite(*to) && *to > from), "to", "must be larger than 'from'");
    require(!to || *to - from < 2 * std::numbers::pi, "to",
            "must end within one turn; leave it out for a circle");
  }
  double end() const { return radius * (to ? *to - from : 2 * std::numbers::pi); }
  bool is_closed() const { return !to; }
  int pieces() const { return 4; }
  template <class R> CurveAtOf<R> operator()(const R& s) const {
    const R size = radius, angle = from + s / size;
    const Vec<3, R> out(cos(angle), sin(angle), 0), along(-out.y(), out.x(), 0);
    return {centre.cast<R>() + size * out, along, -out / size, -along / (size * size)};
  }
};
}  // namespace mubody
