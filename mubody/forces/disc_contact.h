#pragma once
// Two discs that may touch from outside.
//
//   docs/theory/contact.md#disc_on_disc
#include "mubody/forces/bases/contact_element.h"

namespace mubody {
struct DiscContact : ContactElement<DiscOnDisc> {
  static constexpr Info info{"disc_contact", "two discs that touch from outside"};

  void fields(Fields& f) {
    f.required("i", i, "m", "the centre of the first disc");
    f.required("j", j, "m", "the centre of the second disc");
    pair.fields(f);
    more_fields(f);
  }
};
}  // namespace mubody
