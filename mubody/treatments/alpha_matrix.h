#pragma once
// The matrix of Newton's iteration in steps of generalized-α with exact derivatives, in blocks of bodies and joints.
//
//   docs/theory/generalized-alpha.md#newtons-iteration
//
//   | μ M − h²β F_q B − hγ F_u   m̄ Dᵀ |        F = Q − Dᵀ λ,  B = ∂q/∂x = N T,  q̇ = N u
//   | m̄ D T                       0    |        T: how the end of a displacement moves with it
#include "mubody/integrators/block_lu.h"
#include "mubody/system/constrained_slopes.h"
#include "mubody/system/system.h"

namespace mubody {
class AlphaMatrix {
 public:
  /// In body coordinates, without states of signals.  Constraints that follow from others keep their multipliers.
  AlphaMatrix(const System&, const ConstrainedSlopes&);

  /// A displacement that leads from one position to another.
  void displace(const System&, const In& from, const In& x, const In& to);
  struct Weights {
    double mass, position, velocity;  // μ, h²β, hγ
    double constraints;               // m̄
  };
  /// Returns false if a pivot is zero.
  bool factor(const System&, const double* values, const Terms&, const Weights&);
  void solve(const In& r, VecX& x);

 private:
  struct Slope {
    int value, row, column;  // of F: velocities, or coordinates and velocities
  };
  int velocity(int k) const { return k / C_; }
  int at(int row, int column) const;

  int nq_, nu_, m_, P_, C_;
  std::vector<int> joint_,
      within_;                // of every constraint: its group, and its place there; negative if it is left out
  std::vector<int> unknown_;  // of every velocity and constraint; negative if it is none
  std::shared_ptr<const BlockStructure> blocks_;
  BlockLu<double> lu_;
  std::vector<Slope> by_position_, by_velocity_, rates_;
  MatX T_, B_;  // of all bodies, one above the other
  VecX moved_, way_, x_;
};
}  // namespace mubody
