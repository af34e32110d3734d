#pragma once
// Which variables p of equations J ṗ = 0 to take as independent.
//
//   V     orthonormal basis of the null space of J, from Householder's elimination of Jᵀ: the tangent of the motions
//   w_k   = |row k of V|: how much of a unit step variable k takes part in; 1 at best, 0 if it stands still
//   B     = V V_S⁻¹: all rates per rate of the set S, whose rows of V are V_S;  |B| = 1/σ_min(V_S) ≥ 1
//   κ_S   condition number of [J; rows that hold S];  κ_V of [J; Vᵀ]
//
// With one freedom, the variable with the largest weight has the smallest |B|: |B| = 1/w.
//
// Precomputation (dissertation), secs. 4.5-4.6, eqs. 4.5.4-4.5.16, 4.6.13-4.6.17.     docs/theory/independent.md
#include <vector>

#include "mubody/math/space.h"

namespace mubody {
/// Indices of variables, ascending; as many as there are freedoms.
using VariableSet = std::vector<int>;

struct VariableChoice {
  int rank = 0, freedoms = 0;
  MatX V;                // a row for each variable, a column for each freedom
  VecX weights;          // w
  double condition = 1;  // κ_V
  VariableSet lu;        // what Gauss elimination with full pivoting leaves
  VariableSet qr;        // what Householder's elimination with column pivoting leaves
  VariableSet svd;       // the largest rows of V in turn, each less its part along those before it
  VariableSet best;      // the smallest |B| of all sets; with very many, the result of single exchanges
};

/// Rows of J may have any length; a remainder below 1e-6 of that length counts as zero.
VariableChoice choose_variables(const MatX& J);
/// V alone.
MatX motions_of(const MatX& J);

/// The set with the smallest |B|, among those that contain the variables `held`.
VariableSet best_set(const MatX& V, const VariableSet& held = {});
/// 1/|B| = σ_min(V_S), which is 0 where the set cannot move the mechanism.
double hold_of(const MatX& V, const VariableSet&);
/// B; not finite where the set cannot move the mechanism.
MatX velocity_coefficients(const MatX& V, const VariableSet&);
/// κ_S; infinite where the set cannot move the mechanism.
double condition_with(const MatX& J, const VariableSet&);
}  // namespace mubody
