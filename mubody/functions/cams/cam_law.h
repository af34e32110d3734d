#pragma once
// Laws by which a cam lifts: from 0 to 1 while x goes from 0 to 1, with speed 0 at both ends.
//
//   Norton, "Cam Design and Manufacturing Handbook", 2nd edition, 2009, chapters 3 and 4   docs/theory/cams.md
//
// Each law is one header in functions/cams/ with `static constexpr Info info` and
//
//   template <class R> JetOf<R> operator()(const R& x) const
//
// which gives the lift and its first two derivatives with respect to x.
#include <span>
#include <vector>

#include "mubody/math/jet.h"
#include "mubody/math/real.h"
#include "mubody/model/fields.h"
#include "mubody/recording/recorded.h"

namespace mubody {
struct CamLawEntry {
  Info info;
  Jet (*at)(double x);
  JetOf<Recorded> (*recorded)(const Recorded& x);

  Jet operator()(double x) const { return at(x); }
  JetOf<Recorded> operator()(const Recorded& x) const { return recorded(x); }

  template <class Law> static CamLawEntry of() {
    return {Law::info, [](double x) { return Law()(x); }, [](const Recorded& x) { return Law()(x); }};
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
