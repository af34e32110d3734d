#pragma once
// A sphere that may touch a plane.
//
//   docs/theory/contact.md#sphere_on_plane
#include "mubody/forces/bases/contact_element.h"

namespace mubody {
struct PlaneContact : ContactElement<SphereOnPlane> {
  static constexpr Info info{"plane_contact", "a sphere on a plane"};
  static constexpr Attach attach = Attach::pin;

  void fields(Fields& f) {
    f.required("i", i, "m", "a point of the plane; its z axis points out of the material, to the sphere");
    f.required("j", j, "m", "the centre of the sphere");
    pair.fields(f);
    more_fields(f);
  }
};
}  // namespace mubody
