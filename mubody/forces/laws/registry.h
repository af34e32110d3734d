#pragma once
// All kinds of spring law; the list is generated from the headers of this folder.
#include <span>

#include "mubody/forces/laws/law.h"

namespace mubody {
struct LawEntry {
  Info info;
  std::unique_ptr<LawKind> (*make)();

  template <class Kind> static LawEntry of() {
    return {Kind::info, [] { return std::unique_ptr<LawKind>(std::make_unique<Law::Of<Kind>>()); }};
  }
};
std::span<const LawEntry> law_kinds();
}  // namespace mubody
