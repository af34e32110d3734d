#pragma once
// The direction of view on a mechanism, and the scale from metres to pixels.  Rays are parallel, so that
// lengths can be measured in the picture.
#include <string_view>

#include "mubody/math/space.h"

namespace mubody::io {
/// Three directions in global axes, perpendicular to each other.
struct View {
  Vec<3> right = Vec<3>::UnitX(), up = Vec<3>::UnitY(), toward = Vec<3>::UnitZ();

  /// Seen from azimuth `az` about `vertical` (0, 1, 2: x, y, z) and elevation `el` above the horizon [rad].
  static View from(double az, double el, int vertical = 2);
  /// "iso", "xy", "xz", "yz" or "az,el" in degrees; "" is xy in the plane and iso in space, where the vertical is the
  /// axis that gravity follows most.  Throws FieldError.
  static View named(std::string_view text, int dim, const Vec<3>& gravity);

  Vec<2> flat(const Vec<3>& p) const { return {right.dot(p), up.dot(p)}; }
};

/// Maps points of space to the picture.
struct Lens {
  View view;
  double scale = 1;                // pixels per metre
  Vec<2> origin = Vec<2>::Zero();  // position of the global origin, in pixels

  Vec<2> operator()(const Vec<3>& p) const {
    const Vec<2> f = view.flat(p);
    return {origin.x() + scale * f.x(), origin.y() - scale * f.y()};
  }
  double depth(const Vec<3>& p) const { return view.toward.dot(p); }
};

/// A rectangle that grows.
struct Bounds {
  Vec<2> low = Vec<2>::Constant(1e300), high = Vec<2>::Constant(-1e300);

  void add(const Vec<2>& p, double radius = 0) {
    low = low.cwiseMin(p - Vec<2>::Constant(radius));
    high = high.cwiseMax(p + Vec<2>::Constant(radius));
  }
  bool empty() const { return low.x() > high.x(); }
  Vec<2> size() const { return high - low; }
  Vec<2> middle() const { return (low + high) / 2; }
};
}  // namespace mubody::io
