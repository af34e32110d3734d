#pragma once
// Degrees of freedom: by counting, and by the rank of the Jacobian; which equations are redundant, and why.
#include "mubody/results/results.h"
#include "mubody/system/system.h"

namespace mubody {
/// Counts at a configuration that satisfies the constraints.                docs/theory/freedom.md
Freedom count_freedom(System&, double t, const VecX& q, const VecX& u);

/// D in the units of the system, with its rows scaled to length one, so that metres and radians compare: its null space
/// holds displacements in these units.  `sizes` receives the factors that its rows lost.
MatX scaled_rows(const System&, const Terms&, VecX* sizes = nullptr);
/// The same, with zero in place of rows that vanish but for round-off, as joint coordinates may fulfil an equation.
MatX binding_rows(const System&, const Terms&);
/// As scaled_rows(), written into memory that is reused.
void scale_rows(const System&, const Terms&, MatX& D, VecX* sizes = nullptr);

/// A velocity that neither mass nor constraints determine.
struct Loose {
  int body;         // 0 is the ground
  bool untouched;   // a turn that no constraint and no force depends on: the body is a particle
  std::string why;  // in words
  int column;       // the first of the body's velocities
  VecX direction;   // among these
};
/// All of these.  A point mass on a rod is determined by its constraints; a free body without mass is not.
std::vector<Loose> undetermined(System&, double t, const VecX& q, const VecX& u);
}  // namespace mubody
