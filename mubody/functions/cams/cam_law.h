#pragma once
// Laws by which a cam lifts: from 0 to 1 while x goes from 0 to 1, with speed 0 at both ends.
//
//   Norton, "Cam Design and Manufacturing Handbook", 2nd edition, 2009, chapters 3 and 4   docs/theory/cams.md
//
// Each law is one header in functions/cams/ with `static constexpr Info info` and `Jet operator()(double x) const`, the
// lift and its first two derivatives with respect to x.
#include <span>
#include <vector>

#include "mubody/math/jet.h"
#include "mubody/model/fields.h"

namespace mubody {
struct CamLawEntry {
  Info info;
  Jet (*at)(double x);

  template <class Law> static CamLawEntry of() {
    return {Law::info, [](double x) { return Law()(x); }};
  }
};
/// All laws; the list is generated from the headers of this folder.
std::span<const CamLawEntry> cam_laws();

/// Their names, in the same order.
inline std::vector<std::string_view> names_of_cam_laws() {
  std::vector<std::string_view> names;
  for (const CamLawEntry& law : cam_laws()) names.push_back(law.info.name);
  return names;
}
}  // namespace mubody
