#pragma once
// All normal laws of contact; the list is generated from the headers of this folder.
#include <span>

#include "mubody/contact/laws/contact_law.h"

namespace mubody {
struct ContactLawEntry {
  Info info;
  std::unique_ptr<ContactLawKind> (*make)();

  template <class Kind> static ContactLawEntry of() {
    return {Kind::info,
            [] { return std::unique_ptr<ContactLawKind>(std::make_unique<ContactLaw::Of<Kind>>()); }};
  }
};
std::span<const ContactLawEntry> contact_law_kinds();
}  // namespace mubody
