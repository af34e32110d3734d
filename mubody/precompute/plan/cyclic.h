#pragma once
// Cyclic variables, as the spin of a wheel: tables need no axis for them.
//
//   q(θ, φ) = q(θ, φ₀) moved by a (φ − φ₀)
//
// a, the column of B that belongs to φ, is constant: each body shifts along a line that is fixed in space, and turns about
// an axis that is fixed in itself and leads through its centre of mass.  If inertia and forces do not depend on φ either,
// which the symmetry of the body decides, φ is cyclic: its motion is integrated, and nothing is tabulated over it.
//                                                                              docs/theory/precompute.md
#include "mubody/precompute/plan/closure.h"

namespace mubody {
/// For each variable, whether it moves all bodies like this.  Looks at configurations around the present one, and further
/// along each variable.
std::vector<bool> steady_motions(Closure&);
}  // namespace mubody
