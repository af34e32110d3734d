#pragma once
// A marker as a joint sees it: where its origin is and where its axes point, carried by body i or body j.
//
// The formulation answers the two questions behind it (where is the origin of the body, where does the body
// carry this arm); see formulations/.  Nothing is computed that is not asked for.
#include "mubody/kinematics/carried.h"
#include "mubody/model/marker.h"

namespace mubody {
/// Which of the two bodies of an element carries something.
enum class Side { i, j };

/// A marker prepared for evaluation: body index, origin and axes in body axes.
template <int D> struct Mount {
  int body = ground;
  Vec<D> at = Vec<D>::Zero();
  Eigen::Matrix<double, D, D> axes = Eigen::Matrix<double, D, D>::Identity();
  double angle = 0;  // of the x axis, in the plane

  Mount() = default;
  explicit Mount(const Marker& m)
      : body(m.body), at(m.at.head<D>()), axes(m.turn.toRotationMatrix().topLeftCorner<D, D>()),
        angle(angle_about_z(m.turn)) {}
};

template <class Formulation, Side S> struct Frame {
  static constexpr int dim = Formulation::dim;
  static constexpr int columns = Formulation::columns;
  static constexpr Side side = S;
  using Motion = typename Formulation::Motion;

  const Motion& body;
  const Mount<dim>& mount;

  auto o() const { return Formulation::template point<S>(body, mount.at); }
  auto x() const { return Formulation::template arm<S>(body, Vec<dim>(mount.axes.col(0))); }
  auto y() const { return Formulation::template arm<S>(body, Vec<dim>(mount.axes.col(1))); }
  auto z() const requires(dim == 3) { return Formulation::template arm<S>(body, Vec<dim>(mount.axes.col(2))); }
  /// The angle of the x axis, counted over turns; only where the formulation has one.
  auto angle() const requires requires { Formulation::template angle<S>(body, 0.0); }
  { return Formulation::template angle<S>(body, mount.angle); }
};

/// True where angles are coordinates, so that they count turns and are linear.
template <class F> inline constexpr bool has_angle = requires(const F& f) { f.angle(); };

/// The angle from the x axis of i to the x axis of j about z.
template <class F, class G> auto angle_between(const F& i, const G& j) {
  if constexpr (has_angle<F>)
    return j.angle() - i.angle();
  else
    return atan2(dot(i.y(), j.x()), dot(i.x(), j.x()));
}

/// Zero when the x axes are parallel and point the same way.  Where angles are coordinates they are used, since
/// y_i · x_j is also zero for axes that point opposite ways.
template <class F, class G> auto misalignment(const F& i, const G& j) {
  if constexpr (has_angle<F>)
    return wrapped(angle_between(i, j));
  else
    return dot(i.y(), j.x());
}
}  // namespace mubody
