#pragma once
// The refusal of elements that cannot be part of equations that are recorded, and so neither of generated code.
#include <string>

#include "mubody/model/errors.h"
#include "mubody/model/fields.h"

namespace mubody {
/// `what` is "function", "law", ...; the reason follows its name.
inline ModelError not_recorded(std::string_view what, const Info& info,
                               std::string_view reason =
                                   "is written for doubles alone: make it a template of its "
                                   "scalar, as the kinds of mubody are") {
  return ModelError("no code can be generated with the " + std::string(what) + " '" + std::string(info.name) +
                    "': it " + std::string(reason));
}
}  // namespace mubody
