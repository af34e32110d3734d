#pragma once
// Null-space form (Maggi): the equations of motion along the directions that the constraints leave free.
//
//   Maggi (1896); García de Jalón & Bayo (1994), sec. 5.2         docs/theory/treatments.md#null-space
//
//   D R = 0,   a = D⁺ γ + R z,   (RᵀM R) z = Rᵀ (Q − M D⁺ γ);     Dᵀ λ = Q − M a by least squares
//
// When: redundant constraints, and as an independent check of the multipliers: no λ is needed for the motion.  When
// not: constraints drift as with `standard`; its matrices are dense.

#include "mubody/math/dense.h"
#include "mubody/treatments/dense.h"
#include "mubody/treatments/treatment.h"

namespace mubody {
struct NullSpace {
  static constexpr Info info{"null-space",
                             "equations of motion along the directions that constraints leave free"};

  void fields(Fields&) {}
  /// The rank is that of accepted states: within a step, off the constraints, redundant rows look independent.
  void accepted(Dynamics& d, double t, const In& q, const In& u) {
    if (d.system.m == 0) return;
    d.system.constraints(t, q, u, d.terms);
    fill(d.system.structure, d.terms.D, D_);
    columns_.set_threshold(1e-6);
    columns_.compute(D_.transpose());
    rank_ = columns_.rank();
  }
  void accelerations(Dynamics& d) {
    take_mass(d, M_);
    if (d.system.m == 0) {
      Ldlt(M_).solve(d.terms.Q, d.a);
      return;
    }
    fill(d.system.structure, d.terms.D, D_);
    columns_.compute(D_.transpose());
    Q_ = columns_.q();
    const auto bound = Q_.leftCols(rank_), free = Q_.rightCols(d.system.nu - rank_);
    rows_.compute(product(D_, bound));  // D⁺γ lies in the row space
    d.a.noalias() = bound * rows_.solve(d.terms.gamma);
    rest_.noalias() = d.terms.Q - M_ * d.a;
    const VecX z = Ldlt(congruent(free, M_)).solve(free.transpose() * rest_);
    d.a.noalias() += free * z;
    rest_.noalias() = d.terms.Q - M_ * d.a;
    d.lambda = rows_.solve_transposed(bound.transpose() * rest_);
  }
  void memory(Memory& m) { m(rank_); }

 private:
  Eigen::Index rank_ = 0;
  MatX M_, D_, Q_;
  VecX rest_;
  LeastSquares rows_;
  PivotedQr columns_;
};
}  // namespace mubody
