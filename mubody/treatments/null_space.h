#pragma once
// Null-space form (Maggi): the equations of motion along the directions that the constraints leave free.
//
//   Maggi (1896); García de Jalón & Bayo (1994), sec. 5.2         docs/theory/treatments.md#null-space
//
//   D R = 0,   a = D⁺ γ + R z,   (RᵀM R) z = Rᵀ (Q − M D⁺ γ);     Dᵀ λ = Q − M a by least squares
//
// D⁺ and R come from block factors of D Dᵀ, without any mass: with columns V that spanned the free directions at an earlier
// state, R = V − D⁺ D V, one solution for each; V is renewed when it has turned away too far.  The mass enters the small
// RᵀM R alone and is never inverted.  Dense matrices serve redundant constraints and the neighbourhood of singular positions.
//
// When: redundant constraints, and as an independent check of the multipliers: no λ is needed for the motion.  When
// not: constraints drift as with `standard`; many freedoms, each of which takes a solution.  Only next to a singular position,
// where what has drifted would be divided by the distance, are states put back: q ← q − D⁺ Φ, u ← u − D⁺ (D u − ν).

#include "mubody/math/dense.h"
#include "mubody/treatments/dense.h"
#include "mubody/treatments/own_factors.h"
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
    if (in_blocks_) {
      d.constrain(t, q, u);
      factor_blocks(d);
      judge(std::sqrt(std::max(0.0, independence(d))));
      if (!near_) renew(d);
      return;
    }
    d.look(t, q, u);
    d.system.structure.full(d.terms.D, D_);
    d.system.scale(D_);
    transposed_ = D_.transpose();
    columns_.compute(transposed_);
    const double violated = d.system.gap(d.terms.phi);
    const double counts = std::max(1e-6, 100 * violated) * columns_.pivot(0);
    const Eigen::Index most = std::min(D_.rows(), D_.cols());
    const bool first = rank_ == 0;
    while (rank_ < most && columns_.pivot(rank_) > counts) ++rank_;
    judge(rank_ > 0 ? columns_.pivot(rank_ - 1) / columns_.pivot(0) : 1);
    if (first && rank_ == d.system.m && columns_.pivot(rank_ - 1) > well_held * columns_.pivot(0)) {
      in_blocks_ = true;
      columns_.q(Q_);
      V_ = d.system.units.asDiagonal() * Q_.rightCols(d.system.nu - rank_);
      factor_blocks(d);
      widest_ = 0;
      judge(std::sqrt(std::max(0.0, independence(d))));
    }
  }
  void after_step(Dynamics& d, double t, Out q, Out u) {
    if (!near_ || d.system.m == 0) return;
    constexpr double enough = 5e-16;
    const System::Room room = d.system.room(q);
    double before = std::numeric_limits<double>::infinity();
    for (int k = 0; k < 8; ++k) {
      d.look(t, q, u);
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
    if (d.system.m == 0) return d.solve(d.terms.Q, d.terms.gamma);
    if (in_blocks_ && !near_) return accelerate_in_blocks(d);
    take_mass(d, M_);
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
  void memory(Memory& m) { m(rank_, widest_, near_, in_blocks_, V_); }

 private:
  static constexpr double near =
      0.1;  // share of the largest smallest pivot that is next to a singular position
  static constexpr double well_held = 1e-4;  // smallest pivot of a start from which on block factors serve
  static constexpr double turned = 0.5;  // what is left of a direction, squared, at least, before V is renewed

  void judge(double hold) {
    widest_ = std::max(widest_, hold);
    near_ = hold < near * widest_;
  }

  // By block factors --------------------------------------------------------------------------------------

  // The dynamics' own factors are taken, without masses, unless contacts or friction need these.
  static bool shared(const Dynamics& d) { return !d.system.contacts().any() && !d.system.grips.any(); }
  void factor_blocks(Dynamics& d) {
    if (shared(d)) {
      if (!d.is_weighed()) d.weigh(d.system.units.cwiseAbs2());
      return;
    }
    if (!factors_.suits(d)) factors_.weigh(d, d.system.units.cwiseAbs2());
    factors_.factor(d);
  }
  double independence(const Dynamics& d) {
    return shared(d) ? d.independence_of_factors() : factors_.independence();
  }
  void solve(Dynamics& d, const VecX& g, const VecX& c) {
    if (shared(d)) return d.solve(g, c);
    factors_.solve(d, g, c, d.a, d.lambda);
  }
  // R_ = V − D⁺ D V
  void project(Dynamics& d) {
    const VecX& units = d.system.units;
    if (none_.size() != d.system.m) none_ = VecX::Zero(d.system.m), nothing_ = VecX::Zero(d.system.nu);
    R_.resize(V_.rows(), V_.cols());
    for (Eigen::Index k = 0; k < V_.cols(); ++k) {
      rest_ = V_.col(k).cwiseQuotient(units).cwiseQuotient(units);
      solve(d, rest_, none_);
      R_.col(k) = d.a;
    }
  }
  // Takes present directions in place of V where those have turned away from them.
  void renew(Dynamics& d) {
    project(d);
    for (Eigen::Index k = 0; k < R_.cols(); ++k) R_.col(k).array() /= d.system.units.array();
    // Of any direction that V spans at least 1 − (number of columns − |R|²) is left, squared.
    if (double(R_.cols()) - R_.squaredNorm() < turned) return;
    orthonormalize(R_);
    V_ = d.system.units.asDiagonal() * R_;
  }
  void accelerate_in_blocks(Dynamics& d) {
    factor_blocks(d);
    project(d);
    solve(d, nothing_, d.terms.gamma);
    x_ = d.a;
    d.system.fill_mass(d.terms);
    const auto subtract_mass = [&](const double* x, double* y) {
      d.system.structure.multiply_mass(-1, d.terms.M.data(), x, y);
    };
    moved_.setZero(R_.rows(), R_.cols());
    for (Eigen::Index k = 0; k < R_.cols(); ++k) subtract_mass(R_.col(k).data(), moved_.col(k).data());
    free_.noalias() = -R_.transpose() * moved_;
    reduced_.compute(free_);
    rest_ = d.terms.Q;
    subtract_mass(x_.data(), rest_.data());
    along_.noalias() = R_.transpose() * rest_;
    reduced_.solve(along_, z_);
    x_.noalias() += R_ * z_;
    rest_.noalias() += moved_ * z_;
    solve(d, rest_, none_);
    d.a = x_;
  }

  // By dense ones -----------------------------------------------------------------------------------------

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
  bool in_blocks_ = false;  // rows are independent
  MatX V_;                  // with it: orthonormal in the units of the system
  MatX R_, M_, D_, Q_;
  OwnFactors factors_;
  // Work space, so that nothing is allocated after the first time.
  MatX transposed_, bound_, moved_, free_;
  VecX rest_, x_, along_, z_, gamma_, moved_by_, none_, nothing_;
  Ldlt reduced_;
  LeastSquares rows_;
  PivotedQr columns_;
};
}  // namespace mubody
