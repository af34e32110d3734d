#pragma once
// Directions in the space of velocities that move one body alone.  They are given by the first of its velocities,
// `column`, and by numbers for these, `direction`.
#include <vector>

#include "mubody/system/system.h"

namespace mubody {
/// Calls f(k, row, x) for what the k-th direction changes in an equation, in the units of the system.
template <class Directions, class F>
void each_coefficient(const System& s, const Terms& terms, const Directions& all, const F& f) {
  std::vector<std::vector<std::size_t>> at_column(std::size_t(s.nu));
  for (std::size_t k = 0; k < all.size(); ++k) at_column[std::size_t(all[k].column)].push_back(k);
  for (const SaddleStructure::Block& b : s.structure.D)
    for (const std::size_t k : at_column[std::size_t(b.column)])
      for (int r = 0; r < b.rows; ++r) {
        double x = 0;
        for (int c = 0; c < b.columns; ++c)
          x += terms.D[std::size_t(b.offset + r * b.columns + c)] * s.units[b.column + c] * all[k].direction[c];
        f(k, b.row + r, x / s.row_units[b.row + r]);
      }
}

/// The part of generalized forces along a direction, in the units of the system.
template <class Direction> double load_along(const System& s, const VecX& Q, const Direction& d) {
  const auto n = d.direction.size();
  return Q.segment(d.column, n).cwiseProduct(s.units.segment(d.column, n)).dot(d.direction);
}
}  // namespace mubody
