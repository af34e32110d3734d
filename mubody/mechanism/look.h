#pragma once
// How a body is drawn, if the user chooses: a line of the [look] section.  It changes no result.
//
//   docs/user/pictures.md#look
#include <memory>
#include <string>

#include "mubody/model/errors.h"
#include "mubody/model/fields.h"

namespace mubody {
struct Figure;  // shapes/figure.h

struct Look {
  enum Form { automatic, link, plate, disc, box, sphere, none };
  Choice shape{{"auto", "link", "plate", "disc", "box", "sphere", "none"}};  // in the order of Form
  std::string colour;          // "#rrggbb"; chosen by the picture if empty
  std::optional<double> size;  // width of a link, radius of a disc or sphere, side of a box [m]
  /// What the body is made of, in body axes; null if it has no shapes.
  std::shared_ptr<const Figure> figure = nullptr;

  Form form() const { return Form(shape.index); }
  void fields(Fields& f) {
    f.optional("shape", shape, "", "what is drawn; auto: from its joints and points");
    f.optional("colour", colour, "", "\"#rrggbb\", or the name of a colour", "one colour after the other");
    f.optional("size", size, "m", "width of a link, radius of a disc or sphere, side of a box",
               "as it looks well");
  }
  void check() const { require(!size || (std::isfinite(*size) && *size > 0), "size", "must be positive"); }
};
}  // namespace mubody
