#pragma once
// The linear equations of implicit steps on the full equations of motion, with the structure of the mechanism.
//
//   docs/theory/integrators.md#the-matrix-of-newton
//
// Accelerations change with the state as M δa = δF, 0 = δG say; with Δu − c δa = r_u and σ = c δλ
//
//   M Δu − c (F_q Δq + F_u Δu + F_z Δz) + Dᵀ σ = M r_u
//   D Δu − c (G_q Δq + G_u Δu + G_z Δz) = D r_u
//
// in which a body meets those alone that it is joined to, and its own joints.
#include "mubody/integrators/block_lu.h"
#include "mubody/system/constrained_slopes.h"
#include "mubody/system/system.h"

namespace mubody {
class ImplicitMatrix {
 public:
  /// In body coordinates.
  ImplicitMatrix(const System&, const std::vector<ConstrainedSlopes::Entry>&);

  /// Takes the values of the entries, and mass and constraints of the terms.
  void take(const double* values, const Terms&, const In& u);
  /// Returns false if a pivot is zero.
  bool factor(double c);
  /// Numbers behind the states are works.
  void solve(const In& r, Out x);

 private:
  struct Place {
    int group, within, at;  // at: among all unknowns
  };
  struct Term {
    int value, place;
  };
  struct Both {
    int value, place, transposed;
  };
  struct Product {
    int value, work, unknown;
  };
  int add_group(int size);
  int equation(int row) const;
  int place(int row, int column) const;
  void list(const System&, const std::vector<ConstrainedSlopes::Entry>&);
  void list_others(const System&);

  int nq_, nu_, nz_, m_;
  std::vector<int> sizes_;   // of groups: positions and velocities of bodies, states of signals, joints
  std::vector<bool> empty_;  // joints have nothing on the diagonal
  SaddleStructure structure_;
  std::vector<Place> places_;  // of states, then of constraints
  BlockLu lu_;
  std::vector<Term> terms_, masses_;
  std::vector<Both> constraints_;
  std::vector<Product> of_works_, drivers_;
  std::vector<int> ones_;
  std::vector<double> values_, M_, D_;
  VecX x_, asked_, rows_;  // asked_: ν, what constraints ask of velocities
  double c_ = 0;
};
}  // namespace mubody
