#pragma once
// Assembly: from a rough start to positions and velocities that satisfy the constraints.
//
//   Newton's method with the correction of least mass-weighted size, halved while it does not help.  Held values
//   stay as they are; those that were left out take up what they can, and written ones only the rest.
//                                                                          docs/theory/assembly.md
#include "mubody/results/results.h"
#include "mubody/study/options.h"
#include "mubody/system/system.h"

namespace mubody {
/// Moves q and u to the constraints at time t.  The outcome says which joint gapes by how much if it cannot, or that it
/// took too long.
Outcome assemble(System&, const AssemblyOptions&, const Patience&, double t, VecX& q, VecX& u, AssemblyRecord&);
/// By what corrections are measured: the mass of each velocity, and for those without any the mean of their kind.
VecX assembly_metric(const System&);
/// Whether the mechanism is so large that written values move like those that were left out.
bool assembles_without_ranks(const System&, const AssemblyOptions&);
}  // namespace mubody
