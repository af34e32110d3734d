#pragma once
// A box that may touch a plane.
//
//   docs/theory/contact.md#box_on_plane
#include "mubody/contact/geometry/box_on_plane.h"
#include "mubody/forces/bases/many_contacts.h"

namespace mubody {
struct BoxContact : ManyContacts<BoxOnPlane> {
  static constexpr Info info{"box_contact", "a box on a plane"};
  static constexpr Attach attach = Attach::pin;

  void fields(Fields& f) {
    f.required("i", i, "m", "a point of the plane; its z axis points out of the material, to the box");
    f.required("j", j, "m", "the middle of the box");
    pair.fields(f);
    more_fields(f);
  }
};
}  // namespace mubody
