#pragma once
// A cylinder that may touch a plane.
//
//   docs/theory/contact.md#cylinder_on_plane
#include "mubody/contact/geometry/cylinder_on_plane.h"
#include "mubody/forces/bases/many_contacts.h"

namespace mubody {
struct CylinderContact : ManyContacts<CylinderOnPlane> {
  static constexpr Info info{"cylinder_contact", "a cylinder on a plane"};
  static constexpr Attach attach = Attach::pin;

  void fields(Fields& f) {
    f.required("i", i, "m", "a point of the plane; its z axis points out of the material, to the cylinder");
    f.required("j", j, "m", "the middle of the cylinder");
    pair.fields(f);
    more_fields(f);
  }
};
}  // namespace mubody
