#pragma once
// Where two round or flat bodies come nearest to each other, and how they move there.
//
//   docs/theory/contact.md#geometry
//
// A pair is one header in this folder: radii with `fields` and `check`, and
//
//   Touch<D> touch(const Moving<D>& i, const Moving<D>& j) const;
//   double relative_radius() const;                                  [m], for the stiffness
//   void draw(Sketch&, Sketch::Arrow& force) const;                  what it looks like, and where its force acts
//
// i and j are the markers at the centres of the two bodies; for a line or plane i is a point on it and its `up`
// the normal.  Body i is the hollow, flat or first one.
//
// One point serves both bodies, halfway between the two surfaces on their common normal: then action and reaction
// share a line also when there is friction, and the power of both together is −F·approach + T·slip, with F the
// force along the normal and T the tangential force, both on body j.
#include "mubody/math/space.h"
#include "mubody/model/sketch.h"

namespace mubody {
/// A marker and its motion, in global axes.
template <int D> struct Moving {
  Vec<D> x = Vec<D>::Zero();                // position [m]
  Vec<D> v = Vec<D>::Zero();                // velocity [m/s]
  Vec<spins<D>> w = Vec<spins<D>>::Zero();  // angular velocity of its body [rad/s]
  Vec<D> up = Vec<D>::Unit(D - 1);          // its y axis in the plane, its z axis in space

  /// ω × s for an arm s.
  Vec<D> turning(const Vec<D>& s) const {
    if constexpr (D == 2)
      return w[0] * perp(s);
    else
      return w.cross(s);
  }
  /// Velocity of the point of the body that is at p.
  Vec<D> velocity_at(const Vec<D>& p) const { return v + turning(p - x); }
};

/// A contact, or what would be one.
template <int D> struct Touch {
  double gap = 0;       // between the surfaces [m]; negative: the depth of penetration
  Vec<D> normal;        // unit vector out of body i, into body j: the direction in which j is pushed
  Vec<D> on_i, on_j;    // the nearest points of the two surfaces [m]
  Vec<D> point;         // halfway between them: where both forces act [m]
  double approach = 0;  // −d gap/dt [m/s], positive while the bodies approach
  Vec<D> slip;          // tangential velocity of body j against body i at the point [m/s], spin included
};

/// Direction of d; if d is zero, that of the velocity v, which d will take; else x.
template <int D> Vec<D> direction(const Vec<D>& d, const Vec<D>& v) {
  if (const double length = d.norm(); length > 0) return d / length;
  if (const double speed = v.norm(); speed > 0) return v / speed;
  return Vec<D>::UnitX();
}

/// The contact of surfaces whose nearest points and common normal are known.
template <int D>
Touch<D> touch_at(const Moving<D>& i, const Moving<D>& j, double gap, const Vec<D>& normal, const Vec<D>& on_i,
                  const Vec<D>& on_j) {
  Touch<D> t{.gap = gap, .normal = normal, .on_i = on_i, .on_j = on_j, .point = (on_i + on_j) / 2};
  const Vec<D> v = j.velocity_at(t.point) - i.velocity_at(t.point);
  const double parting = v.dot(normal);
  t.approach = -parting;
  t.slip = v - parting * normal;
  return t;
}
}  // namespace mubody
