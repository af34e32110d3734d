#pragma once
// Two outlines in the plane that may touch in several places: Geneva wheels, ratchets, pins in slots, boxes.
//
//   docs/theory/contact.md#outline_on_outline
#include "mubody/contact/geometry/outline_on_outline.h"
#include "mubody/forces/bases/many_contacts.h"

namespace mubody {
struct OutlineContact : ManyContacts<OutlineOnOutline> {
  static constexpr Info info{"outline_contact", "outlines of lines and arcs, polygons and discs that touch",
                             "polygon_contact geneva ratchet"};
  static constexpr Attach attach = Attach::angle;  // markers are those of the bodies unless they are given

  void fields(Fields& f) {
    f.required("i", i, "m", "the marker in whose axes the first outline is given");
    f.required("j", j, "m", "the marker in whose axes the second outline is given");
    pair.fields(f);
    more_fields(f);
  }
};
}  // namespace mubody
