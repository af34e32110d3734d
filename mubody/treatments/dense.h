#pragma once
// Full matrices, for the treatments that need them.
#include "mubody/system/dynamics.h"

namespace mubody {
/// Writes M of the state last evaluated into a full matrix.
inline void take_mass(Dynamics& d, MatX& M) {
  if (M.size() > 0 && d.system.mass_is_constant) return;
  d.system.fill_mass(d.terms);
  d.system.structure.full_mass(d.terms.M, M);
}
}  // namespace mubody
