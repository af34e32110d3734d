#pragma once
// Index-1 augmented Lagrangian with mass-orthogonal projections: accelerations by the augmented Lagrangian without
// stabilisation, and after every step positions and velocities are projected onto their constraints.
//
//   Marques, Souto & Flores (2017), sec. 2, eqs. 26-30; eq. 26 lacks α Φ_i and cycles as printed, eq. 30a lacks a term in ν:
//   corrected, see docs/theory/errata.md                                      docs/theory/treatments.md#index1
//
//   (M + α DᵀD) Δq = −M (q_i − q_0) − Dᵀ (λ_i + α Φ_i),   λ_{i+1} = λ_i + α Φ_{i+1},   λ_0 = 0
//   u ← u − (M + α DᵀD)⁻¹ α Dᵀ (D u − ν)                                  repeated
//
// When: redundant constraints and singular positions with constraints at round-off.  When not: large mechanisms; its
// matrices are dense.
#include "mubody/treatments/augmented.h"

namespace mubody {
struct Index1 : Augmented {
  static constexpr Info info{"index1", "augmented Lagrangian with mass-orthogonal projections"};
  double closed = 5e-16;
  int projections = 20;

  Index1() { omega = 0; }
  void fields(Fields& f) {
    f.optional(
        "alpha", alpha, "1",
        "penalty factor [kg]; equations on angles take it times the square of the characteristic length");
    f.optional("tolerance", tolerance, "1",
               "change of accelerations at which the iteration stops: characteristic lengths or rad, per s²");
    f.optional("iterations", iterations, "1", "at most");
    f.optional("closed", closed, "1",
               "largest |Φ| that is left as it is: a share of the characteristic length, or rad");
    f.optional("projections", projections, "1", "of positions and of velocities per step, at most");
  }
  void check() const {
    Augmented::check();
    require(closed >= 0, "closed", "must not be negative");
    require(projections >= 1, "projections", "must be at least 1");
  }

  void after_step(Dynamics& d, double t, Out q, Out u) {
    moved_.setZero(d.system.nu);  // q_i − q_0, in the space of velocities
    multipliers_.setZero(d.system.m);
    forces_.setZero(d.system.m);
    const System::Room room = d.system.room(q);
    double before = std::numeric_limits<double>::infinity();
    for (int k = 0; k < projections; ++k) {
      d.system.constraints(t, q, u, d.terms);
      factor(d);
      if (k > 0) multipliers_.array() += weights_.array() * d.terms.phi.array();
      const double size = d.system.gap(d.terms.phi, room);
      if (!(size > closed) || !(size < 0.5 * before)) break;  // or at round-off
      before = size;
      rhs_.noalias() = -M_ * moved_;
      forces_ = multipliers_ + weights_.cwiseProduct(d.terms.phi);
      rhs_.noalias() -= D_.transpose() * forces_;
      solver_.solve(rhs_, change_);
      d.system.move(q, change_);
      moved_ += change_;
      ++d.corrections;
    }
    before = std::numeric_limits<double>::infinity();
    for (int k = 0; k < projections; ++k) {
      d.system.constraints(t, q, u, d.terms);
      const double size = d.system.gap(d.terms.rate, room);
      if (k > 0 && (!(size > closed / d.system.scales.time) || !(size < 0.5 * before))) break;
      before = size;
      rhs_.noalias() = -weighted_.transpose() * d.terms.rate;
      solver_.solve(rhs_, change_);
      u += change_;
    }
  }

 private:
  VecX moved_, multipliers_, forces_;
};
}  // namespace mubody
