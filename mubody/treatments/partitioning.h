#pragma once
// Generalized coordinate partitioning: only as many coordinates as there are freedoms are integrated; the others follow
// from the constraints in every evaluation.
//
//   Wehage & Haug (1982); Marques, Souto & Flores (2017), sec. 2, eqs. 14-15; García de Jalón & Bayo (1994), sec. 5.1
//                                                              docs/theory/treatments.md#partitioning
//
// The displacements are split as δq = W x + V z, dependent and independent.  A state is put on the constraints along W
// alone, so that the independent part is left as the integrator has it:
//
//   q ← q − W x,  (D W) x = Φ   repeated;      u ← u − W x,  (D W) x = D u − ν
//
//   lu    W: the columns of D that Gauss elimination with full pivoting takes as pivots
//   qr    W: those that Householder's elimination with column pivoting takes
//   svd   W: the row space of D, V its null space at the time of choice: tangent coordinates
//
// D and displacements are in the units of the system, so that the choice does not depend on the unit of length.  As the
// set changes only at accepted states, which satisfy the constraints for any set, a change moves nothing.
//
// When: constraints at round-off in every evaluation, few freedoms, redundant constraints.  When not: close to singular
// positions, where dependent coordinates leave their places quickly; large mechanisms, its matrices are dense.

#include "mubody/math/dense.h"
#include "mubody/treatments/treatment.h"

namespace mubody {
struct Partitioning {
  static constexpr Info info{"partitioning",
                             "independent coordinates are integrated, the others follow from the constraints"};
  Choice by{{"lu", "qr", "svd"}};
  double degraded = 0.9;
  double tolerance = 5e-16;
  int iterations = 20;

  void fields(Fields& f) {
    f.optional("by", by, "", "how the independent coordinates are chosen");
    f.optional("degraded", degraded, "1",
               "choose again when the smallest pivot of the dependent ones has fallen to this share of its "
               "first value");
    f.optional("tolerance", tolerance, "1",
               "largest |Φ| that is left as it is: a share of the characteristic length, or rad");
    f.optional("iterations", iterations, "1", "corrections per evaluation, at most");
  }
  void check() const {
    require(degraded >= 0 && degraded <= 1, "degraded", "must lie between 0 and 1");
    require(tolerance >= 0, "tolerance", "must not be negative");
    require(iterations >= 1, "iterations", "must be at least 1");
  }

  void before_rates(Dynamics& d, double t, Out q, Out u) { correct_dependent(d, t, q, u); }
  void accelerations(Dynamics& d) { d.solve(d.terms.Q, d.terms.gamma); }
  void after_step(Dynamics& d, double t, Out q, Out u) { correct_dependent(d, t, q, u); }
  void accepted(Dynamics& d, double t, const In& q, const In& u) {
    if (d.system.m == 0) return;
    d.system.constraints(t, q, u, d.terms);
    factor(d);
    const double now = W_.cols() == 0 ? 0 : quality();
    if (now > degraded * first_quality_) return;
    before_ = W_;
    const double first = first_quality_;
    choose();
    if (now == 0 || quality() > std::max(near_singular, now)) {
      ++choices_;
      before_ = W_;
      return;
    }
    first_quality_ = first;
    W_ = before_;  // next to a singular position no set is better, so the old one is kept
  }
  std::string report() const {
    return choices_ == 0 ? "" : "independent coordinates were chosen " + std::to_string(choices_) + " times";
  }

  void memory(Memory& m) { m(W_, first_quality_, choices_); }

 private:
  void factor(const Dynamics& d) {
    d.system.structure.full(d.terms.D, D_);
    d.system.scale(D_);
    if (W_.cols() == 0) return;
    DW_.noalias() = D_ * W_;
    solver_.set_threshold(nearly_singular);  // next to a singular position later corrections do the rest
    solver_.compute(DW_);
  }
  // The smallest pivot of the dependent part relative to the longest row of D, so that a single one is judged too.
  double quality() const { return solver_.pivot(W_.cols() - 1) / D_.rowwise().norm().maxCoeff(); }

  void choose() {
    constexpr double negligible = 1e-9;
    const auto take_columns = [&](auto& factors) {
      factors.set_threshold(negligible);
      factors.compute(D_);
      W_.setZero(D_.cols(), factors.rank());
      for (Eigen::Index k = 0; k < W_.cols(); ++k) W_(factors.column(k), k) = 1;
    };
    if (by.index == 0)
      take_columns(lu_);
    else if (by.index == 1)
      take_columns(qr_);
    else
      svd_.of(D_, negligible, W_);
    DW_.noalias() = D_ * W_;
    solver_.compute(DW_);
    first_quality_ = std::max(quality(), nearly_singular);
  }

  void correct_dependent(Dynamics& d, double t, Out q, Out u) {
    if (d.system.m == 0) return;
    const System::Room room = d.system.room(q);
    double before = std::numeric_limits<double>::infinity();
    for (int k = 0;; ++k) {
      d.system.constraints(t, q, u, d.terms);
      factor(d);
      const double size = d.system.gap(d.terms.phi, room);
      if (!(size > tolerance) || !(size < 0.5 * before) || k == iterations) break;
      before = size;
      along_dependent(d.system, d.terms.phi);
      move_ *= -1;
      d.system.move(q, move_);
      ++d.corrections;
    }
    along_dependent(d.system, d.terms.rate);
    u -= move_;
  }

  // What makes up for a residual of the constraints, in the dependent displacements alone.
  void along_dependent(const System& s, const VecX& residual) {
    residual_ = residual.cwiseQuotient(s.row_units);
    solver_.solve(residual_, x_);
    move_.noalias() = W_ * x_;
    move_.array() *= s.units.array();
  }

  static constexpr double near_singular = 0.02, nearly_singular = 1e-7;  // quality
  MatX W_, before_, D_, DW_;  // W: one column for each dependent displacement
  VecX x_, move_, residual_;
  PivotedQr solver_;
  FullLu lu_;  // one of these chooses
  PivotedQr qr_;
  RowSpace svd_;
  double first_quality_ = 0;
  long choices_ = 0;
};
}  // namespace mubody
