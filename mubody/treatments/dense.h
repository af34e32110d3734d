#pragma once
// Full matrices, for the treatments that need them.
#include "mubody/system/dynamics.h"

namespace mubody {
/// Writes D into an existing full matrix, so that nothing is allocated after the first time.
inline void fill(const SaddleStructure& s, const std::vector<double>& values, MatX& D) {
  D.setZero(s.m, s.n);
  for (const auto& b : s.D)
    for (int r = 0; r < b.rows; ++r)
      for (int k = 0; k < b.columns; ++k)
        D(b.row + r, b.column + k) += values[std::size_t(b.offset + r * b.columns + k)];
}
/// Writes M of the state last evaluated into a full matrix.
inline void take_mass(Dynamics& d, MatX& M) {
  if (M.size() > 0 && d.system.mass_is_constant) return;
  d.system.fill_mass(d.terms);
  M = d.system.structure.full_mass(d.terms.M);
}
}  // namespace mubody
