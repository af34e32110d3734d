#pragma once
// All laws of friction; the list is generated from the headers of this folder.
#include <span>

#include "mubody/contact/friction/friction.h"

namespace mubody {
struct FrictionEntry {
  Info info;
  std::unique_ptr<FrictionKind> (*make)();

  template <class Kind> static FrictionEntry of() {
    return {Kind::info, [] { return std::unique_ptr<FrictionKind>(std::make_unique<Friction::Of<Kind>>()); }};
  }
};
std::span<const FrictionEntry> friction_kinds();
}  // namespace mubody
