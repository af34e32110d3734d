#pragma once
// Several bushings between the same two bodies in the place of one: subspace projection.
//
//   B_k = (H_kᵀ H_k)⁻¹ H_kᵀ H_e,    K_e = Σ B_kᵀ K_k B_k,  C_e likewise;    s_k = B_k s_e
//
// H_e are the motions that the equivalent bushing has, H_k those of a bushing, both as twists at its place.  With axes that are
// parallel, B_k follows from the rigid body: a displacement u and a turn w at the place r give u + w × r and w.
// Directions in which a bushing is free have no stiffness.
//
// Precomputation (dissertation), eqs. 5.8.3.1-5.8.3.15, with the indices of 5.8.3.1-2 corrected.
//                                                               docs/theory/equivalent-bushings.md
#include <string>
#include <vector>

#include "mubody/math/space.h"

namespace mubody {
using SixMotions = Eigen::Matrix<double, 6, 1>;  // along x, y, z, then about them

struct BushingPart {
  std::string name;
  Vec<3> at = Vec<3>::Zero();                 // in the axes of the equivalent one, from its place [m]
  SixMotions stiffness = SixMotions::Zero();  // [N/m, N m/rad]
  SixMotions damping = SixMotions::Zero();
};

struct EquivalentBushing {
  MatX K, C;            // a row for each of its motions
  std::vector<MatX> B;  // per bushing: six rows, a column for each motion of the equivalent one
};
/// `motions`: which of the six the equivalent one has.
EquivalentBushing equivalent_bushing(const std::vector<BushingPart>&, const std::vector<int>& motions);

/// The displacement of the bodies at a place, given that at the origin, s.
template <class R> Vec<6, R> displaced_at(const Vec<3>& at, const Vec<6, R>& s) {
  Vec<6, R> there = s;
  for (int k = 0; k < 3; ++k) {  // u + w × r
    const int l = (k + 1) % 3, m = (k + 2) % 3;
    there[k] += s[3 + l] * at[m] - s[3 + m] * at[l];
  }
  return there;
}
}  // namespace mubody
