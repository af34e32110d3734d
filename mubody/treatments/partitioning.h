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
// With svd they take those of D Dᵀ: the shortest solution, less its part along V, with one solution more for each freedom.
// Dense matrices serve redundant constraints, and the neighbourhood of singular positions, where S would lose as many digits
// again as D W; and they choose the set, which is rare.
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
               "largest value since the last choice");
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
    d.look(t, q, u);
    const bool quick = by_blocks(d, t, q);
    const bool loose = quick && has_fallen(hold(), best_hold_);
    if (quick && !loose && ++since_look_ < looks) return;
    since_look_ = 0;
    factor(d);
    const double now = W_.cols() == 0 ? 0 : quality();
    if (!has_fallen(now, best_quality_) && !loose) return;
    before_ = W_;
    V_before_ = V_;
    choose();
    if (now == 0 || quality() > std::max(near_singular, now)) {
      ++choices_;
      best_quality_ = std::max(quality(), nearly_singular);
      take_hold(d, t, q);
      return;
    }
    W_ = before_;  // next to a singular position no set is better, so the old one is kept
    V_ = V_before_;
    weighed_ = false;
    sizes_.clear();
    if (quick) take_hold(d, t, q);  // and is not asked about before it has fallen again
  }
  std::string report() const {
    return choices_ == 0 ? "" : "independent coordinates were chosen " + std::to_string(choices_) + " times";
  }
  void memory(Memory& m) {
    m(W_, V_, best_quality_, best_hold_, beside_, choices_, since_look_, sizes_);
    weighed_ = false;
  }

 private:
  bool tangent() const { return by.index == 2; }
  // Whether there are as many dependent displacements as rows.
  bool in_blocks(const Dynamics& d) const { return W_.cols() == d.system.m; }

  // Whether block factors serve at the position of the terms, which they are then made for.
  bool by_blocks(Dynamics& d, double t, const In& q) {
    if (!in_blocks(d)) return false;
    factor_blocks(d, t, q);
    beside_ = hold() < (beside_ ? 2 : 1) * next_to_singular;
    return !beside_;
  }
  // A set that was chosen in a bad position must not be kept in the next one for that.
  bool has_fallen(double now, double& best) const {
    best = std::max(best, now);
    return !(now > degraded * best);
  }
  void take_hold(Dynamics& d, double t, const In& q) {
    beside_ = false;
    by_blocks(d, t, q);
    best_hold_ = in_blocks(d) ? hold() : 0;
  }
  // How well the set determines the dependent coordinates: the smallest pivot relative to the longest row of D, so that a single
  // one is judged too.  Pivots of S, at hand in every step, tell less early than those of D W, which are looked at in one of
  // some steps.
  double quality() const { return solver_.pivot(W_.cols() - 1) / longest(); }
  double hold() { return std::sqrt(std::max(0.0, factors_.independence() * (tangent() ? least_ : 1))); }
  double longest() const { return D_.rowwise().norm().maxCoeff(); }

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
      svd_.of(D_, negligible, W_), V_ = null_space(D_, negligible);
    DW_.noalias() = D_ * W_;
    solver_.compute(DW_);
    weighed_ = false;
    sizes_.clear();
  }

  void correct_dependent(Dynamics& d, double t, Out q, Out u) {
    if (d.system.m == 0) return;
    d.look(t, q, u);
    if (in_blocks(d) && !beside_) {
      factor_blocks(d, t, q);
      if (hold() > 0.5 * next_to_singular) return correct_in_blocks(d, t, q, u);
    }
    const System::Room room = d.system.room(q);
    double before = std::numeric_limits<double>::infinity();
    for (int k = 0;; ++k) {
      if (k > 0) d.look(t, q, u);
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
      if (sizes_.empty()) measure_rows(d);
      weights_ = d.system.units.cwiseAbs2();
      if (!tangent()) weights_.array() *= W_.rowwise().sum().array();
      factors_.weigh(d, weights_, sizes_);
      weighed_ = true;
      nothing_.setZero(d.system.nu);
      none_.setZero(d.system.m);
      before_ = W_;  // has its size then, and the next choice takes no memory
      V_before_ = V_;
    }
    if (factors_.factor(d, t, q) && tangent()) project(d);
  }
  void measure_rows(const Dynamics& d) {
    take(d);
    const double most = longest() * longest();
    sizes_.resize(std::size_t(d.system.m));
    for (int r = 0; r < d.system.m; ++r)
      sizes_[std::size_t(r)] = most * d.system.row_units[r] * d.system.row_units[r];
  }
  // Of V what the constraints leave free now, R, and VᵀR in the units of the system, of which the least diagonal entry tells how
  // far they have turned away from each other.
  void project(Dynamics& d) {
    if (V_.cols() == 0) return;
    R_.resize(V_.rows(), V_.cols());
    for (Eigen::Index k = 0; k < V_.cols(); ++k) {
      weights_ = V_.col(k).cwiseQuotient(d.system.units);
      solve(d, weights_, none_);
      R_.col(k) = move_;
    }
    G_.noalias() = V_.transpose() * d.system.units.cwiseInverse().asDiagonal() * R_;
    least_ = G_.diagonal().minCoeff();
    reduced_.compute(G_);
  }
  // Corrections are so small that the first factors serve them all, unless rounds show that they do not.
  void correct_in_blocks(Dynamics& d, double t, Out q, Out u) {
    const System::Room room = d.system.room(q);
    double size = d.system.gap(d.terms.phi, room), before = std::numeric_limits<double>::infinity();
    for (int k = 0; size > tolerance && size < 0.5 * before && k < iterations; ++k) {
      if (size > serving * before) factor_blocks(d, t, q);
      before = size;
      x_ = -d.terms.phi;
      along_dependent(d);
      d.system.move(q, move_);
      ++d.corrections;
      d.look(t, q, u);
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
    solve(d, nothing_, x_);
    if (!tangent() || V_.cols() == 0) return;
    scaled_ = move_.cwiseQuotient(d.system.units);
    along_.noalias() = V_.transpose() * scaled_;
    reduced_.solve(along_, z_);
    move_.noalias() -= R_ * z_;
  }
  void solve(Dynamics& d, const VecX& g, const VecX& c) {
    move_.resize(d.system.nu), multipliers_.resize(d.system.m);
    factors_.solve(d, g, c, move_, multipliers_);
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

  static constexpr double near_singular = 0.02, nearly_singular = 1e-7;  // quality
  static constexpr double next_to_singular = 0.05;  // hold below which dense matrices serve
  static constexpr double serving = 1e-3;           // share of the violation that factors leave, if they serve
  static constexpr int most_rounds = 4;
  static constexpr int looks = 8;  // steps from one look at the quality to the next
  MatX W_, before_, D_, DW_;       // W: one column for each dependent displacement
  VecX x_, move_, residual_, multipliers_, nothing_, none_;
  MatX V_, V_before_, R_,
      G_;  // of tangent coordinates: the independent ones, what is free of them, and their products
  VecX weights_, along_, scaled_, z_;
  std::vector<double>
      sizes_;  // of rows where the set was chosen, squared; saved, since hold() is measured by them
  Ldlt reduced_;
  double least_ = 1;
  OwnFactors factors_;
  bool weighed_ = false;  // the factors are those of W
  PivotedQr solver_;
  FullLu lu_;  // one of these chooses
  PivotedQr qr_;
  RowSpace svd_;
  double best_quality_ = 0, best_hold_ = 0;  // since the set was chosen
  bool beside_ = false;                      // next to a singular position
  long choices_ = 0;
  int since_look_ = 0;
};
}  // namespace mubody
