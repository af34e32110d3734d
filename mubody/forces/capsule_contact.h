#pragma once
// A capsule that may touch a plane.
//
//   docs/theory/contact.md#capsule_on_plane
#include "mubody/contact/geometry/capsule_on_plane.h"
#include "mubody/forces/bases/many_contacts.h"

namespace mubody {
struct CapsuleContact : ManyContacts<CapsuleOnPlane> {
  static constexpr Info info{"capsule_contact", "a capsule on a plane"};
  static constexpr Attach attach = Attach::pin;

  void fields(Fields& f) {
    f.required("i", i, "m", "a point of the plane; its z axis points out of the material, to the capsule");
    f.required("j", j, "m", "the middle of the capsule");
    pair.fields(f);
    more_fields(f);
  }
};
}  // namespace mubody
