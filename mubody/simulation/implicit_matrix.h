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
#include "mubody/integrators/implicit_equations.h"
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
  /// The same for complex numbers, of which several are kept.
  bool factor(std::size_t which, Complex c);
  void solve(std::size_t which, const CVecX& r, CVecX& x);

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
  /// For one number c.
  template <class T> struct Factors {
    BlockLu<T> lu;
    Eigen::Matrix<T, Eigen::Dynamic, 1> x;
    T c{};
  };
  template <class T> bool factor(Factors<T>&, T c);
  template <class T, class R, class X> void solve(Factors<T>&, const R& r, X& x);
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
  std::shared_ptr<const BlockStructure> blocks_;
  Factors<double> real_;
  std::vector<Factors<Complex>> complex_;
  std::vector<Term> terms_, masses_;
  std::vector<Both> constraints_;
  std::vector<Product> of_works_, drivers_;
  std::vector<int> ones_;
  std::vector<double> values_, M_, D_;
  VecX asked_;  // ν, what constraints ask of velocities
};
}  // namespace mubody
