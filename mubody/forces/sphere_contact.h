#pragma once
// Two spheres that may touch.
//
//   docs/theory/contact.md#sphere_on_sphere
#include "mubody/forces/bases/contact_element.h"

namespace mubody {
struct SphereContact : ContactElement<SphereOnSphere> {
  static constexpr Info info{"sphere_contact", "two spheres that touch"};

  void fields(Fields& f) {
    f.required("i", i, "m", "the centre of the first sphere");
    f.required("j", j, "m", "the centre of the second sphere");
    pair.fields(f);
    more_fields(f);
  }
};
}  // namespace mubody
