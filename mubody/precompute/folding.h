#pragma once
// Which forces go into the tables, and which are applied at run time.
//
//   stored       depends on the position only, and has a potential: into V
//   positional   depends on the position only: into Q
//   run time     everything else: time, formulas of the state, laws other than polynomials, tyres, contacts
//
// A stored or positional force may include a damper that is linear in the velocities: −C(θ) θ̇.  The parameters
// of a force show whether it may go into tables; how it depends on velocities, and whether it stores energy, is
// found by trying.
//                                                                              docs/theory/precompute.md
#include "mubody/precompute/plan/closure.h"
#include "mubody/precompute/run/loads.h"

namespace mubody {
struct Folding {
  std::vector<int> stored, positional, run_time;  // indices of forces
  bool damped = false;                            // a stored or positional force has a damper
};

/// A configuration in the range of the tables, with its B per turn or characteristic length.
struct Station {
  VecX q;
  MatX B;
};
/// The scalars that forces at run time depend on, one force after the other.
std::vector<Measure> seen_by(const Mechanism&, const Folding&);
/// The configurations `along` a line are close to each other; forces that differ by less than the bound [J], per turn or
/// characteristic length, are the same.
Folding sort_forces(const Mechanism&, double t, const std::vector<Station>& along, double bound);
}  // namespace mubody
