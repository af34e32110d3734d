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
// When: redundant constraints and singular positions with constraints at round-off.  When not: `projection` ends at the same
// place with fewer solutions.
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
    if (d.system.m == 0) return;
    comply(d);
    const System::Room room = d.system.room(q);
    project_positions(d, t, q, u, room);
    d.arrive(t, q, u);
    project_velocities(d, u, room);
  }

 private:
  // With μ = λ_i + α (Φ_i + D Δq) the equations are M Δq + Dᵀ μ = −M (q_i − q_0), D Δq − μ/α = −Φ_i − λ_i/α.
  void project_positions(Dynamics& d, double t, Out q, const In& u, const System::Room& room) {
    moved_.setZero(d.system.nu);  // q_i − q_0, in the space of velocities
    multipliers_.setZero(d.system.m);
    double before = std::numeric_limits<double>::infinity();
    for (int k = 0;; ++k) {
      const double size = d.gap_at(t, q, u, room);
      if (k > 0) multipliers_ += d.terms.phi.cwiseQuotient(compliance_);
      if (k == projections || !(size > closed) || !(size < 0.5 * before)) break;  // the last one: at round-off
      before = size;
      d.factor_nearby(t, q, size, room);
      forces_.setZero(d.system.nu);
      if (k > 0) {
        d.system.fill_mass(d.terms);
        d.system.structure.multiply_mass(-1, d.terms.M.data(), moved_.data(), forces_.data());
      }
      left_ = -d.terms.phi - compliance_.cwiseProduct(multipliers_);
      d.solve(forces_, left_);
      d.system.move(q, d.a);
      moved_ += d.a;
      ++d.corrections;
    }
  }
  // With the rates of the position last constrained, which change as velocities do.
  void project_velocities(Dynamics& d, Out u, const System::Room& room) {
    if (forces_.size() != d.system.nu) forces_.resize(d.system.nu);
    forces_.setZero();
    rate_ = d.terms.rate;
    double before = std::numeric_limits<double>::infinity();
    for (int k = 0; k < projections; ++k) {
      const double size = d.system.gap(rate_, room);
      if (k > 0 && (!(size > closed / d.system.scales.time) || !(size < 0.5 * before))) break;
      before = size;
      left_ = -rate_;
      d.solve(forces_, left_);
      u += d.a;
      d.system.structure.multiply(d.terms.D.data(), d.a.data(), rate_.data());
    }
  }

  VecX moved_, multipliers_, forces_, rate_;
};
}  // namespace mubody
