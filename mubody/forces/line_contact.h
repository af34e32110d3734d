#pragma once
// A disc that may touch a straight line.
//
//   docs/theory/contact.md#disc_on_line
#include "mubody/forces/bases/contact_element.h"

namespace mubody {
struct LineContact : ContactElement<DiscOnLine> {
  static constexpr Info info{"line_contact", "a disc on a straight line"};
  static constexpr Attach attach = Attach::line;

  void fields(Fields& f) {
    f.required("i", i, "m", "a point of the line; its y axis points out of the material, to the disc");
    f.required("j", j, "m", "the centre of the disc");
    pair.fields(f);
    more_fields(f);
  }
};
}  // namespace mubody
