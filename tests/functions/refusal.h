#pragma once
// The error in the parameters of a function or law, for tests.
#include <string>

#include "mubody/model/errors.h"

namespace mubody::testing {
/// Why a kind of function or law refuses its parameters.
template <class Kind> std::string refusal(Kind kind) {
  try {
    kind.check();
  } catch (const FieldError& e) {
    return e.field + ": " + e.what();
  }
  return "accepted";
}
}  // namespace mubody::testing
