#pragma once
// The minimal equations of motion in some variables of a mechanism: velocity coefficients and inertia.
//
//   u = U q̇,   U = N (R_S N)⁻¹,   ṗ = R u = B q̇,   B = R U,   J = Uᵀ M U
//   J q̈ + c = Uᵀ Q,   c_i = Σ_jk (∂J_ij/∂q_k − ½ ∂J_jk/∂q_i) q̇_j q̇_k
//
// N are the velocities that the joints allow, drivers left out, ṗ = R u the rates of all variables, q those of the set S.
// With one freedom, c = ½ J′ q̇², so that the quadratic term of the source is −J′.
//
// Precomputation (dissertation), secs. 3.4-3.6, eqs. 3.7.64-3.7.69 (the sign of 3.7.68 corrected).
//                                                                              docs/theory/independent.md#coefficients
#include <functional>

#include "mubody/solvers/variable_choice.h"
#include "mubody/system/system.h"

namespace mubody {
struct MinimalCoefficients {
  MatX B, J;
  std::vector<MatX> dB, dJ;  // along each variable of the set; empty unless requested
};

class MinimalForm {
 public:
  /// R at a time and position.
  using Rates = std::function<MatX(double t, const In& q)>;
  MinimalForm(System&, Rates, VariableSet);

  const VariableSet& set() const { return set_; }
  /// The coefficients at q, on the constraints.  They are not finite where the set cannot move the mechanism.
  MinimalCoefficients at(double t, const VecX& q, bool derivatives);

 private:
  struct Here {
    MatX U;
    MinimalCoefficients of;
  };
  Here here(double t, const In& q);
  void close(double t, VecX& q);
  MatX joint_rows() const;

  System& s_;
  Rates rates_;
  VariableSet set_;
  Terms terms_;
  double length_;
};
}  // namespace mubody
