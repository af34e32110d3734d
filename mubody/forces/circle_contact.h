#pragma once
// A disc that moves within a circle and may touch it.
//
//   docs/theory/contact.md#disc_inside_circle
#include "mubody/forces/bases/contact_element.h"

namespace mubody {
struct CircleContact : ContactElement<DiscInsideCircle> {
  static constexpr Info info{"circle_contact", "a disc within a circle"};

  void fields(Fields& f) {
    f.required("i", i, "m", "the centre of the circle");
    f.required("j", j, "m", "the centre of the disc");
    pair.fields(f);
    more_fields(f);
  }
};
}  // namespace mubody
