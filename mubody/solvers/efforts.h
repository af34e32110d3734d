#pragma once
// Efforts of joints: the moments and forces in the joints that bring about a given motion.
//
//   Precomputation (dissertation), sec. 3.6; docs/theory/inverse.md#efforts-of-joints
//
//   ṗ = R u,   u = N w with D N = 0 (drivers left out),   (R_S N)ᵀ τ = Nᵀ (M a − Q)
//
// p are the variables of the joints, S those that actuators act on, τ their efforts: a moment along an angle, a force along
// a slide, positive where it makes the variable grow.
#include "mubody/solvers/joint_variables.h"
#include "mubody/system/dynamics.h"

namespace mubody {
class Efforts {
 public:
  /// Actuators act on these variables, "hip.angle".  Without names, they act on all variables if these are
  /// independent, as in mechanisms without loops, else on none.  Throws ModelError if they cannot bring about
  /// every motion.
  /// `bodies`: the same system in body coordinates, which name the variables.
  Efforts(System&, System& bodies, double t, const VecX& q, const std::vector<std::string>& actuators);

  struct Effort {
    std::string name, unit;
  };
  const std::vector<Effort>& list() const { return list_; }
  int freedoms() const { return freedoms_; }
  /// Efforts, then their powers [W], with the terms and accelerations of an evaluation at (t, q, u).
  VecX at(double t, const VecX& q, const VecX& u, const Dynamics&);

 private:
  MatX free_motions(const Terms&) const;
  MatX rates(double t, const VecX& q);

  System &s_, &bodies_;
  JointVariables variables_;
  std::vector<int> chosen_;  // indices of chosen variables
  std::vector<Effort> list_;
  int freedoms_ = 0;
};
}  // namespace mubody
