#pragma once
// A capsule on a plane in space: a cylinder between two half spheres, which touch the plane.  What lies between them
// is never nearer to the plane than both are.
//
//   docs/theory/contact.md#capsule_on_plane
#include "mubody/contact/geometry/sites.h"

namespace mubody {
struct CapsuleOnPlane {
  static constexpr Info info{"capsule_on_plane", "a capsule on a plane"};
  static constexpr int dim = 3;
  double sphere = 0, length = 0;   // radius of its ends, distance of their centres [m]
  Vec<3> along = Vec<3>::UnitZ();  // from one to the other, in body axes

  void fields(Fields& f) {
    f.required("radius", sphere, "m", "of the capsule and its round ends");
    f.required("length", length, "m", "from the centre of one end to that of the other");
    f.optional("along", along, "", "from one end to the other, in the axes of its body");
  }
  void check() const {
    require(std::isfinite(sphere) && sphere > 0, "radius", "must be positive");
    require(std::isfinite(length) && length > 0, "length", "must be positive");
    require(along.allFinite() && along.norm() > 0, "along", "must not be zero");
  }
  void draw(Sketch& s, Sketch::Arrow& force) const {
    s.capsule(Sketch::End::j, sphere, length, {along.x(), along.y(), along.z()});
    s.plane(), s.point(Sketch::End::j);
    force.point = {"x", "y", "z"};
  }
  std::optional<double> radius() const { return sphere; }
  void prepare() { along.normalize(); }
  int sites() const { return 2; }
  Touch<3> touch(int site, const Placed<3>& i, const Placed<3>& j) const {
    return point_on_flat<3>(i, j, j.global((site == 0 ? -0.5 : 0.5) * length * along), sphere);
  }
};
}  // namespace mubody
