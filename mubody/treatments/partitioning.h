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
// Moving dependent coordinates alone is moving all of them, where the independent ones have a mass beyond all measure: with
// lu and qr these corrections take block factors S = D_W D_Wᵀ, one factorization per evaluation, which serves all rounds.
// Dense matrices serve svd, redundant constraints, and the neighbourhood of singular positions, where S would lose as many
// digits again as D W; and they choose the set, which is rare.
//
// When: constraints at round-off in every evaluation, redundant constraints.  When not: close to singular positions, where
// dependent coordinates leave their places quickly.

#include "mubody/math/dense.h"
#include "mubody/treatments/own_factors.h"
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
    const double now = W_.cols() == 0 ? 0 : measured(d, t, q);
    if (now > degraded * first_quality_) return;
    before_ = W_;
    choose(d);
    const double next = measured(d, t, q);
    if (now == 0 || next > std::max(near_singular, now)) {
      ++choices_;
      first_quality_ = std::max(next, nearly_singular);
      return;
    }
    W_ = before_;  // next to a singular position no set is better, so the old one is kept
    weighed_ = false;
  }
  std::string report() const {
    return choices_ == 0 ? "" : "independent coordinates were chosen " + std::to_string(choices_) + " times";
  }
  void memory(Memory& m) {
    m(W_, first_quality_, choices_);
    weighed_ = false;
  }

 private:
  // Whether columns of D are the dependent ones, as many as rows.
  bool in_blocks(const Dynamics& d) const { return by.index != 2 && W_.cols() == d.system.m; }

  // How well the set determines the dependent coordinates at the position of the terms: the smallest pivot relative to the
  // longest row of D, so that a single one is judged too.
  double measured(Dynamics& d, double t, const In& q) {
    if (!in_blocks(d)) return factor(d), solver_.pivot(W_.cols() - 1) / longest();
    factor_blocks(d, t, q);
    return std::sqrt(std::max(0.0, factors_.independence()));
  }
  double longest() const { return D_.rowwise().norm().maxCoeff(); }

  void choose(const Dynamics& d) {
    constexpr double negligible = 1e-9;
    take(d);
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
    weighed_ = false;
  }

  void correct_dependent(Dynamics& d, double t, Out q, Out u) {
    if (d.system.m == 0) return;
    d.system.constraints(t, q, u, d.terms);
    if (in_blocks(d)) {
      factor_blocks(d, t, q);
      if (factors_.independence() > near_singular * near_singular) return correct_in_blocks(d, t, q, u);
    }
    const System::Room room = d.system.room(q);
    double before = std::numeric_limits<double>::infinity();
    for (int k = 0;; ++k) {
      if (k > 0) d.system.constraints(t, q, u, d.terms);
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

  // By block factors --------------------------------------------------------------------------------------

  void factor_blocks(Dynamics& d, double t, const In& q) {
    if (!weighed_ || !factors_.suits(d)) {
      take(d);
      const VecX sizes = longest() * longest() * d.system.row_units.cwiseAbs2();
      factors_.weigh(d, W_.rowwise().sum().cwiseProduct(d.system.units.cwiseAbs2()),
                     {sizes.begin(), sizes.end()});
      weighed_ = true;
      nothing_ = VecX::Zero(d.system.nu);
    }
    factors_.factor(d, t, q);
  }
  // Corrections are so small that the first factors serve them all, unless rounds show that they do not.
  void correct_in_blocks(Dynamics& d, double t, Out q, Out u) {
    const System::Room room = d.system.room(q);
    double size = d.system.gap(d.terms.phi, room), before = std::numeric_limits<double>::infinity();
    for (int k = 0; size > tolerance && size < 0.5 * before && k < iterations; ++k) {
      if (size > serving * before) factors_.factor(d, t, q);
      before = size;
      x_ = -d.terms.phi;
      along_dependent(d);
      d.system.move(q, move_);
      ++d.corrections;
      d.system.constraints(t, q, u, d.terms);
      size = d.system.gap(d.terms.phi, room);
    }
    residual_ = d.terms.rate;
    const bool exact = factors_.is_at(q);
    before = std::numeric_limits<double>::infinity();
    for (int k = 0; k < most_rounds; ++k) {
      x_ = -residual_;
      along_dependent(d);
      u += move_;
      if (exact) break;
      d.system.structure.multiply(d.terms.D.data(), move_.data(), residual_.data());
      size = d.system.gap(residual_, room) * d.system.scales.time;
      if (!(size > tolerance) || !(size < 0.5 * before)) break;
      before = size;
    }
  }
  // The dependent displacements that make x of the constraints.
  void along_dependent(Dynamics& d) {
    move_.resize(d.system.nu), multipliers_.resize(d.system.m);
    factors_.solve(d, nothing_, x_, move_, multipliers_);
  }

  // By dense ones -----------------------------------------------------------------------------------------

  void take(const Dynamics& d) {
    d.system.structure.full(d.terms.D, D_);
    d.system.scale(D_);
  }
  void factor(const Dynamics& d) {
    take(d);
    if (W_.cols() == 0) return;
    DW_.noalias() = D_ * W_;
    solver_.set_threshold(nearly_singular);  // next to a singular position later corrections do the rest
    solver_.compute(DW_);
  }
  // What makes up for a residual of the constraints, in the dependent displacements alone.
  void along_dependent(const System& s, const VecX& residual) {
    residual_ = residual.cwiseQuotient(s.row_units);
    solver_.solve(residual_, x_);
    move_.noalias() = W_ * x_;
    move_.array() *= s.units.array();
  }

  static constexpr double near_singular = 0.02, nearly_singular = 1e-7;  // as measured() finds
  static constexpr double serving = 1e-3;  // share of the violation that factors leave, if they serve
  static constexpr int most_rounds = 4;
  MatX W_, before_, D_, DW_;  // W: one column for each dependent displacement
  VecX x_, move_, residual_, multipliers_, nothing_;
  OwnFactors factors_;
  bool weighed_ = false;  // the factors are those of W
  PivotedQr solver_;
  FullLu lu_;  // one of these chooses
  PivotedQr qr_;
  RowSpace svd_;
  double first_quality_ = 0;
  long choices_ = 0;
};
}  // namespace mubody
