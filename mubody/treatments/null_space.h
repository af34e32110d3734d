#pragma once
// Null-space form (Maggi): the equations of motion along the directions that the constraints leave free.
//
//   Maggi (1896); García de Jalón & Bayo (1994), sec. 5.2         docs/theory/treatments.md#null-space
//
//   D R = 0,   a = D⁺ γ + R z,   (RᵀM R) z = Rᵀ (Q − M D⁺ γ);     Dᵀ λ = Q − M a by least squares
//
// When: redundant constraints, and as an independent check of the multipliers: no λ is needed for the motion.  When
// not: constraints drift as with `standard`; its matrices are dense.
#include <Eigen/Cholesky>
#include <Eigen/QR>

#include "mubody/treatments/dense.h"
#include "mubody/treatments/treatment.h"

namespace mubody {
struct NullSpace {
  static constexpr Info info{"null-space",
                             "equations of motion along the directions that constraints leave free"};

  void fields(Fields&) {}
  void accelerations(Dynamics& d) {
    const SaddleStructure& s = d.system.structure;
    if (M_.size() == 0 || !d.system.mass_is_constant) M_ = s.full_mass(d.terms.M);
    fill(s, d.terms.D, D_);
    if (d.system.m == 0) {
      d.a = M_.ldlt().solve(d.terms.Q);
      return;
    }
    rows_.setThreshold(1e-6);
    rows_.compute(D_);
    d.a = rows_.solve(d.terms.gamma);
    columns_.setThreshold(1e-6);
    columns_.compute(D_.transpose());
    const Eigen::Index free = d.system.nu - columns_.rank();
    basis_ = MatX(columns_.householderQ()).rightCols(free);
    rest_.noalias() = d.terms.Q - M_ * d.a;
    const VecX z = (basis_.transpose() * M_ * basis_).ldlt().solve(basis_.transpose() * rest_);
    d.a.noalias() += basis_ * z;
    rest_.noalias() = d.terms.Q - M_ * d.a;
    d.lambda = rows_.transpose().solve(rest_);
  }

 private:
  MatX M_, D_, basis_;
  VecX rest_;
  Eigen::CompleteOrthogonalDecomposition<MatX> rows_;
  Eigen::ColPivHouseholderQR<MatX> columns_;
};
}  // namespace mubody
