#pragma once
// Bodies that may touch in several places at a time.
//
//   docs/theory/contact.md#several-places
//
// Such a pair is one header in this folder: sizes with `fields`, `check` and `draw` as in touch.h, and
//
//   void prepare();                                                    once, before the first evaluation
//   int sites() const;                                                 how many places there may be
//   Touch<D> touch(int site, const Placed<D>& i, const Placed<D>& j) const;
//   std::optional<double> radius() const;                              relative radius [m], if there is one
//
// Each place has a memory of its own: whether it touches, and the speed at which it began to.
#include <optional>

#include "mubody/contact/geometry/touch.h"
#include "mubody/model/errors.h"
#include "mubody/model/fields.h"

namespace mubody {
/// A marker with the axes in which a shape is given: in the plane its own, in space those of its body, for there the
/// z axis of a marker is the normal of a plane.
template <int D> struct Placed : Moving<D> {
  Eigen::Matrix<double, D, D> axes = Eigen::Matrix<double, D, D>::Identity();

  /// A point of the shape, in global axes.
  Vec<D> global(const Vec<D>& p) const { return this->x + axes * p; }
  Vec<D> local(const Vec<D>& p) const { return axes.transpose() * (p - this->x); }
};

/// The point of a body that is at `at` over a plane, pushed along its normal; `i` is on the plane.
template <int D>
Touch<D> point_on_flat(const Placed<D>& i, const Placed<D>& j, const Vec<D>& at, double radius) {
  const double height = i.up.dot(at - i.x);
  return touch_at<D>(i, j, height - radius, i.up, at - height * i.up, at - radius * i.up);
}
}  // namespace mubody
