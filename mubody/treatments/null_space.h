#pragma once
// Null-space form (Maggi): the equations of motion along the directions that the constraints leave free.
//
//   Maggi (1896); García de Jalón & Bayo (1994), sec. 5.2         docs/theory/treatments.md#null-space
//
//   D R = 0,   a = D⁺ γ + R z,   (RᵀM R) z = Rᵀ (Q − M D⁺ γ);     Dᵀ λ = Q − M a by least squares
//
// When: redundant constraints, and as an independent check of the multipliers: no λ is needed for the motion.  When
// not: constraints drift as with `standard`; its matrices are dense.  Only next to a singular position, where what has
// drifted would be divided by the distance, are states put back: q ← q − D⁺ Φ, u ← u − D⁺ (D u − ν).

#include "mubody/math/dense.h"
#include "mubody/treatments/dense.h"
#include "mubody/treatments/treatment.h"

namespace mubody {
struct NullSpace {
  static constexpr Info info{"null-space",
                             "equations of motion along the directions that constraints leave free"};

  static constexpr bool passes_singular_positions = true;

  void fields(Fields&) {}
  /// The rank is that of accepted states: within a step, off the constraints, redundant rows look independent.  It does
  /// not fall at a singular position, which the motion goes straight through, and grows, after a start in one, only
  /// if a row is more independent than violations make it look.
  void accepted(Dynamics& d, double t, const In& q, const In& u) {
    if (d.system.m == 0) return;
    d.system.constraints(t, q, u, d.terms);
    d.system.structure.full(d.terms.D, D_);
    d.system.scale(D_);
    transposed_ = D_.transpose();
    columns_.compute(transposed_);
    const double violated = d.system.gap(d.terms.phi);
    const double counts = std::max(1e-6, 100 * violated) * columns_.pivot(0);
    const Eigen::Index most = std::min(D_.rows(), D_.cols());
    while (rank_ < most && columns_.pivot(rank_) > counts) ++rank_;
    const double hold = rank_ > 0 ? columns_.pivot(rank_ - 1) / columns_.pivot(0) : 1;
    widest_ = std::max(widest_, hold);
    near_ = hold < near * widest_;
  }
  void after_step(Dynamics& d, double t, Out q, Out u) {
    if (!near_ || d.system.m == 0) return;
    constexpr double enough = 5e-16;
    const System::Room room = d.system.room(q);
    double before = std::numeric_limits<double>::infinity();
    for (int k = 0; k < 8; ++k) {
      d.system.constraints(t, q, u, d.terms);
      factor(d);
      const double size = d.system.gap(d.terms.phi, room);
      if (!(size > enough) || !(size < 0.5 * before)) break;  // or at round-off
      before = size;
      in_rows(d, d.terms.phi);
      moved_by_.noalias() = Q_.leftCols(rank_) * -x_;
      d.system.move(q, moved_by_);
      ++d.corrections;
    }
    in_rows(d, d.terms.rate);
    u.noalias() -= Q_.leftCols(rank_) * x_;
  }
  void accelerations(Dynamics& d) {
    take_mass(d, M_);
    if (d.system.m == 0) {
      reduced_.compute(M_);
      reduced_.solve(d.terms.Q, d.a);
      return;
    }
    factor(d);
    const auto bound = Q_.leftCols(rank_), free = Q_.rightCols(d.system.nu - rank_);
    in_rows(d, d.terms.gamma);
    d.a.noalias() = bound * x_;
    rest_.noalias() = d.terms.Q - M_ * d.a;
    moved_.noalias() = M_ * free;
    free_.noalias() = free.transpose() * moved_;
    reduced_.compute(free_);
    along_.noalias() = free.transpose() * rest_;
    reduced_.solve(along_, z_);
    d.a.noalias() += free * z_;
    rest_.noalias() = d.terms.Q - M_ * d.a;
    x_.noalias() = bound.transpose() * rest_;
    rows_.solve_transposed(x_, d.lambda);
    d.lambda.array() /= d.system.row_units.array();
  }
  void memory(Memory& m) { m(rank_, widest_, near_); }

 private:
  static constexpr double near =
      0.1;  // share of the largest smallest pivot that is next to a singular position

  // Bases of the row space and the null space of D, in Q, and the factors of D in the former; D in units, so that its
  // rank does not depend on the size of the mechanism.
  void factor(const Dynamics& d) {
    d.system.structure.full(d.terms.D, D_);
    d.system.scale(D_);
    transposed_ = D_.transpose();
    columns_.compute(transposed_);
    columns_.q(Q_);
    bound_.noalias() = D_ * Q_.leftCols(rank_);
    for (Eigen::Index k = 0; k < Q_.cols(); ++k) Q_.col(k).array() *= d.system.units.array();
    rows_.compute(bound_);
  }
  // x with D Q x = c, along the row space.
  void in_rows(const Dynamics& d, const VecX& c) {
    gamma_ = c.cwiseQuotient(d.system.row_units);
    rows_.solve(gamma_, x_);
  }

  Eigen::Index rank_ = 0;
  double widest_ = 0;  // the largest smallest pivot of accepted states
  bool near_ = false;
  MatX M_, D_, Q_;
  // Work space, so that nothing is allocated after the first time.
  MatX transposed_, bound_, moved_, free_;
  VecX rest_, x_, along_, z_, gamma_, moved_by_;
  Ldlt reduced_;
  LeastSquares rows_;
  PivotedQr columns_;
};
}  // namespace mubody
