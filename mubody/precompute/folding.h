#pragma once
// Which forces go into the tables, and which are applied at run time.
//
//   stored       depends on the position only, and has a potential: into V
//   positional   depends on the position only: into Q
//   run time     everything else: time, formulas of the state, laws other than polynomials, tyres, contacts
//
// A stored or positional force may have a damper with it that is linear in the velocities: −C(θ) θ̇.  What may go into tables
// is read from what the force was given; how it depends on velocities, and whether it stores energy, is found by trying.
//                                                                              docs/theory/precompute.md
#include "mubody/precompute/plan/closure.h"
#include "mubody/precompute/run/loads.h"

namespace mubody {
struct Folding {
  std::vector<int> stored, positional, run_time;  // forces of the mechanism
  bool damped = false;                            // any of the first two
};

/// `along` are configurations in the range of the tables, close to each other, with their B.
struct Station {
  VecX q;
  MatX B;
};
/// What the forces at run time see, one after the other.
std::vector<Measure> seen_by(const Mechanism&, const Folding&);
Folding sort_forces(const Mechanism&, double t, const std::vector<Station>& along, double bound);
}  // namespace mubody
